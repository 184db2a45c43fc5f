import type { SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '../../../app/database.types.ts';
import { authorColumns } from '../../../app/frame/members/names.ts';
import type { Cited } from '../../../app/solution/citing/citation.ts';
import { readFabrication, readPartNotices } from '../../../app/solution/fabrication/fabrication.ts';
import { readLineage } from '../../../app/solution/lineage/data.ts';
import { outcomeColumns } from '../../../app/solution/outcomes/outcome.ts';
import { sectionColumns } from '../../../app/solution/solutions/value-lists.ts';
import { contentSchema } from '../../../app/solution/versions/content-schema.ts';

/**
 * A published solution with all that can be taken along of it, as the caller sees it: without what is withheld. Null when the caller
 * sees no published solution with this id.
 */
export async function readSolution(db: SupabaseClient<Database>, id: string) {
  const { data, error } = await db
    .from('solutions')
    .select(
      `id,user_id,language,title,description,occupation,amputation_level,age_group,prosthesis_type,cost_range,materials,custom_tags${sectionColumns},licence,audience,version,approved_at,safety_kind,facets,author:profiles!solutions_user_id_fkey(${authorColumns}),notices:safety_notices(id,kind,content,language,created_at),media:solution_media(id,media_url,media_type,description),versions:solution_versions(version,published_at,change_note,removed_at),translations:solution_translations(language,version,texts,user_id,writer:profiles!solution_translations_user_id_fkey(${authorColumns})),outcomes:solution_outcomes(${outcomeColumns},amputation_level),files:solution_files(id,file_url,file_name,file_type,byte_size,licence,description)`,
    )
    .eq('id', id)
    .eq('status', 'approved')
    .eq('translations.status', 'approved')
    .is('notices.ended_at', null)
    .is('media.trial_id', null)
    .is('media.hidden_at', null)
    .is('files.hidden_at', null)
    .is('outcomes.trial_id', null)
    .order('position', { referencedTable: 'solution_media' })
    .order('position', { referencedTable: 'solution_outcomes' })
    .order('position', { referencedTable: 'solution_files' })
    .order('language', { referencedTable: 'solution_translations' })
    .maybeSingle();
  if (error) throw new Error(error.message, { cause: error });
  if (!data) return null;
  const [lineage, fabrication, partNotices, translatedVersions] = await Promise.all([
    readLineage(db, id),
    readFabrication(db, id),
    readPartNotices(db, id),
    readVersions(
      db,
      id,
      data.translations.flatMap(({ version }) => (version === data.version ? [] : [version])),
    ),
  ]);
  return { ...data, ...lineage, fabrication, partNotices, translatedVersions };
}

/** What earlier versions say that are read in another language; none of one whose text was removed. */
async function readVersions(db: SupabaseClient<Database>, id: string, versions: number[]) {
  if (versions.length === 0) return [];
  const { data, error } = await db
    .from('solution_versions')
    .select('version,content')
    .eq('solution_id', id)
    .in('version', versions);
  if (error) throw new Error(error.message, { cause: error });
  return data.flatMap(({ version, content }) =>
    content === null ? [] : [{ version, content: contentSchema.parse(content) }],
  );
}

type Whole = NonNullable<Awaited<ReturnType<typeof readSolution>>>;

/** It, and in a translation what that says of each safety notice. */
export type TakenSolution = Omit<Whole, 'notices'> & {
  notices: (Whole['notices'][number] & { translated?: string })[];
};

/**
 * The outcomes that Evidence shows beside their case, as docs/evidence.md says. A file of many solutions has no others, or it would
 * single out patients whom their authors told of on one page alone.
 */
export const shownOutcomes = <Outcome extends { amputation_level: string | null }>(outcomes: Outcome[]) =>
  outcomes.filter(({ amputation_level: level }) => level !== null);

/** What of a solution goes along: texts, images and videos that others may copy, and all build files, since each has a licence. */
export interface Taken {
  media: { id: string; name: string; path: string; isImage: boolean; description: string | null }[];
  files: { id: string; name: string; path: string; licence: string; description: string | null }[];
  cited: Cited;
  /** Whether the licence lets others copy texts, images and videos. */
  hasTexts: boolean;
  /** In a translation of an earlier version, at which version the original is. */
  originalVersion?: number;
}
