import pg from 'pg';

/** The rows that demo content consists of, without the times at which they came. */
export async function demoRows(databaseUrl: string): Promise<Record<string, unknown>> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const { rows } = await database.query(
    `select (select count(*) from public.user_roles) as roles,
       (select count(*) from public.member_registrations) as registrations,
       (select count(*) from public.profiles where username is not null and created_at < now() - interval '300 days') as members,
       (select jsonb_object_agg(title, status order by title) from public.solutions) as solutions,
       (select jsonb_object_agg(title, thumbnail_url is not null order by title) from public.solutions) as pictures,
       (select count(*) from public.solution_media) as media,
       (select count(*) from public.solution_sources) as sources,
       (select count(*) from public.solution_versions) as versions,
       (select count(*) from public.withdrawn_solutions) as withdrawn,
       (select count(*) from public.comments) as comments,
       (select count(*) from public.likes) as likes,
       (select jsonb_agg(status order by status) from public.solution_trials) as trials,
       (select count(*) from public.solution_outcomes) as outcomes,
       (select count(*) from public.collection_items) as collected,
       (select count(*) from public.forum_posts) as posts,
       (select count(*) from public.page_views) as views,
       (select count(*) from public.messages) as messages,
       (select count(*) from public.solutions where created_at < '2000-01-01') as unfinished`,
  );
  await database.end();
  return rows[0];
}
