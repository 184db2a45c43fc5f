import { lazy, Suspense, useSyncExternalStore } from 'react';

export interface Message {
  /** Takes the place of the message with the same one, such as that of an attempt before. */
  id?: string;
  tone: 'success' | 'warning' | 'error';
  title: string;
  text?: string | undefined;
}

// The library that shows messages comes with the first of them, so that a page without any does not pay for it.
const Toaster = lazy(() => import('./toast.tsx').then((module) => ({ default: module.Toaster })));

const none: readonly Message[] = [];
const listeners = new Set<() => void>();
let waiting = none;
let wanted = false;

function wait(messages: readonly Message[]) {
  waiting = messages;
  for (const listener of listeners) listener();
}

/** Shows a message in the corner, whatever page is open. */
export function toast(message: Message): void {
  wanted = true;
  wait([...waiting, message]);
}

/** Others may have come since these were drawn. */
const forget = (shown: readonly Message[]) => wait(waiting.filter((message) => !shown.includes(message)));
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const messages = useSyncExternalStore(
    subscribe,
    () => waiting,
    () => none,
  );
  return <Suspense>{wanted && <Toaster messages={messages} onShown={forget} />}</Suspense>;
}
