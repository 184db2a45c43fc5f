import { CircleAlert, CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useEffect, useLayoutEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { Toaster as Sonner, toast as sonner } from 'sonner';

export interface Message {
  /** Replaces the toast with the same id, for example that of an earlier attempt; the title where none is said. */
  id?: string;
  tone: 'success' | 'warning' | 'error';
  title: string;
  text?: string | undefined;
  /** Where it leads. */
  link?: { to: string; label: string };
  /** It says why the page changes, and so goes with the change after. */
  leads?: true;
}

/** Takes back what was said, by its id. */
export interface TakenBack {
  takenBack: string;
}

export interface ToasterProps {
  messages: readonly (Message | TakenBack)[];
  onShown: (messages: readonly (Message | TakenBack)[]) => void;
  /** Who reads the page; what went wrong before they signed in is over. */
  reader: string | undefined;
}

const looks = {
  success: { icon: CircleCheck, colour: 'text-ok' },
  warning: { icon: TriangleAlert, colour: 'text-amber' },
  error: { icon: CircleAlert, colour: 'text-red' },
};

const isOnPhone = () => matchMedia('(width < 48rem)').matches;

/** On a phone a toast lies over the page: one that only confirms goes with the next press, also on itself. */
function goWithNextPress(id: string | number) {
  if (!isOnPhone()) return;
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

/**
 * The errors that are shown, each with its toast, whether its reader has pressed something since, and whether it leads to the
 * next page.
 */
const errors = new Map<string, { toastId: string; isOld: boolean; leads: boolean }>();
/** The number of them so far: what is on its way out is another toast than one that says the same again. */
let shownCount = 0;

function takeBack(id: string) {
  sonner.dismiss(errors.get(id)?.toastId ?? id);
  errors.delete(id);
}

/** An error is over when the page changes, but for one that says why it does. */
function leavePage() {
  for (const [id, { leads, ...error }] of errors)
    if (leads) errors.set(id, { ...error, leads: false });
    else takeBack(id);
}

/** Success ends the errors of before: those after which its reader has tried again. */
function endOldErrors() {
  for (const [id, { isOld }] of errors) if (isOld) takeBack(id);
}

function ageErrors() {
  for (const error of errors.values()) error.isOld = true;
}

/** Long enough to come back to a page that was left alone, and not for ever. */
const ERROR_MS = 60_000;

/** Shows a toast; one about an error or a danger stays until it is closed, its page is left or what it is about succeeds. */
function show({ tone, title, text, link, leads, id = title }: Message) {
  let toastId = id;
  if (tone === 'success') endOldErrors();
  else {
    toastId = errors.get(id)?.toastId ?? `${id} ${shownCount++}`;
    errors.set(id, { toastId, isOld: false, leads: leads === true });
  }
  const forget = () => errors.get(id)?.toastId === toastId && errors.delete(id);
  const { icon: Icon, colour } = looks[tone];
  const shown = sonner.custom(
    () => (
      // Beside a dialog presses would go through to the page below.
      <div className="pointer-events-auto flex w-full gap-3 rounded-md bg-raised p-4 font-sans text-base text-ink shadow-dialog md:w-[360px]">
        <Icon className={`on-first-line size-5 shrink-0 ${colour}`} strokeWidth={1.75} aria-hidden />
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
      duration: tone === 'success' ? 6000 : ERROR_MS,
      // The buttons of forms and dialogs are at the foot of a phone.
      position: isOnPhone() ? 'top-center' : 'bottom-right',
      unstyled: true,
      className: 'w-full',
      id: toastId,
      onDismiss: forget,
      onAutoClose: forget,
    },
  );
  if (tone === 'success') goWithNextPress(shown);
}

/** Shows messages by the toast library, together with which it is loaded after the page. */
export function Toaster({ messages, onShown, reader }: ToasterProps) {
  const { pathname, state } = useLocation();
  // Before the new page says what is wrong with it; a step of a form is a page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is left when its path or step changes
  useLayoutEffect(leavePage, [pathname, state?.step]);
  useLayoutEffect(() => {
    if (reader) leavePage();
  }, [reader]);
  useEffect(() => {
    const pressed = new AbortController();
    for (const type of ['pointerdown', 'keydown'])
      addEventListener(type, ageErrors, { capture: true, signal: pressed.signal });
    return () => pressed.abort();
  }, []);
  // Runs after the list below has subscribed; a toast shown before that would be lost.
  useEffect(() => {
    if (messages.length === 0) return;
    for (const message of messages)
      if ('takenBack' in message) takeBack(message.takenBack);
      else show(message);
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
        offset={{ top: 68, right: 24, bottom: 24 }}
        mobileOffset={{ top: 68, left: 16, right: 16 }}
        containerAriaLabel="Messages"
      />
    </div>
  );
}
