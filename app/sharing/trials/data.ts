import { queryOptions } from '@tanstack/react-query';
import { dataOf, readAnswer, unwrap } from '#app/errors.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import { outcomeColumns } from '#app/solution/outcomes/outcome.ts';
import { mediaColumns } from '#app/solution/solutions/data.ts';
import { RENEW_SIGNED_MS, withSignedUrls } from '#app/solution/solutions/private-files.ts';
import type { Client, ClientSource, QueryData } from '#app/supabase.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';

/** The most reports that a page shows. */
const MAX_SHOWN = 200;

const columns =
  `id,solution_id,version,user_id,language,audience,result,changes,experience,amputation_level,age_group,prosthesis_type,status,rejection_reason,author_answer,answered_at,created_at,updated_at,approved_at,writer:profiles!solution_trials_user_id_fkey(${authorColumns}),media:solution_media(${mediaColumns}),outcomes:solution_outcomes(${outcomeColumns})` as const;

/** A query for reports, with their media and outcomes in order, which the caller narrows down. */
export const trialsOf = (db: Client) =>
  db
    .from('solution_trials')
    .select(columns)
    .order('position', { referencedTable: 'solution_media' })
    .order('position', { referencedTable: 'solution_outcomes' });

/** Makes the media of reports readable by signed addresses, and leaves withheld media out. */
export async function toShow(db: Client, rows: Awaited<ReturnType<typeof readRows>>) {
  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      // Moderators can read withheld media, but a report is as readers see it.
      media: await withSignedUrls(
        db,
        row.media.filter(({ hidden_at }) => !hidden_at),
      ),
    })),
  );
}

/**
 * Runs a query that began with `trialsOf`.
 *
 * @throws when it fails
 */
export const readRows = async (query: ReturnType<typeof trialsOf>) => unwrap(await query);

/** The approved reports of a solution, the newest first. */
export const trialsQuery = (client: ClientSource, solutionId: string) =>
  queryOptions({
    queryKey: ['solutions', 'trials', solutionId],
    queryFn: async () => {
      if (!isUuid(solutionId)) return [];
      const db = await client();
      const approved = trialsOf(db).eq('solution_id', solutionId).eq('status', 'approved');
      return toShow(db, await readRows(approved.order('approved_at', { ascending: false }).limit(MAX_SHOWN)));
    },
  });

export type Trial = QueryData<typeof trialsQuery>[number];

/** A member's own reports of a solution, whatever their state, that of the latest version first. */
export const ownTrialsQuery = (client: ClientSource, solutionId: string, userId: string) =>
  queryOptions({
    queryKey: ['solutions', 'own-trials', solutionId, userId],
    queryFn: async () => {
      if (!isUuid(solutionId)) return [];
      const db = await client();
      const own = trialsOf(db).eq('solution_id', solutionId).eq('user_id', userId);
      const trials = await toShow(db, await readRows(own.order('version', { ascending: false })));
      return Promise.all(
        trials.map(async (trial) => ({ ...trial, consent: await readConsent(db, trial.id) })),
      );
    },
    refetchInterval: RENEW_SIGNED_MS,
  });

export type OwnTrial = QueryData<typeof ownTrialsQuery>[number];

/** A member's reports, as far as the caller may read them, or the approved ones alone, for a list; the newest first. */
export async function readTrialLines(db: Client, userId: string, onlyApproved = false) {
  const lines = db
    .from('solution_trials')
    .select('id,solution_id,version,result,status,created_at,solution:solutions(title,language,safety_kind)')
    .eq('user_id', userId)
    .order('created_at', { ascending: false })
    .limit(60);
  return unwrap(await (onlyApproved ? lines.eq('status', 'approved') : lines));
}

export type TrialLine = Awaited<ReturnType<typeof readTrialLines>>[number];

/** The same for the page of the member themself. */
export const trialLinesQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['solutions', 'trial-lines', userId],
    queryFn: async () => readTrialLines(await client(), userId),
  });

/** For its writer and moderators; null without images. */
export const readConsent = (db: Client, trial: string) =>
  readAnswer(db.rpc('trial_consent', { trial }), (z) =>
    z.nullable(z.object({ basis: z.string(), statement_version: z.string(), recorded_at: z.string() })),
  );

/** Writes, changes or, with a blank text, takes away the answer of the solution's author. */
export async function answerTrial(db: Client, id: string, answer: string): Promise<void> {
  dataOf(
    await db
      .from('solution_trials')
      .update({ author_answer: answer.trim() || null })
      .eq('id', id)
      .select('id')
      .single(),
  );
}

/**
 * Deletes a report for its writer or a moderator.
 *
 * @throws when there is none that the caller may delete
 */
export async function deleteTrial(db: Client, id: string): Promise<void> {
  unwrap(await db.from('solution_trials').delete().eq('id', id).select('id').single());
}
