import { ogImageResponse } from '#app/frame/layout/og-image.tsx';
import { authorName, professionOf } from '#app/frame/members/names.ts';
import { levelSigns } from '#app/solution/solutions/amputation-level-signs.ts';
import { markOf } from '#app/solution/warnings/safety-notice-kinds.ts';
import { serverClient } from '#app/supabase.ts';
import type { Route } from './+types/og-image.ts';
import { readTitleCard } from './data.ts';

/** The title card of a public solution, for links to it on other sites: never one of its pictures. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const solution = await readTitleCard(await serverClient(context)(), params.id);
  if (!solution) throw new Response(null, { status: 404 });
  const { title, amputation_level: level, safety_kind: kind, user_id: authorId, author } = solution;
  const name = authorName(authorId, author, 'Anonymous');
  const { there = '', missing = '' } = levelSigns[level] ?? {};
  return ogImageResponse(context, {
    title,
    warning: markOf(kind)?.choice,
    heading: level,
    note: authorId ? `${name}, ${professionOf(author)}` : name,
    sign: {
      name: level,
      drawing: (
        <svg
          aria-hidden="true"
          viewBox="0 0 24 24"
          width={240}
          height={240}
          fill="none"
          stroke="currentColor"
          strokeWidth="3.4"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          <path d={there} />
          <path d={missing} opacity=".3" />
        </svg>
      ),
    },
  });
}
