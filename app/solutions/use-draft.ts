import { useEffect, useRef } from 'react';
import { browserClient } from '#app/supabase.ts';
import { clearDraft, type Draft, keepDraft, syncDraft } from './draft.ts';
import type { SolutionForm } from './rules.ts';
import type { Uploads } from './upload-queue.ts';

const pause = 1200;

/**
 * Keeps what is typed: on this device at once, on the server as soon as there is a pause and a connection.
 *
 * @param draft null when nothing shall be kept
 * @returns forgets the draft, after whatever is being written
 */
export function useDraft(userId: string, draft: { id: string; written: string; uploads: Uploads } | null) {
  const writing = useRef(Promise.resolve());
  const ended = useRef(false);
  const { id, written, uploads } = draft ?? {};
  useEffect(() => {
    if (!id || !written || !uploads || ended.current) return;
    const form: SolutionForm = JSON.parse(written);
    const kept: Draft = { id, form, uploads };
    const stored = keepDraft(userId, kept);
    if (!stored) return;
    const sync = () => {
      writing.current = writing.current
        .then(async () => {
          if (!ended.current) await syncDraft(await browserClient(), userId, stored);
        })
        .catch((error: unknown) => console.warn('draft is kept on this device only:', error));
    };
    const timer = setTimeout(sync, pause);
    window.addEventListener('online', sync);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', sync);
    };
  }, [userId, id, written, uploads]);

  return async (forGood: boolean) => {
    ended.current = true;
    await writing.current;
    await clearDraft(await browserClient(), userId).catch((error: unknown) => console.warn('draft:', error));
    ended.current = forGood;
  };
}
