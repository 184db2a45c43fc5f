import { createClient, type SupabaseClient } from '@supabase/supabase-js';

/** What a site holds for its people, as they see it: the same before and after an upgrade. */
export async function stateOf(url: string, anonKey: string, member: SupabaseClient) {
  const read = async (client: SupabaseClient, table: string, columns: string) =>
    (await client.from(table).select(columns).throwOnError()).data as unknown as Record<string, unknown>[];
  const moderator = createClient(url, anonKey, { auth: { persistSession: false } });
  await moderator.auth.signInWithPassword({
    email: 'moderator@example.org',
    password: 'limb-commons-demo',
  });
  const { data: conversations } = await member.rpc('conversations').throwOnError();
  const queue = await read(moderator, 'review_queue', 'kind');
  const page = await (await fetch(`${url}/browse?q=violin`)).text();
  const image = /\/storage\/v1\/object\/public\/[^"' ]+\.webp/.exec(page)?.[0] ?? '';
  return {
    siteName: /property="og:site_name" content="([^"]+)"/.exec(page)?.[1],
    found: page.includes('Violin bow adapter with a free wrist joint'),
    image: (await fetch(`${url}${image}`)).status,
    drafts: (await read(member, 'solution_drafts', 'content')).map(({ content }) => content),
    topicsFollowed: (await read(member, 'follows', 'topic_id')).filter(({ topic_id }) => topic_id).length,
    conversations: conversations.items.length,
    queue: [...new Set(queue.map(({ kind }) => kind))].sort().join(', '),
  };
}
