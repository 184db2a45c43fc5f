import { queryOptions } from '@tanstack/react-query';
import { readAnswer } from '#app/errors.ts';
import { newsSchema } from '#app/people/follows/data.ts';
import type { FollowedNews } from '#app/people/follows/news.ts';
import { withOpenPictures } from '#app/solution/solutions/private-files.ts';
import type { ClientSource } from '#app/supabase.ts';

/** The result of `site_counts`. */
interface SiteCounts {
  members: number;
  solutions: number;
  success_stories: number;
}

/** The numbers on the home page, which are the same for every reader. */
export const siteCountsQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['site-counts'],
    queryFn: async () => {
      const db = await client();
      return readAnswer<SiteCounts>(db.rpc('site_counts'), (z) =>
        z.object({ members: z.number(), solutions: z.number(), success_stories: z.number() }),
      );
    },
  });

/** What asks something of a member. */
export interface Waiting {
  kind: 'question' | 'solution' | 'trial' | 'translation' | 'comments';
  /** That of the question, of what was sent back, or of the newest comment. */
  id: string;
  solution_id: string;
  title: string;
  language: string;
  thumbnail_url: string | null;
  /** The reason why it was sent back, or the newest comment. */
  text: string | null;
  /** That of the comment, or the language into which it was translated. */
  text_language: string | null;
  /** The months after which is asked, or how many comments there are. */
  number: number | null;
  at: string;
}

/** A safety notice in force on what a member has to do with. */
export interface Warning {
  id: string;
  solution_id: string;
  title: string;
  title_language: string;
  kind: string;
  content: string;
  language: string | null;
  /** Maker and number of the part that it is on; null for one on the whole solution. */
  part: string | null;
  why: ('shared' | 'tried' | 'saved' | 'follow')[];
}

/** The result of `member_home`. */
interface MemberHome {
  waiting: Waiting[];
  warnings: Warning[];
  news: FollowedNews[];
  /** Those of the solutions in the newest news. */
  pictures: { id: string; thumbnail_url: string | null }[];
}

/** What waits for a member, warns them, and is new in what they follow. */
export const memberHomeQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['solutions', 'member-home', memberId],
    queryFn: async () => {
      const db = await client();
      const home = await readAnswer<MemberHome>(db.rpc('member_home'), (z) =>
        z.object({
          waiting: z.array(
            z.object({
              kind: z.oneOf(['question', 'solution', 'trial', 'translation', 'comments']),
              id: z.string(),
              solution_id: z.string(),
              title: z.string(),
              language: z.string(),
              thumbnail_url: z.nullable(z.string()),
              text: z.nullable(z.string()),
              text_language: z.nullable(z.string()),
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
              part: z.nullable(z.string()),
              why: z.array(z.oneOf(['shared', 'tried', 'saved', 'follow'])),
            }),
          ),
          news: newsSchema(z),
          pictures: z.array(z.object({ id: z.string(), thumbnail_url: z.nullable(z.string()) })),
        }),
      );
      const [waiting, pictures] = await Promise.all([
        withOpenPictures(db, home.waiting),
        withOpenPictures(db, home.pictures),
      ]);
      return { ...home, waiting, pictures: new Map(pictures.map((one) => [one.id, one.thumbnail_url])) };
    },
    refetchOnWindowFocus: 'always',
  });
