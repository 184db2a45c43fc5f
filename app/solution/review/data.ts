import { queryOptions } from '@tanstack/react-query';
import { dataOf, isUnreachable, unwrap } from '#app/errors.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

/** The version of the consent statements as their authors see them; a new wording needs a new one. */
export const consentVersion = '2026-11-24';

export const consentBases = ['patient_written', 'guardian_written', 'no_identifiable_person'] as const;

/** What a written consent says, for each audience. */
const STATEMENTS: Record<string, Record<string, string>> = {
  patient_written: {
    public: 'The patient has consented in writing to everyone seeing it',
    members: 'The patient has consented in writing to members of this site seeing it',
    checked: 'The patient has consented in writing to checked professionals on this site seeing it',
  },
  guardian_written: {
    public: 'A parent or guardian has consented in writing to everyone seeing it',
    members: 'A parent or guardian has consented in writing to members of this site seeing it',
    checked: 'A parent or guardian has consented in writing to checked professionals on this site seeing it',
  },
};

/** A consent statement for an audience of the solution. */
export const consentText = ({ basis, audience }: { basis: string; audience: string }): string =>
  basis === 'no_identifiable_person'
    ? 'No person is shown or recognisable'
    : (STATEMENTS[basis]?.[audience] ?? basis);

/** The checklist before a solution becomes public, by the keys that are stored with the decision. */
export const reviewChecklist = {
  recognisable_person: 'No one is identifiable in the media, or consent covers it',
  identifiers: 'No patient names, dates of birth or hospital numbers in the text or images',
  consent: 'The consent statement matches the media',
  claims: 'Outcomes are reported, not promised, and match the images',
} as const;
/** What was ticked, by the keys of the list that was asked. */
export type Checklist = Record<string, boolean>;

/**
 * The decisions on a solution, oldest first; only its author and moderators can read them.
 *
 * @param revises the published solution of which this one is a new version: it has the history of both
 */
export const reviewsQuery = (client: ClientSource, solutionId: string, revises?: string | null) =>
  queryOptions({
    queryKey: ['solutions', 'reviews', solutionId],
    queryFn: async () => {
      const db = await client();
      const [reviews, consent, identifiers, published] = await Promise.all([
        db.rpc('review_history', { solution: revises ?? solutionId }),
        db
          .from('solution_consents')
          .select('basis,statement_version,audience,recorded_at')
          .eq('solution_id', solutionId)
          .maybeSingle(),
        db.rpc('identifiers_found', { solution: solutionId }),
        db
          .from('solutions')
          .select('audience')
          .eq('id', revises ?? solutionId)
          .maybeSingle(),
      ]);
      return {
        history: unwrap(reviews),
        consent: dataOf(consent),
        /** Who can see it now, which a new version may change. */
        audience: dataOf(published)?.audience,
        /** Details in the text that could identify the patient. */
        identifiers: identifiers.data ?? [],
      };
    },
  });

export type Decision =
  | { status: 'approved'; removes_details?: boolean }
  | { status: 'rejected'; rejection_reason: string };

/** What waits, in the version that was reviewed. */
interface Waiting {
  id: string;
  updated_at: string;
}

/** What a moderator reads who decides on a row of these tables after another one has. */
const DECIDED = {
  solutions: 'Another moderator has already decided on this solution',
  solution_trials: 'Another moderator has already decided on this trial report',
  solution_translations: 'Another moderator has already decided on this translation',
};

/**
 * Decides on what waits in the version that the moderator saw, and has its files moved accordingly. The files are
 * moved within seconds even if the request for it fails, so its failure is not one of the decision.
 *
 * @param wasMade whether the member made this very decision already, by a try whose answer was lost; else the state tells
 * @throws Error saying so, when another moderator was first or the author has changed it since
 */
export async function decide(
  db: Client,
  table: keyof typeof DECIDED,
  { id, updated_at }: Waiting,
  made: Decision,
  checklist: Checklist,
  wasMade?: () => Promise<boolean>,
): Promise<void> {
  // These tables have the columns of a decision.
  const rows = () => db.from(table as 'solutions');
  const { data, error } = await rows()
    .update({ ...made, checklist })
    .eq('id', id)
    .eq('status', 'pending')
    .eq('updated_at', updated_at)
    .select('id');
  // Without an answer, the decision may have been made.
  if (error && !isUnreachable(error)) throw error;
  if (!data?.length) {
    const now = (await rows().select('status').eq('id', id).maybeSingle()).data?.status;
    if (!(wasMade ? await wasMade() : now === made.status))
      throw (
        error ??
        new Error(
          now === 'pending'
            ? 'This has changed since you opened it. Please review it again.'
            : DECIDED[table],
        )
      );
  }
  await db.functions.invoke('process-media-jobs', { method: 'POST' });
}

/** Decides on a pending solution. */
export const decideSolution = (
  db: Client,
  solution: Waiting & { revises: string | null },
  made: Decision,
  checklist: Checklist,
): Promise<void> =>
  decide(db, 'solutions', solution, made, checklist, () =>
    // A new version has the history of the published solution.
    hasDecided(db, solution.revises ?? solution.id, made),
  );

/** Whether the member made this very decision already, by a try whose answer was lost. */
async function hasDecided(db: Client, id: string, { status }: Decision): Promise<boolean> {
  const [{ data: last }, { data: auth }] = await Promise.all([
    db
      .from('solution_reviews')
      .select('decision,reviewer_id')
      .eq('solution_id', id)
      .order('id', { ascending: false })
      .limit(1)
      .maybeSingle(),
    db.auth.getSession(),
  ]);
  return last?.decision === status && last.reviewer_id === auth.session?.user.id;
}

/** Takes back a new version that is under review; the published one stays. */
export async function discardRevision(db: Client, id: string): Promise<void> {
  unwrap(await db.from('solutions').delete().eq('id', id).select('id').single());
}

/** The usual number of hours until the decision on a solution; null while too few were decided. */
export const typicalReviewTimeQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['solutions', 'usual-review-hours'],
    queryFn: async () => dataOf(await (await client()).rpc('usual_review_hours')) as number | null,
  });
