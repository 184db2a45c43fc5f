import { dataOf, unwrap } from '#app/errors.ts';
import { readKeptUploads } from '#app/sharing/media-upload/kept-uploads.ts';
import { buildFileUploadsOf, uploadSchema, uploadsOf } from '#app/sharing/media-upload/stored-uploads.ts';
import { isExpired, type Upload, type Uploads } from '#app/sharing/media-upload/upload-queue.ts';
import { type DraftTarget, draftKey } from '#app/sharing/outbox/draft-key.ts';
import { isSubmitted } from '#app/sharing/outbox/submitted.ts';
import { draftFabricationSchema, typedFabrication } from '#app/solution/fabrication/form-schema.ts';
import { draftOutcomesSchema, typedOutcome } from '#app/solution/outcomes/form-schema.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import {
  ageGroupSchema,
  emptySolution,
  materialSchema,
  type SolutionForm,
  solutionSchema,
} from '#app/solution/solutions/form-schema.ts';
import { bySection } from '#app/solution/solutions/value-lists.ts';
import type { Client } from '#app/supabase.ts';
import { keepOnDevice, keptOnDevice } from '#app/ui/states/keep-on-device.ts';
import { z } from '#app/zod.ts';

/** Form content that was not submitted, kept on this device and on the server for its owner. */
export interface Draft {
  /** Stays with the draft until it is sent, so that sending it twice makes one solution. */
  id: string;
  form: SolutionForm;
  uploads: Uploads;
}

interface Stored extends Draft {
  /** The ids of all files in their order, those among them that only the device has. */
  order: string[];
  savedAt: number;
  /**
   * Whether the server has stored it; a draft that the server has lost since was sent or discarded elsewhere.
   */
  synced: boolean;
  /** When the server last stored what this draft goes on from, by the server's clock; null where it has not yet. */
  revision: string | null;
  /** The device that wrote it, so that a device knows its own draft at the server again. */
  origin: string;
}

/** Chosen files that only this device has, by the ids of their uploads. */
export type KeptFiles = ReadonlyMap<string, File>;

const empty = (): Draft => ({
  id: crypto.randomUUID(),
  form: emptySolution,
  uploads: { items: [], thumbnailId: null },
});

let cachedBlankDraft: Draft | undefined;

/** An untouched form: the same one, with the same id, until it was sent or discarded. */
export function blankDraft(): Draft {
  cachedBlankDraft ??= empty();
  return cachedBlankDraft;
}

/** A solution as the form shows it for a change. */
export function draftOf(solution: Solution): Draft {
  const thumbnail = solution.media.find(({ stored }) => stored.compressed_url === solution.thumbnail_url);
  return {
    // Of a new version, the published solution by which it is sent.
    id: solution.revises ?? solution.id,
    form: {
      ...emptySolution,
      language: solution.language,
      title: solution.title,
      description: solution.description,
      functionInMind: solution.occupation,
      amputationLevel: solution.amputation_level,
      prosthesisType: solution.prosthesis_type,
      costRange: solution.cost_range,
      ageGroup: z.array(ageGroupSchema).parse(solution.age_group.split(', ')),
      materials: z.array(materialSchema).parse(solution.materials),
      customTags: solution.custom_tags,
      basedOn: solution.sources.map(({ solution: { id, title } }) => ({ id, title })),
      changeNote: solution.change_note ?? '',
      removesDetails: solution.removes_details,
      audience: solution.audience,
      licence: solution.licence ?? '',
      ...bySection('field', ({ column }) => solution[column] ?? ''),
      outcomes: solution.outcomes.map(typedOutcome),
      fabrication: typedFabrication(solution.fabrication),
    },
    uploads: {
      thumbnailId: thumbnail?.id ?? null,
      items: [...uploadsOf(solution.media), ...buildFileUploadsOf(solution.files)],
    },
  };
}

/**
 * The stored draft may be of an earlier version of the site, or damaged: unreadable fields are as in `base`.
 */
