import { unwrap } from '#app/errors.ts';
import { draftFabricationSchema, typedFabrication } from '#app/fabrication/form-schema.ts';
import { readKeptUploads } from '#app/media-upload/kept-uploads.ts';
import { buildFileUploadsOf, uploadsOf } from '#app/media-upload/stored-uploads.ts';
import { isExpired, type Upload, type Uploads } from '#app/media-upload/upload-queue.ts';
import { type DraftTarget, draftKey } from '#app/outbox/draft-key.ts';
import { isSubmitted } from '#app/outbox/submitted.ts';
import { draftOutcomesSchema, typedOutcome } from '#app/outcomes/form-schema.ts';
import type { Solution } from '#app/solutions/data.ts';
import {
  ageGroupSchema,
  emptySolution,
  materialSchema,
  type SolutionForm,
  solutionSchema,
} from '#app/solutions/form-schema.ts';
import { solutionSections } from '#app/solutions/options.ts';
import type { Client } from '#app/supabase.ts';
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
      ...Object.fromEntries(solutionSections.map(({ column, field }) => [field, solution[column] ?? ''])),
      outcomes: solution.outcomes.map(typedOutcome),
      fabrication: typedFabrication(solution.fabrication),
    },
    uploads: {
      thumbnailId: thumbnail?.id ?? null,
      items: [...uploadsOf(solution.media), ...buildFileUploadsOf(solution.files)],
    },
  };
}

/** A file that the server has accepted, as a draft stores it. */
const uploadSchema: z.ZodMiniType<Upload> = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number(),
  kind: z.enum(['image', 'video', 'build-file']),
  state: z.literal('ready'),
  sent: z.number(),
  problem: z.null(),
  result: z.nullable(
    z.object({
      originalUrl: z.string(),
      compressedUrl: z.string(),
      thumbnailUrl: z.string(),
      mediaType: z.enum(['image', 'video']),
    }),
  ),
  buildFile: z.nullable(z.object({ url: z.string(), type: z.string(), leftOut: z.nullable(z.string()) })),
  readyAt: z.nullable(z.number()),
  description: z.string(),
  licence: z.optional(z.string()),
  preview: z.null(),
});

/**
 * The stored draft may be of an earlier version of the site, or damaged: unreadable fields are as in `base`.
 */
