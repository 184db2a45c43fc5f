import { type ComponentType, lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import type { Message, ToasterProps } from './toaster.tsx';

let library: Promise<{ default: ComponentType<ToasterProps> }> | undefined;

/** The toast library loads after the page, which does not wait for it. */
function loadToaster() {
  library ??= (async () => {
    try {
      return { default: (await import('./toaster.tsx')).Toaster };
    } catch {
      library = undefined;
      return { default: PlainToaster };
    }
  })();
  return library;
}

const Toaster = lazy(loadToaster);

/** For a toast about a lost connection, when the library has not been loaded before it. */
function PlainToaster({ messages }: ToasterProps) {
  return (
    <section
      aria-label="Messages"
      aria-live="polite"
      className="pointer-events-none fixed end-4 bottom-4 z-50 max-w-[360px] print:hidden"
    >
      <ul>
        {messages.map(({ title, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages are only added.
          <li key={index} className="mt-3 rounded-md bg-raised p-4 text-base text-ink shadow-dialog">
            <p className="font-bold">{title}</p>
            {text && <p className="text-ink-2 wrap-anywhere">{text}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const NO_MESSAGES: readonly Message[] = [];
const listeners = new Set<() => void>();
let waiting = NO_MESSAGES;
let isLibraryWanted = false;

function wait(messages: readonly Message[]) {
  waiting = messages;
  for (const listener of listeners) listener();
}

/** Shows a toast in the corner, whatever page is open. */
export function toast(message: Message): void {
  isLibraryWanted = true;
  wait([...waiting, message]);
}

/** More toasts may have come since these were drawn. */
const removeShown = (displayed: readonly Message[]) =>
  wait(waiting.filter((message) => !displayed.includes(message)));
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The place of all toasts, once in every page. */
export function Toasts() {
  useEffect(() => {
    // A toast about a lost connection can load nothing any more.
    const later = setTimeout(loadToaster, 2000);
    return () => clearTimeout(later);
  }, []);
  const messages = useSyncExternalStore(
    subscribe,
    () => waiting,
    () => NO_MESSAGES,
  );
  return <Suspense>{isLibraryWanted && <Toaster messages={messages} onShown={removeShown} />}</Suspense>;
}
