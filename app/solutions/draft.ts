import { unwrap } from '#app/errors.ts';
import type { Client } from '#app/supabase.ts';
import { emptySolution, type SolutionForm } from './rules.ts';
import type { Upload, Uploads } from './upload-queue.ts';

/** What was typed but not submitted, kept on this device and on the server for its owner. */
export interface Draft {
  /** Stays with the draft until it is sent, so that sending it twice makes one solution. */
  id: string;
  form: SolutionForm;
  uploads: Uploads;
}

interface Stored extends Draft {
  savedAt: number;
  /** Whether the server has had it; one that the server has lost since was sent or discarded elsewhere. */
  synced: boolean;
}

/** The server keeps files that no solution has taken for a day. */
const filesLastFor = 20 * 60 * 60 * 1000;

const keyFor = (userId: string) => `solution-draft-${userId}`;

function parse(text: string | null): Stored | null {
  if (!text) return null;
  try {
    const { id, form, uploads, savedAt, synced }: Stored = JSON.parse(text);
    const fresh = Date.now() - savedAt < filesLastFor;
    return {
      id: id ?? crypto.randomUUID(),
      form: { ...emptySolution, ...form },
      uploads: fresh && uploads ? uploads : { items: [], thumbnailId: null },
      savedAt: savedAt ?? 0,
      synced: synced ?? false,
    };
  } catch {
    return null;
  }
}

/** The newer of this device's draft and the server's; this device's alone while the server cannot be asked. */
export async function loadDraft(db: Client, userId: string): Promise<Draft | null> {
  const local = parse(localStorage.getItem(keyFor(userId)));
  const { data, error } = await db
    .from('solution_drafts')
    .select('content')
    .eq('user_id', userId)
    .maybeSingle();
  if (error) return local;
  const remote = parse(data && JSON.stringify(data.content));
  if (!remote) {
    if (!local?.synced) return local;
    localStorage.removeItem(keyFor(userId));
    return null;
  }
  return local && local.savedAt >= remote.savedAt ? local : remote;
}

/** Keeps the draft on this device; null when there is nothing to keep. */
export function keepDraft(userId: string, { id, form, uploads }: Draft): Stored | null {
  const touched = uploads.items.length > 0 || JSON.stringify(form) !== JSON.stringify(emptySolution);
  if (!touched) {
    localStorage.removeItem(keyFor(userId));
    return null;
  }
  const items = uploads.items.flatMap((upload): Upload[] =>
    upload.state === 'ready' ? [{ ...upload, preview: null }] : [],
  );
  const stored = { id, form, uploads: { ...uploads, items }, savedAt: Date.now(), synced: false };
  localStorage.setItem(keyFor(userId), JSON.stringify(stored));
  return stored;
}

/** Gives the server what this device has kept, for the member's other devices. */
export async function syncDraft(db: Client, userId: string, stored: Stored): Promise<void> {
  const content = JSON.parse(JSON.stringify(stored));
  const { error } = await db.from('solution_drafts').upsert({ user_id: userId, content });
  if (error) throw error;
  const now = parse(localStorage.getItem(keyFor(userId)));
  if (now?.savedAt === stored.savedAt)
    localStorage.setItem(keyFor(userId), JSON.stringify({ ...stored, synced: true }));
}

/** Forgets the draft here and on the server. */
export async function clearDraft(db: Client, userId: string): Promise<void> {
  localStorage.removeItem(keyFor(userId));
  unwrap(await db.from('solution_drafts').delete().eq('user_id', userId).select('user_id'));
}
