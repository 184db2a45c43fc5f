import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Uploads } from '#app/sharing/media-upload/upload-queue.ts';
import type { DraftTarget } from '#app/sharing/outbox/draft-key.ts';
import type { SolutionForm } from '#app/solution/solutions/form-schema.ts';
import { browserClient } from '#app/supabase.ts';
import {
  ChangedElsewhere,
  clearDraft,
  type Draft,
  holdsChanges,
  isOnDevice,
  saveDraft,
  syncDraft,
} from './draft.ts';

const SAVE_DELAY_MS = 1200;

interface SaveState {
  id: string;
  /** The form as JSON, so that it is the same as long as its content is. */
  written: string;
  uploads: Uploads;
}

/** Where the draft is. */
export interface DraftState {
  /** Whether this device has room for it. */
  isHere: boolean;
  /** Whether the server has it as it is. */
  isStored: boolean;
  /** Whether there is one: a form as it was opened is not kept. */
  isKept: boolean;
  /** When the server stored another device's changes, which this draft does not have; null where there are none. */
  otherAt: string | null;
}

/**
 * Stores the draft: on this device at once, on the server as soon as there is a pause and a connection, unless it would
 * replace what another device has written.
 *
 * @param base the form's initial content; a draft equal to it is not kept
 * @param otherAt of the draft with which the form was opened
 * @param onChange calls its argument with each change of the form, before a rendering that may fail over it
 * @returns where the draft is, a function that goes on with it beside another device's, and one that deletes it, after
 *   any write in progress
 */
export function useDraft(
  { userId, solutionId }: DraftTarget,
  { id, written, uploads }: SaveState,
  base: Draft,
  otherAt: string | null,
  onChange: (changed: (form: SolutionForm) => void) => () => void,
) {
  const [state, setState] = useState<DraftState>({ isHere: true, isStored: false, isKept: false, otherAt });
  const writing = useRef(Promise.resolve());
  const ended = useRef(false);
  const saveNow = useEffectEvent((form: SolutionForm) => {
    if (!ended.current) saveDraft({ userId, solutionId }, { id, form, uploads }, base);
  });
  useEffect(() => onChange((form) => saveNow(form)), [onChange]);
  const hasOther = state.otherAt !== null;
  useEffect(() => {
    if (ended.current) return;
    const target = { userId, solutionId };
    const form: SolutionForm = JSON.parse(written);
    const stored = saveDraft(target, { id, form, uploads }, base);
    const isHere = isOnDevice(target);
    const isKept = stored !== null;
    setState((before) =>
      before.isHere === isHere && before.isKept === isKept && !before.isStored
        ? before
        : { ...before, isHere, isKept, isStored: false },
    );
    if (!stored || hasOther) return;
    const sync = () => {
      writing.current = writing.current
        .then(async () => {
          if (ended.current) return;
          await syncDraft(await browserClient(), target, stored, base);
          setState({ isHere, isStored: true, isKept: holdsChanges(stored, base), otherAt: null });
        })
        .catch((error: unknown) => {
          if (error instanceof ChangedElsewhere)
            setState({ isHere, isStored: false, isKept, otherAt: error.otherAt });
          else console.warn('draft is kept on this device only:', error);
        });
    };
    const timer = setTimeout(sync, SAVE_DELAY_MS);
    window.addEventListener('online', sync);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', sync);
    };
  }, [userId, solutionId, id, written, uploads, base, hasOther]);

  const end = async (forGood: boolean) => {
    ended.current = true;
    await writing.current;
    await clearDraft(await browserClient(), { userId, solutionId }, base).catch((error: unknown) =>
      console.warn('draft:', error),
    );
    ended.current = forGood;
  };
  return { ...state, keepThis: () => setState((before) => ({ ...before, otherAt: null })), end };
}
