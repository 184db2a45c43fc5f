import { categoryLabel, forumFeedUrl, forumUrl, readChoice } from '#app/community/forum/categories.ts';
import { stripMarkdown } from '#app/community/forum/strip-markdown.ts';
import { unwrap } from '#app/errors.ts';
import { authorColumns, authorName } from '#app/frame/members/names.ts';
import { readSiteSettings } from '#app/frame/page/site-settings.ts';
import { serverClient } from '#app/supabase.ts';
import type { Route } from './+types/forum-feed.ts';
import { atomFeed, MAX_ENTRIES } from './atom.ts';

/** The newest topics of the forum, or of one of its categories, as a feed. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { origin, searchParams } = new URL(request.url);
  const { category } = readChoice(searchParams);
  const db = await serverClient(context)();
  const newest = db
    .from('forum_topics')
    .select(
      `id,user_id,language,title,description,category,created_at,edited_at,author:profiles!forum_topics_user_id_fkey(${authorColumns})`,
    )
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(MAX_ENTRIES);
  const rows = unwrap(await (category ? newest.eq('category', category) : newest));
  const { site_name: siteName } = await readSiteSettings(context);
  return atomFeed({
    origin,
    siteName,
    title: `${category ? `${categoryLabel(category)}: topics` : 'New topics'} in the forum of ${siteName}`,
    self: forumFeedUrl({ category }),
    page: forumUrl({ category }),
    entries: rows.map((row) => ({
      id: row.id,
      title: row.title,
      language: row.language,
      path: `/forum/${row.id}`,
      author: authorName(row.user_id, row.author),
      published: row.created_at,
      updated: row.edited_at ?? row.created_at,
      text: stripMarkdown(row.description ?? ''),
      categories: [categoryLabel(row.category)],
    })),
  });
}