const draftSchema = ({ id, form, uploads }: Draft) => {
  const text = (name: keyof SolutionForm) => z.catch(z.string(), String(form[name]));
  return z.object({
    id: z.catch(z.string(), id),
    form: z.catch(
      z.object({
        title: text('title'),
        description: text('description'),
        functionInMind: text('functionInMind'),
        amputationLevel: text('amputationLevel'),
        prosthesisType: text('prosthesisType'),
        costRange: text('costRange'),
        ageGroup: z.catch(z.array(ageGroupSchema), form.ageGroup),
        materials: z.catch(z.array(materialSchema), form.materials),
        customTags: z.catch(z.array(z.string()), form.customTags),
        durabilityTesting: text('durabilityTesting'),
        patientOutcomes: text('patientOutcomes'),
        challengesOvercome: text('challengesOvercome'),
        outcomes: z.catch(draftOutcomesSchema, form.outcomes),
        fabrication: z.catch(draftFabricationSchema, form.fabrication),
        basedOn: z.catch(solutionSchema.shape.basedOn, form.basedOn),
        changeNote: text('changeNote'),
        removesDetails: z.catch(z.boolean(), form.removesDetails),
        audience: z.catch(solutionSchema.shape.audience, form.audience),
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
  });
};

function parse(text: string | null, base: Draft): Stored | null {
  if (!text) return null;
  try {
    const stored = draftSchema(base).parse(JSON.parse(text));
    const items = stored.uploads.items.filter((upload) => !isExpired(upload));
    return { ...stored, uploads: { ...stored.uploads, items } };
  } catch {
    return null;
  }
}

const readLocalDraft = (target: DraftTarget, base: Draft) =>
  parse(localStorage.getItem(draftKey(target)), base);

const writeLocalDraft = (target: DraftTarget, draft: Stored) =>
  localStorage.setItem(draftKey(target), JSON.stringify(draft));

const rowOf = (db: Client, { userId, solutionId }: DraftTarget) => {
  const own = db.from('solution_drafts').select('content').eq('user_id', userId);
  return solutionId ? own.eq('solution_id', solutionId) : own.is('solution_id', null);
};

export interface LoadedDraft {
  /** Null where there is none, and no file either. */
  draft: Draft | null;
  files: KeptFiles;
  /** How many of its files are neither on the server nor on this device any more. */
  missing: number;
  /** When it was last changed; null where there is none. */
  savedAt: number | null;
  /** Whether the server may have a draft of another device, as it could not be asked and this device has none. */
  isUnchecked: boolean;
}

/**
 * The draft with the files that only this device has, in the order their author gave them; as it is where the browser
 * keeps none.
 *
 * @param base the form without a draft
 */
export async function loadDraftWithFiles(db: Client, target: DraftTarget, base: Draft): Promise<LoadedDraft> {
  const { draft, isUnchecked } = await loadDraft(db, target, base);
  const owner = draftKey({ ...target, solutionId: null });
  const kept = await readKeptUploads(draftKey(target), owner, isSubmitted).catch(() => []);
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
    savedAt: draft?.savedAt ?? null,
    isUnchecked,
  };
}

/**
 * The newer of this device's draft and the server's; this device's alone while the server cannot be reached.
 *
 * @param base the form without a draft
 */
async function loadDraft(
  db: Client,
  target: DraftTarget,
  base: Draft,
): Promise<{ draft: Stored | null; isUnchecked: boolean }> {
  const local = readLocalDraft(target, base);
  const known = (draft: Stored | null) => ({ draft, isUnchecked: false });
  // The library tries again for a while before it reports a lost connection.
  if (local && !navigator.onLine) return known(local);
  const { data, error } = await rowOf(db, target).maybeSingle();
  if (error) return { draft: local, isUnchecked: local === null };
  const remote = parse(data && JSON.stringify(data.content), base);
  if (!remote) {
    if (!local?.synced) return known(local);
    localStorage.removeItem(draftKey(target));
    return known(null);
  }
  if (local && local.savedAt >= remote.savedAt) return known(local);
  writeLocalDraft(target, { ...remote, synced: true });
  return known(remote);
}

/** The part of a draft whose change matters to its author. */
const contentOf = ({ form, uploads: { items, thumbnailId }, order }: Draft & { order?: string[] }) =>
  JSON.stringify([
    form,
    items.map(({ id, description, licence }) => [id, description, licence]),
    thumbnailId,
    order ?? items.map(({ id }) => id),
  ]);

const isSameDraft = (one: Draft, other: Draft) => one.id === other.id && contentOf(one) === contentOf(other);

/** Keeps the draft on this device, as it is when nothing has changed; null when it holds nothing beyond `base`. */
export function saveDraft(target: DraftTarget, draft: Draft, base: Draft): Stored | null {
  const items = draft.uploads.items.flatMap((upload): Upload[] =>
    upload.state === 'ready' ? [{ ...upload, preview: null }] : [],
  );
  const { thumbnailId } = draft.uploads;
  const order = draft.uploads.items.flatMap(({ id, state }) => (state === 'refused' ? [] : [id]));
  const stored = { ...draft, uploads: { items, thumbnailId }, order, savedAt: Date.now(), synced: false };
  if (contentOf(stored) === contentOf(base)) {
    localStorage.removeItem(draftKey(target));
    return null;
  }
  const current = readLocalDraft(target, base);
  if (current && isSameDraft(current, stored)) return current;
  writeLocalDraft(target, stored);
  return stored;
}

/**
 * Copies this device's draft to the server, for the member's other devices. A copy the server has had is not
 * sent again: it may have been sent or discarded elsewhere since.
 */
export async function syncDraft(db: Client, target: DraftTarget, stored: Stored): Promise<void> {
  const before = readLocalDraft(target, stored);
  if (before?.synced && isSameDraft(before, stored)) return;
  const content = JSON.parse(JSON.stringify(stored));
  const row = { user_id: target.userId, solution_id: target.solutionId, content };
  const { error } = await db.from('solution_drafts').upsert(row, { onConflict: 'user_id,solution_id' });
  if (error) throw error;
  const after = readLocalDraft(target, stored);
  if (after && isSameDraft(after, stored)) writeLocalDraft(target, { ...after, synced: true });
}

/** Deletes the draft here and on the server. */
export async function clearDraft(db: Client, { userId, solutionId }: DraftTarget): Promise<void> {
  cachedBlankDraft = undefined;
  localStorage.removeItem(draftKey({ userId, solutionId }));
  const own = db.from('solution_drafts').delete().eq('user_id', userId);
  unwrap(
    await (solutionId ? own.eq('solution_id', solutionId) : own.is('solution_id', null)).select('user_id'),
  );
}
