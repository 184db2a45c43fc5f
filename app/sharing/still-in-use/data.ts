import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, dataOf, readAnswer, type Schemas, unwrap } from '#app/errors.ts';
import type { Client, ClientSource, QueryData } from '#app/supabase.ts';
import { submitOnce, wasSubmitted } from '#app/ui/controls/submit-once.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';
import { sumsSchema } from './sums.ts';

/** The sums of the answers about a solution and its trials, or about all with null. */
export const sumsQuery = (client: ClientSource, solutionId: string | null) =>
  queryOptions({
    queryKey: ['solutions', 'use-sums', solutionId],
    queryFn: async () => {
      const db = await client();
      const asked = db.rpc('use_sums', solutionId === null ? {} : { solution: solutionId });
      return readAnswer(asked, sumsSchema);
    },
  });

const columns =
  'id,months,answer,reason,created_at,solution_id,trial_id,solution:solutions(title,safety_kind)' as const;

/** The questions about a member's own trials and solutions, the latest first. */
export const ownQuestionsQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['solutions', 'use-questions', userId],
    queryFn: async () => {
      const db = await client();
      const rows = db.from('use_questions').select(columns).eq('user_id', userId);
      return unwrap(await rows.order('created_at', { ascending: false }).limit(60));
    },
  });

export type OwnQuestion = QueryData<typeof ownQuestionsQuery>[number];

/** One of them; null where there is none that the member may answer. */
export const ownQuestionQuery = (client: ClientSource, id: string, userId: string) =>
  queryOptions({
    queryKey: ['solutions', 'use-question', id, userId],
    queryFn: async () => {
      if (!isUuid(id)) return null;
      const db = await client();
      return dataOf(
        await db.from('use_questions').select(columns).eq('id', id).eq('user_id', userId).maybeSingle(),
      );
    },
  });

const linkedQuestion = (z: Schemas) =>
  z.nullable(
    z.object({
      id: z.string(),
      months: z.number(),
      /** Open, answered or closed. */
      state: z.string(),
      title: z.nullable(z.string()),
      safety_kind: z.nullable(z.string()),
    }),
  );

/** What the link of an email asks; the title only while it can be answered there. */
export type LinkedQuestion = NonNullable<AnswerOf<typeof linkedQuestion>>;

/** Reads it without a session; null where the link is not one of ours. */
export const readLinkedQuestion = (db: Client, token: string) =>
  readAnswer(db.rpc('use_question', { token }), linkedQuestion);

/**
 * Answers a question, signed in or by the token of a link.
 *
 * @throws with a sentence for the reader
 */
export async function answerQuestion(
  db: Client,
  question: string,
  given: FormData,
  token?: string,
): Promise<void> {
  const text = (name: string) => String(given.get(name) ?? '');
  dataOf(
    await db.rpc('answer_use_question', {
      question,
      answer: text('answer'),
      ...(text('reason') && { reason: text('reason') }),
      ...(token !== undefined && { token }),
    }),
  );
}

/** Sends the words that go with an answer to review: published, they are a comment on the solution. */
export async function sendComment(
  db: Client,
  comment: { solution_id: string; content: string; language: string },
): Promise<void> {
  await submitOnce(comment, async (submission_id) => {
    const { error } = await db.from('held_posts').insert({ ...comment, submission_id });
    if (error && !wasSubmitted(error)) throw error;
  });
}
