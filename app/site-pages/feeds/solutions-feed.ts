import { readAnswer, unwrap } from '#app/errors.ts';
import { authorColumns, authorName } from '#app/frame/members/names.ts';
import { readSiteSettings } from '#app/frame/page/site-settings.ts';
import { browseUrl, feedUrl, readFilters } from '#app/solution/solutions/filters.ts';
import { facetLabel } from '#app/solution/solutions/value-lists.ts';
import { warnedTitle } from '#app/solution/warnings/safety-notice-kinds.ts';
import { serverClient } from '#app/supabase.ts';
import type { Route } from './+types/solutions-feed.ts';
import { atomFeed, MAX_ENTRIES } from './atom.ts';

/** The newest solutions, or those of a search of browse with the same parameters, as a feed. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { origin, searchParams } = new URL(request.url);
  const { search, values, match } = readFilters(searchParams);
  const db = await serverClient(context)();
  const found = await readAnswer(
    db.rpc('browse_solutions', { search, filters: values, match, sort: 'newest', page_size: MAX_ENTRIES }),
    (z) => z.object({ items: z.array(z.object({ id: z.string() })) }),
  );
  const rows = found.items.length
    ? unwrap(
        await db
          .from('solutions')
          .select(
            `id,user_id,language,title,description,amputation_level,occupation,custom_tags,safety_kind,created_at,updated_at,author:profiles!solutions_user_id_fkey(${authorColumns})`,
          )
          .in(
            'id',
            found.items.map(({ id }) => id),
          )
          .eq('status', 'approved')
          .eq('audience', 'public'),
      )
    : [];
  const subject = [search && `“${search}”`, ...values.map(facetLabel)].filter(Boolean).join(', ');
  const { site_name: siteName } = await readSiteSettings(context);
  return atomFeed({
    origin,
    siteName,
    title: subject ? `${subject}: solutions on ${siteName}` : `New solutions on ${siteName}`,
    self: feedUrl({ search, values, match }),
    page: browseUrl({ search, values, match }),
    entries: rows.map((row) => ({
      id: row.id,
      title: warnedTitle(row.safety_kind, row.title),
      language: row.language,
      path: `/solutions/${row.id}`,
      author: authorName(row.user_id, row.author),
      published: row.created_at,
      updated: row.updated_at,
      text: row.description,
      categories: [row.amputation_level, row.occupation, ...row.custom_tags],
    })),
  });
}
