import {
  type ComponentType,
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import { useLocation } from 'react-router';
import type { Message, TakenBack, ToasterProps } from './toaster.tsx';

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
function PlainToaster({ messages, onShown }: ToasterProps) {
  const { pathname } = useLocation();
  const at = useRef(pathname);
  useLayoutEffect(() => {
    if (at.current !== pathname) onShown(messages);
    at.current = pathname;
  }, [pathname, messages, onShown]);
  const plain = new Map<string, Message>();
  for (const message of messages)
    if ('takenBack' in message) plain.delete(message.takenBack);
    else plain.set(message.id ?? message.title, message);
  return (
    <section
      aria-label="Messages"
      aria-live="polite"
      className="pointer-events-none fixed end-4 z-50 max-w-[360px] max-md:top-16 md:bottom-4 print:hidden"
    >
      <ul>
        {[...plain].map(([id, { title, text }]) => (
          <li key={id} className="mt-3 rounded-md bg-raised p-4 text-base text-ink shadow-dialog">
            <p className="font-bold">{title}</p>
            {text && <p className="text-ink-2 wrap-anywhere">{text}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

type Waiting = readonly (Message | TakenBack)[];
const NO_MESSAGES: Waiting = [];
const listeners = new Set<() => void>();
let waiting = NO_MESSAGES;
let isLibraryWanted = false;

function wait(messages: Waiting) {
  waiting = messages;
  for (const listener of listeners) listener();
}

/** Shows a toast in the corner, whatever page is open. */
export function toast(message: Message): void {
  isLibraryWanted = true;
  wait([...waiting, message]);
}

/** Takes a toast back, whose id is its title where it has no other: what it is about has succeeded since, or is over. */
export function takeBack(id: string): void {
  if (isLibraryWanted) wait([...waiting, { takenBack: id }]);
}

/** Says for as long as it is so that something of the page could not be loaded. */
export function useErrorToast(isWrong: boolean, title: string, text?: string): void {
  useEffect(() => {
    if (!isWrong) return;
    // Several may share a title.
    const id = `${title} ${text}`;
    toast({ id, tone: 'error', title, text });
    return () => takeBack(id);
  }, [isWrong, title, text]);
}

/** More toasts may have come since these were drawn. */
const removeShown = (displayed: Waiting) => wait(waiting.filter((message) => !displayed.includes(message)));
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The place of all toasts, once in every page. */
export function Toasts({ reader }: Pick<ToasterProps, 'reader'>) {
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
  return (
    <Suspense>
      {isLibraryWanted && <Toaster messages={messages} onShown={removeShown} reader={reader} />}
    </Suspense>
  );
}
