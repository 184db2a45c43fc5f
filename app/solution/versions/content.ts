import { queryOptions } from '@tanstack/react-query';
import { dataOf, unwrap } from '#app/errors.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';
import { type Content, contentSchema } from './content-schema.ts';

/** What a solution says at present. */
export const contentOf = (solution: Solution): Content => ({
  ...solution,
  media: solution.media.map(({ id, copy_of, description }) => ({ id: copy_of ?? id, description })),
  outcomes: solution.outcomes.map((outcome) => ({ ...outcome, measure: outcome.measure.abbreviation })),
  fabrication: solution.fabrication && {
    ...solution.fabrication,
    steps: solution.fabrication.steps.map(({ instruction, media_id }) => {
      const shown = solution.media.find(({ id }) => id === media_id);
      return { instruction, media_id: shown?.copy_of ?? shown?.id ?? null };
    }),
  },
  files: solution.files.map(({ id, copy_of, file_name: name, licence, description }) => ({
    id: copy_of ?? id,
    name,
    licence,
    description,
  })),
  based_on: solution.sources.map(({ source_mark }) => source_mark),
});

/** The picture of a version's image or video by the id that the version knows it by; undefined once it was removed. */
export const shownMedia = (media: Solution['media'], id: string) =>
  media.find((one) => (one.copy_of ?? one.id) === id);

/** One version of a public solution: null where there is none; without content where its text was removed. */
export const versionQuery = (client: ClientSource, solutionId: string, version: number) =>
  queryOptions({
    queryKey: ['solutions', 'version', solutionId, version],
    queryFn: async () => {
      if (!isUuid(solutionId) || !Number.isInteger(version) || version < 1 || version > 100_000) return null;
      return readVersion(await client(), solutionId, version);
    },
  });

/** The same, as the caller sees it. */
export async function readVersion(db: Client, solutionId: string, version: number) {
  const data = dataOf(
    await db
      .from('solution_versions')
      .select('version,content,change_note,published_at,removed_at')
      .eq('solution_id', solutionId)
      .eq('version', version)
      .maybeSingle(),
  );
  return data && { ...data, content: data.content === null ? null : contentSchema.parse(data.content) };
}

/** What the published version of a solution says. */
export const latestVersionQuery = (client: ClientSource, solutionId: string) =>
  queryOptions({
    queryKey: ['solutions', 'latest-version', solutionId],
    queryFn: async () => {
      const db = await client();
      const latest = db.from('solution_versions').select('content').eq('solution_id', solutionId);
      const data = dataOf(await latest.order('version', { ascending: false }).limit(1).maybeSingle());
      return data?.content ?? null;
    },
  });

/** The marks of one list that another lacks. */
export const marksMissing = (marks: readonly string[], from: readonly string[]): string[] =>
  marks.filter((mark) => !from.includes(mark));

/** The published solutions that the reader sees, of the marks by which versions name what they are based on. */
export const markedSolutionsQuery = (client: ClientSource, marks: readonly string[]) =>
  queryOptions({
    queryKey: ['solutions', 'marked', ...marks.toSorted()],
    queryFn: async () => {
      const db = await client();
      return unwrap(await db.rpc('marked_solutions', { marks: [...marks] }));
    },
  });

/** Takes away the text of an earlier version, for its author and the moderators. */
export async function removeVersion(db: Client, solutionId: string, version: number): Promise<void> {
  unwrap(
    await db
      .from('solution_versions')
      .update({ content: null })
      .eq('solution_id', solutionId)
      .eq('version', version)
      .select('version')
      .single(),
  );
}
