import { countKeptUploadsOf, dropKeptUploadsOf } from '#app/media-upload/kept-uploads.ts';
import { draftKey } from './draft-key.ts';
import { forgetSubmittedOf, hasWaiting } from './submitted.ts';

/** What begins the keys of what a member typed: drafts of solutions, submitted ones too, and shorter texts. */
const TYPED = /^(?:solution-draft-|draft:)/;

const typedBy = (userId: string): string[] =>
  Object.entries<string>(localStorage).flatMap(([key, text]) =>
    TYPED.test(key) && (key + text).includes(userId) ? [key] : [],
  );

export interface KeptHere {
  texts: number;
  files: number;
  /** Whether a solution that was submitted is among them and waits to be sent. */
  isWaiting: boolean;
}

/** What this device keeps of a member. */
export async function keptHere(userId: string): Promise<KeptHere> {
  const owner = draftKey({ userId, solutionId: null });
  const files = await countKeptUploadsOf(owner).catch((error: unknown) => {
    console.warn('kept files:', error);
    return 0;
  });
  return { texts: typedBy(userId).length, files, isWaiting: hasWaiting(userId) };
}

/** Removes all of it from this device. */
export async function forgetKeptHere(userId: string): Promise<void> {
  for (const key of typedBy(userId)) localStorage.removeItem(key);
  forgetSubmittedOf(userId);
  await dropKeptUploadsOf(draftKey({ userId, solutionId: null })).catch((error: unknown) =>
    console.warn('kept files:', error),
  );
}