const draftSchema = ({ id, form, uploads }: Draft) => {
  const text = (name: keyof SolutionForm) => z.catch(z.string(), String(form[name]));
  return z.object({
    id: z.catch(z.string(), id),
    form: z.catch(
      z.object({
        language: text('language'),
        title: text('title'),
        description: text('description'),
        functionInMind: text('functionInMind'),
        amputationLevel: text('amputationLevel'),
        prosthesisType: text('prosthesisType'),
        costRange: text('costRange'),
        ageGroup: z.catch(z.array(ageGroupSchema), form.ageGroup),
        materials: z.catch(z.array(materialSchema), form.materials),
        customTags: z.catch(z.array(z.string()), form.customTags),
        ...bySection('field', ({ field }) => text(field)),
        outcomes: z.catch(draftOutcomesSchema, form.outcomes),
        fabrication: z.catch(draftFabricationSchema, form.fabrication),
        basedOn: z.catch(solutionSchema.shape.basedOn, form.basedOn),
        changeNote: text('changeNote'),
        removesDetails: z.catch(z.boolean(), form.removesDetails),
        audience: z.catch(solutionSchema.shape.audience, form.audience),
        licence: z.catch(solutionSchema.shape.licence, form.licence),
        consent: text('consent'),
      } satisfies Record<keyof SolutionForm, z.ZodMiniType>),
      form,
    ),
    uploads: z.catch(z.object({ items: z.array(uploadSchema), thumbnailId: z.nullable(z.string()) }), {
      ...uploads,
      items: [...uploads.items],
    }),
    order: z.catch(z.array(z.string()), []),
    savedAt: z.catch(z.number(), 0),
    synced: z.catch(z.boolean(), false),
    revision: z.catch(z.nullable(z.string()), null),
    origin: z.catch(z.uuid(), ''),
  });
};

function parse(kept: unknown, base: Draft): Stored | null {
  const { data: stored } = draftSchema(base).safeParse(kept);
  if (!stored) return null;
  const items = stored.uploads.items.filter((upload) => !isExpired(upload));
  return { ...stored, uploads: { ...stored.uploads, items } };
}

/** Drafts for which this device has no room: they last as long as the page. */
const unkept = new Map<string, Stored>();

/** Whether a draft would still be on this device if the page were closed now. */
export const isOnDevice = (target: DraftTarget): boolean => !unkept.has(draftKey(target));

const readLocalDraft = (target: DraftTarget, base: Draft) => {
  const key = draftKey(target);
  return unkept.get(key) ?? keptOnDevice(key, (kept) => parse(kept, base));
};

function writeLocalDraft(target: DraftTarget, draft: Stored | null): void {
  const key = draftKey(target);
  const isKept = keepOnDevice(key, draft && JSON.stringify(draft));
  if (draft && !isKept) unkept.set(key, draft);
  else unkept.delete(key);
}

/** What finds a draft among those of its owner. */
const ofSolution = ({ solutionId }: DraftTarget) =>
  ['solution_id', solutionId ? 'eq' : 'is', solutionId] as const;

/** The draft that the server has; null for none. */
async function readRemoteDraft(db: Client, target: DraftTarget, base: Draft): Promise<Stored | null> {
  const row = dataOf(
    await db
      .from('solution_drafts')
      .select('content,updated_at')
      .eq('user_id', target.userId)
      .filter(...ofSolution(target))
      .maybeSingle(),
  );
  const remote = row && parse(row.content, base);
  return remote && { ...remote, synced: true, revision: row.updated_at };
}

export interface LoadedDraft {
  /** Null where there is none, and no file either. */
  draft: Draft | null;
  files: KeptFiles;
  /** The number of its files that are neither on the server nor on this device any more. */
  missing: number;
  /** Whether the files that this device keeps could not be read. */
  isUnreadable: boolean;
  /** When it was last changed; null where there is none. */
  savedAt: number | null;
  /** Whether the server may have a draft of another device, as it could not be asked and this device has none. */
  isUnchecked: boolean;
  /** When the server stored another device's changes, which this draft does not have; null where there are none. */
  otherAt: string | null;
}

/**
 * The draft with the files that only this device has, in the order their author gave them.
 *
 * @param base the form without a draft
 */
