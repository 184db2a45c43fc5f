import { CircleAlert, CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { Toaster as Sonner, toast as sonner } from 'sonner';

export interface Message {
  /** Replaces the toast with the same id, for example that of an earlier attempt. */
  id?: string;
  tone: 'success' | 'warning' | 'error';
  title: string;
  text?: string | undefined;
  /** Where it leads. */
  link?: { to: string; label: string };
}

export interface ToasterProps {
  messages: readonly Message[];
  onShown: (messages: readonly Message[]) => void;
}

const looks = {
  success: { icon: CircleCheck, colour: 'text-ok' },
  warning: { icon: TriangleAlert, colour: 'text-amber' },
  error: { icon: CircleAlert, colour: 'text-red' },
};

/** On a phone a toast lies over the foot of the page: one that only confirms goes with the next press, also on itself. */
function goWithNextPress(id: string | number) {
  if (!matchMedia('(width < 48rem)').matches) return;
  const pressed = new AbortController();
  addEventListener(
    'pointerdown',
    ({ target }) => {
      if (target instanceof Element && target.closest('[data-sonner-toast] :is(a, button)')) return;
      sonner.dismiss(id);
      pressed.abort();
    },
    { capture: true, signal: pressed.signal },
  );
}

/** Shows a toast; one about an error or a danger stays until it is closed. */
function show({ id, tone, title, text, link }: Message) {
  const { icon: Icon, colour } = looks[tone];
  const shown = sonner.custom(
    (toastId) => (
      // Beside a dialog presses would go through to the page below.
      <div className="pointer-events-auto flex w-full gap-3 rounded-md bg-raised p-4 font-sans text-base text-ink shadow-dialog md:w-[360px]">
        <Icon className={`mt-0.5 size-5 shrink-0 ${colour}`} strokeWidth={1.75} aria-hidden />
        <div className="min-w-0 flex-1">
          <p className="font-bold">{title}</p>
          {text && <p className="text-ink-2 wrap-anywhere">{text}</p>}
          {link && (
            <Link to={link.to} className="reach link" onClick={() => sonner.dismiss(toastId)}>
              {link.label}
            </Link>
          )}
        </div>
        <button
          type="button"
          onClick={() => sonner.dismiss(toastId)}
          className="reach flex size-6 shrink-0 items-center justify-center rounded-sm hover:bg-chip"
        >
          <X className="size-4" strokeWidth={2} aria-hidden />
          <span className="sr-only">Close</span>
        </button>
      </div>
    ),
    {
      duration: tone === 'success' ? 6000 : Number.POSITIVE_INFINITY,
      unstyled: true,
      className: 'w-full',
      ...(id ? { id } : {}),
    },
  );
  if (tone === 'success') goWithNextPress(shown);
}

/** Shows messages by the toast library, together with which it is loaded after the page. */
export function Toaster({ messages, onShown }: ToasterProps) {
  // Runs after the list below has subscribed; a toast shown before that would be lost.
  useEffect(() => {
    if (messages.length === 0) return;
    for (const message of messages) show(message);
    onShown(messages);
  }, [messages, onShown]);
  return (
    // When the focus leaves the toasts, the library sends it back to where it came from, and the next Tab
    // leads into the toasts again. Without this event it leaves the focus alone; focus.ts looks after it.
    <div className="contents print:hidden" onFocusCapture={(event) => event.stopPropagation()}>
      <Sonner
        position="bottom-right"
        visibleToasts={4}
        gap={12}
        offset={24}
        mobileOffset={16}
        containerAriaLabel="Messages"
      />
    </div>
  );
}
