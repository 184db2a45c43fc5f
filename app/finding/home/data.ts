import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, readAnswer, type Schemas } from '#app/errors.ts';
import { newsSchema } from '#app/people/follows/news.ts';
import { withOpenPictures } from '#app/solution/solutions/private-files.ts';
import type { ClientSource } from '#app/supabase.ts';

/** The numbers on the home page, which are the same for every reader. */
export const siteCountsQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['site-counts'],
    queryFn: async () => {
      const db = await client();
      return readAnswer(db.rpc('site_counts'), (z) =>
        z.object({ members: z.number(), solutions: z.number(), success_stories: z.number() }),
      );
    },
  });

const memberHome = (z: Schemas) =>
  z.object({
    waiting: z.array(
      z.object({
        kind: z.oneOf(['question', 'solution', 'trial', 'translation', 'comments']),
        /** That of the question, of what was sent back, or of the newest comment. */
        id: z.string(),
        solution_id: z.string(),
        title: z.string(),
        language: z.string(),
        thumbnail_url: z.nullable(z.string()),
        /** The reason why it was sent back, or the newest comment. */
        text: z.nullable(z.string()),
        /** That of the comment, or the language into which it was translated. */
        text_language: z.nullable(z.string()),
        /** The months after which is asked, or how many comments there are. */
        number: z.nullable(z.number()),
        at: z.string(),
      }),
    ),
    warnings: z.array(
      z.object({
        id: z.string(),
        solution_id: z.string(),
        title: z.string(),
        title_language: z.string(),
        kind: z.string(),
        content: z.string(),
        language: z.nullable(z.string()),
        /** Maker and number of the part that it is on; null for one on the whole solution. */
        part: z.nullable(z.string()),
        why: z.array(z.oneOf(['shared', 'tried', 'saved', 'follow'])),
      }),
    ),
    news: newsSchema(z),
    /** Those of the solutions in the newest news. */
    pictures: z.array(z.object({ id: z.string(), thumbnail_url: z.nullable(z.string()) })),
  });

/** What asks something of a member. */
export type Waiting = AnswerOf<typeof memberHome>['waiting'][number];
/** A safety notice in force on what a member has to do with. */
export type Warning = AnswerOf<typeof memberHome>['warnings'][number];

/** What waits for a member, warns them, and is new in what they follow. */
export const memberHomeQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['solutions', 'member-home', memberId],
    queryFn: async () => {
      const db = await client();
      const home = await readAnswer(db.rpc('member_home'), memberHome);
      const [waiting, pictures] = await Promise.all([
        withOpenPictures(db, home.waiting),
        withOpenPictures(db, home.pictures),
      ]);
      return { ...home, waiting, pictures: new Map(pictures.map((one) => [one.id, one.thumbnail_url])) };
    },
    refetchOnWindowFocus: 'always',
  });