export async function loadDraftWithFiles(db: Client, target: DraftTarget, base: Draft): Promise<LoadedDraft> {
  const { draft, ...known } = await loadDraft(db, target, base);
  const owner = draftKey({ ...target, solutionId: null });
  let isUnreadable = false;
  const kept = await readKeptUploads(draftKey(target), owner, isSubmitted).catch((error: unknown) => {
    console.warn('kept files:', error);
    isUnreadable = true;
    return [];
  });
  const { uploads } = draft ?? base;
  const added = kept.filter(({ upload }) => !uploads.items.some(({ id }) => id === upload.id));
  const order = draft?.order ?? [];
  const place = ({ id }: Upload) => (order.includes(id) ? order.indexOf(id) : order.length);
  const items = [...uploads.items, ...added.map(({ upload }) => upload)].sort((a, b) => place(a) - place(b));
  const isThere = (id: string) => items.some((upload) => upload.id === id);
  return {
    draft: added.length > 0 ? { ...(draft ?? base), uploads: { ...uploads, items } } : draft,
    files: new Map(added.flatMap(({ upload, file }) => (file ? [[upload.id, file]] : []))),
    missing: order.filter((id) => !isThere(id)).length,
    isUnreadable,
    savedAt: draft?.savedAt ?? null,
    ...known,
  };
}

type FoundDraft = Pick<LoadedDraft, 'isUnchecked' | 'otherAt'> & { draft: Stored | null };

/**
 * The server's draft, unless this device has changes that the server has not: those, and whether the server's has
 * changes of another device beside them. This device's alone while the server cannot be reached.
 *
 * @param base the form without a draft
 */
async function loadDraft(db: Client, target: DraftTarget, base: Draft): Promise<FoundDraft> {
  const local = readLocalDraft(target, base);
  const known = (found: Stored | null, otherAt: string | null = null): FoundDraft => ({
    // One that was emptied has only not been discarded yet.
    draft: found && holdsChanges(found, base) ? found : null,
    isUnchecked: false,
    otherAt,
  });
  // The library tries again for a while before it reports a lost connection.
  if (local && !navigator.onLine) return known(local);
  let remote: Stored | null;
  try {
    remote = await readRemoteDraft(db, target, base);
  } catch (error) {
    console.warn('draft:', error);
    return { ...known(local), isUnchecked: local === null };
  }
  if (!local || local.synced) {
    if (!remote) writeLocalDraft(target, null);
    else if (remote.revision !== local?.revision) return known(takeOver(target, remote));
    return known(remote && local);
  }
  return known(local, remote && isOthers(remote, local) ? remote.revision : null);
}

/** Whether the server's draft has changes that this device's was not made from. */
const isOthers = (remote: Stored, local: Stored): boolean =>
  remote.revision !== local.revision && remote.origin !== local.origin && !isSameDraft(remote, local);

/** Goes on with the server's draft on this device. */
function takeOver(target: DraftTarget, remote: Stored): Stored {
  const own = { ...remote, origin: crypto.randomUUID() };
  writeLocalDraft(target, own);
  return own;
}

/** The part of a draft whose change matters to its author. */
const contentOf = ({ form, uploads: { items, thumbnailId }, order }: Draft & { order?: string[] }) =>
  JSON.stringify([
    form,
    items.map(({ id, description, licence }) => [id, description, licence]),
    thumbnailId,
    order ?? items.map(({ id }) => id),
  ]);

/** Whether a draft has anything that the form without it has not. */
export const holdsChanges = (draft: Draft, base: Draft) => contentOf(draft) !== contentOf(base);

const isSameDraft = (one: Draft, other: Draft) => one.id === other.id && contentOf(one) === contentOf(other);

/**
 * Keeps the draft on this device, as it is when nothing has changed; for as long as the page is open where there is no
 * room. Null for one that holds nothing beyond `base` and never did.
 */
