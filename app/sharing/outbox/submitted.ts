import { useMemo, useSyncExternalStore } from 'react';
import type { UploadQueue } from '#app/sharing/media-upload/upload-queue.ts';
import { type DraftTarget, draftKey } from './draft-key.ts';

/**
 * A draft that was submitted without a connection. The draft holds the text and the files; this says that it may be
 * sent as soon as the site can be reached, or why the site refused it then.
 */
export interface Submitted {
  target: DraftTarget;
  title: string;
  fileCount: number;
  /** The draft's own; one that has changed since, on another device, is not sent. */
  savedAt: number;
  /** Whether it may have arrived already: the answer to an earlier attempt was lost. */
  isAttempted: boolean;
  /** The reason of a refusal: the draft is its author's again, and not sent by itself. */
  problem: string | null;
}

/** Stays apart from the draft, which other devices have too. */
const PREFIX = 'submitted-';

const listeners = new Set<() => void>();
/** What this tab is sending at the moment. */
let sending: { key: string; queue: UploadQueue } | null = null;

const announce = () => {
  for (const listener of listeners) listener();
};

function subscribe(listener: () => void) {
  listeners.add(listener);
  // Of other tabs.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function parse(text: string): Submitted[] {
  try {
    const submitted: Submitted = JSON.parse(text);
    return typeof submitted.title === 'string' && typeof submitted.target?.userId === 'string'
      ? [submitted]
      : [];
  } catch {
    return [];
  }
}

const parseAll = (texts: string): Submitted[] => texts.split('\n').flatMap(parse);

/** What a member submitted on this device and was not accepted yet, as one text. */
const read = (userId: string): string =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX + draftKey({ userId, solutionId: null })))
    .sort()
    .map((key) => localStorage.getItem(key) ?? '')
    .join('\n');

/** The reader's own, and none of another member of this device. */
export function useSubmitted(userId: string | undefined): Submitted[] {
  const texts = useSyncExternalStore(
    subscribe,
    () => (userId ? read(userId) : ''),
    () => '',
  );
  return useMemo(() => parseAll(texts), [texts]);
}

/** The files that this tab is sending for a draft, if it does. */
export const useSending = (target: DraftTarget): UploadQueue | null =>
  useSyncExternalStore(
    subscribe,
    () => (sending?.key === draftKey(target) ? sending.queue : null),
    () => null,
  );

/** Names the files that this tab is sending for a draft, for `useSending`; null when it has ended. */
export function setSending(target: DraftTarget, queue: UploadQueue | null): void {
  sending = queue && { key: draftKey(target), queue };
  announce();
}

/** @throws QuotaExceededError where the browser has no room */
export function keepSubmitted(submitted: Submitted): void {
  localStorage.setItem(PREFIX + draftKey(submitted.target), JSON.stringify(submitted));
  announce();
}

/** The draft was sent, or its author takes it back. */
export function forgetSubmitted(target: DraftTarget): void {
  localStorage.removeItem(PREFIX + draftKey(target));
  announce();
}

/** Nothing of a member's is to be sent from this device any more. */
export function forgetSubmittedOf(userId: string): void {
  for (const { target } of parseAll(read(userId))) forgetSubmitted(target);
}

/** Whether a draft, by its key, was submitted here and not accepted yet: it waits, or was refused. */
export const isSubmitted = (key: string): boolean => localStorage.getItem(PREFIX + key) !== null;

/** Whether anything of a member's waits on this device. */
export const hasWaiting = (userId: string): boolean =>
  parseAll(read(userId)).some(({ problem }) => problem === null);

/** Whether a draft, by its key, was submitted and is to be sent by itself. */
export const isWaiting = (key: string): boolean =>
  parse(localStorage.getItem(PREFIX + key) ?? '').some(({ problem }) => problem === null);

/** Calls back when a draft no longer waits to be sent. @returns ends it */
export function onTakenBack(target: DraftTarget, callback: () => void): () => void {
  return subscribe(() => isWaiting(draftKey(target)) || callback());
}

/** The address of the form in which a solution was written. */
export const formPath = ({ target: { solutionId } }: Submitted) =>
  solutionId ? `/upload?solution=${solutionId}` : '/upload';
