import { useEffect, useEffectEvent, useRef } from 'react';
import type { Uploads } from '#app/media-upload/upload-queue.ts';
import type { DraftTarget } from '#app/outbox/draft-key.ts';
import type { SolutionForm } from '#app/solutions/form-schema.ts';
import { browserClient } from '#app/supabase.ts';
import { clearDraft, type Draft, saveDraft, syncDraft } from './draft.ts';

const SAVE_DELAY_MS = 1200;

interface SaveState {
  id: string;
  /** The form as JSON, so that it is the same as long as its content is. */
  written: string;
  uploads: Uploads;
}

/**
 * Stores the draft: on this device at once, on the server as soon as there is a pause and a connection.
 *
 * @param base the form's initial content; a draft equal to it is not kept
 * @param onChange calls its argument with each change of the form, before a rendering that may fail over it
 * @returns a function that deletes the draft, after any write in progress
 */
export function useDraft(
  { userId, solutionId }: DraftTarget,
  { id, written, uploads }: SaveState,
  base: Draft,
  onChange: (changed: (form: SolutionForm) => void) => () => void,
) {
  const writing = useRef(Promise.resolve());
  const ended = useRef(false);
  const saveNow = useEffectEvent((form: SolutionForm) => {
    if (!ended.current) saveDraft({ userId, solutionId }, { id, form, uploads }, base);
  });
  useEffect(() => onChange((form) => saveNow(form)), [onChange]);
  useEffect(() => {
    if (ended.current) return;
    const target = { userId, solutionId };
    const form: SolutionForm = JSON.parse(written);
    const stored = saveDraft(target, { id, form, uploads }, base);
    if (!stored) return;
    const sync = () => {
      writing.current = writing.current
        .then(async () => {
          if (!ended.current) await syncDraft(await browserClient(), target, stored);
        })
        .catch((error: unknown) => console.warn('draft is kept on this device only:', error));
    };
    const timer = setTimeout(sync, SAVE_DELAY_MS);
    window.addEventListener('online', sync);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', sync);
    };
  }, [userId, solutionId, id, written, uploads, base]);

  return async (forGood: boolean) => {
    ended.current = true;
    await writing.current;
    await clearDraft(await browserClient(), { userId, solutionId }).catch((error: unknown) =>
      console.warn('draft:', error),
    );
    ended.current = forGood;
  };
}