export function saveDraft(target: DraftTarget, draft: Draft, base: Draft): Stored | null {
  const items = draft.uploads.items.flatMap((upload): Upload[] =>
    upload.state === 'ready' ? [{ ...upload, preview: null }] : [],
  );
  const { thumbnailId } = draft.uploads;
  const order = draft.uploads.items.flatMap(({ id, state }) => (state === 'refused' ? [] : [id]));
  const current = readLocalDraft(target, base);
  const stored = {
    ...draft,
    uploads: { items, thumbnailId },
    order,
    savedAt: Date.now(),
    synced: false,
    revision: current?.revision ?? null,
    origin: current?.origin ?? crypto.randomUUID(),
  };
  if (!current && !holdsChanges(stored, base)) return null;
  if (current && isSameDraft(current, stored)) return current;
  writeLocalDraft(target, stored);
  return stored;
}

/** The server has changes of another device, which would be lost. */
export class ChangedElsewhere extends Error {
  /** When they were stored. */
  readonly otherAt: string | null;

  constructor({ revision }: Stored) {
    super('The draft was changed on another device.');
    this.otherAt = revision;
  }
}

/**
 * Copies this device's draft to the server, for the member's other devices. A copy the server has had is not
 * sent again: it may have been sent or discarded elsewhere since.
 *
 * @throws ChangedElsewhere instead of replacing what another device has written
 */
export async function syncDraft(db: Client, target: DraftTarget, stored: Stored, base: Draft): Promise<void> {
  const before = readLocalDraft(target, stored) ?? stored;
  if (before.synced && isSameDraft(before, stored)) return;
  if (!holdsChanges(stored, base)) return deleteDraft(db, target, before);
  const revision = await storeDraft(db, target, { ...stored, revision: before.revision });
  const after = readLocalDraft(target, stored);
  if (after) writeLocalDraft(target, { ...after, revision, synced: isSameDraft(after, stored) });
}

/** @returns the new revision */
async function storeDraft(db: Client, target: DraftTarget, draft: Stored): Promise<string> {
  const content = JSON.parse(JSON.stringify(draft));
  const row = { user_id: target.userId, solution_id: target.solutionId, content };
  if (draft.revision) {
    const changed = dataOf(
      await db
        .from('solution_drafts')
        .update({ content })
        .eq('user_id', target.userId)
        .filter(...ofSolution(target))
        .eq('updated_at', draft.revision)
        .select('updated_at')
        .maybeSingle(),
    );
    if (changed) return changed.updated_at;
  }
  const { data, error } = await db.from('solution_drafts').insert(row).select('updated_at').single();
  if (data) return data.updated_at;
  if (error.code !== '23505') throw error;
  const remote = await readRemoteDraft(db, target, draft);
  // The answer to an earlier attempt was lost, or the draft was discarded a moment ago.
  if (remote?.origin === draft.origin) return storeDraft(db, target, { ...draft, revision: remote.revision });
  if (remote) throw new ChangedElsewhere(remote);
  throw error;
}

/** Goes on with one of two drafts where another device has written as well; the other one is replaced. */
export async function settleDraft(
  db: Client,
  target: DraftTarget,
  base: Draft,
  keep: 'this' | 'other',
): Promise<void> {
  const remote = await readRemoteDraft(db, target, base);
  const local = readLocalDraft(target, base);
  if (remote && keep === 'other') takeOver(target, remote);
  else if (remote && local) writeLocalDraft(target, { ...local, revision: remote.revision });
}

/** Deletes this device's draft here and on the server, where another device's stays. */
async function deleteDraft(db: Client, target: DraftTarget, { revision, origin }: Stored): Promise<void> {
  writeLocalDraft(target, null);
  unwrap(
    await db
      .from('solution_drafts')
      .delete()
      .eq('user_id', target.userId)
      .filter(...ofSolution(target))
      // The answer to the last storing may have been lost.
      .or(`content->>origin.eq.${origin}${revision ? `,updated_at.eq."${revision}"` : ''}`)
      .select('user_id'),
  );
}

/** Ends the draft that was sent or discarded, here and on the server. */
export async function clearDraft(db: Client, target: DraftTarget, base: Draft): Promise<void> {
  cachedBlankDraft = undefined;
  const local = readLocalDraft(target, base);
  if (local) await deleteDraft(db, target, local);
}
