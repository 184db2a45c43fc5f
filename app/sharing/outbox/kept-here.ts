import { countKeptUploadsOf, dropKeptUploadsOf } from '#app/sharing/media-upload/kept-uploads.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';
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
  /** Null where drafts have some that can't be read now. */
  files: number | null;
  /** Whether a solution that was submitted is among them and waits to be sent. */
  isWaiting: boolean;
}

/** What this device keeps of a member. */
export async function keptHere(userId: string): Promise<KeptHere> {
  const owner = draftKey({ userId, solutionId: null });
  const texts = typedBy(userId).length;
  const files = await countKeptUploadsOf(owner).catch((error: unknown) => {
    console.warn('kept files:', error);
    return texts > 0 ? null : 0;
  });
  return { texts, files, isWaiting: hasWaiting(userId) };
}

/** Removes all of it from this device; says so where some files could not be removed. */
export async function forgetKeptHere(userId: string): Promise<void> {
  for (const key of typedBy(userId)) localStorage.removeItem(key);
  forgetSubmittedOf(userId);
  try {
    await dropKeptUploadsOf(draftKey({ userId, solutionId: null }));
  } catch (error) {
    console.warn('kept files:', error);
    toast({
      tone: 'error',
      title: 'Some files couldn’t be removed',
      text: 'Please clear this site’s data in the browser’s settings.',
    });
  }
}
