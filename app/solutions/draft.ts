import { emptySolution, type SolutionForm } from './rules.ts';
import type { Upload, Uploads } from './upload-queue.ts';

/** What was typed but not submitted, kept on this device for its owner. */
export interface Draft {
  form: SolutionForm;
  uploads: Uploads;
}

/** The server keeps files that no solution has taken for a day. */
const filesLastFor = 20 * 60 * 60 * 1000;

const keyFor = (userId: string) => `solution-draft-${userId}`;

export function readDraft(userId: string): Draft | null {
  const stored = localStorage.getItem(keyFor(userId));
  if (!stored) return null;
  try {
    const { form, uploads, savedAt }: Draft & { savedAt: number } = JSON.parse(stored);
    const fresh = Date.now() - savedAt < filesLastFor;
    return {
      form: { ...emptySolution, ...form },
      uploads: fresh ? uploads : { items: [], thumbnailId: null },
    };
  } catch {
    clearDraft(userId);
    return null;
  }
}

export function saveDraft(userId: string, { form, uploads }: Draft): void {
  const touched = uploads.items.length > 0 || JSON.stringify(form) !== JSON.stringify(emptySolution);
  if (!touched) {
    clearDraft(userId);
    return;
  }
  const items = uploads.items.flatMap((upload): Upload[] =>
    upload.state === 'ready' ? [{ ...upload, preview: null }] : [],
  );
  localStorage.setItem(
    keyFor(userId),
    JSON.stringify({ form, uploads: { ...uploads, items }, savedAt: Date.now() }),
  );
}

export function clearDraft(userId: string): void {
  localStorage.removeItem(keyFor(userId));
}
