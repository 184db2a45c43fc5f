/** A request that the page about the read API shows. A test sends each as it is shown. */
export interface ApiExample {
  title: string;
  /** A table or function below `/rest/v1/`. */
  path: string;
  /** Columns, filters and order. `{solution}` and `{topic}` stand for an id from another answer. */
  query?: Record<string, string>;
  /** The arguments of a function, which is called with POST; left out for a table, which is read with GET. */
  arguments?: Record<string, unknown>;
}

export const apiExamples: readonly ApiExample[] = [
  {
    title: 'The newest solutions with their authors',
    path: 'solutions',
    query: {
      select:
        'id,title,amputation_level,created_at,author:profiles!solutions_user_id_fkey(full_name,profession,registration_level)',
      status: 'eq.approved',
      order: 'created_at.desc',
      limit: '10',
    },
  },
  {
    title: 'Solutions for one level, with materials and cost',
    path: 'solutions',
    query: {
      select: 'id,title,materials,cost_range',
      amputation_level: 'eq.Transradial (Below Elbow)',
      status: 'eq.approved',
    },
  },
  {
    title: 'The Browse search, with filters and counts',
    path: 'rpc/browse_solutions',
    arguments: { search: 'violin', filters: ['Adults'], match: 'all', sort: 'newest', page_size: 5 },
  },
  {
    title: 'The outcomes that a solution reports',
    path: 'solution_outcomes',
    query: {
      select: 'measure,score_before,score_after,people,follow_up_weeks',
      solution_id: 'eq.{solution}',
      trial_id: 'is.null',
    },
  },
  {
    title: 'The comments on a solution',
    path: 'comments',
    query: {
      select: 'id,content,parent_comment_id,created_at',
      solution_id: 'eq.{solution}',
      order: 'created_at',
    },
  },
  {
    title: 'The topics of the forum that contain a word',
    path: 'rpc/browse_forum',
    arguments: { search: 'liner', category: 'technical', page_size: 5 },
  },
  {
    title: 'The replies to a topic',
    path: 'forum_posts',
    query: { select: 'id,content,created_at', topic_id: 'eq.{topic}', order: 'created_at' },
  },
  {
    title: 'The registers that members can name',
    path: 'registers',
    query: { select: 'code,name,country,search_url' },
  },
];

/** The command that sends an example, for a shell in which KEY is the public key. */
export function curlOf({ path, query, arguments: given }: ApiExample, base: string): string {
  return [
    `curl ${query ? '-G ' : ''}'${base}/rest/v1/${path}'`,
    '-H "apikey: $KEY"',
    ...Object.entries(query ?? {}).map(([name, value]) => `--data-urlencode '${name}=${value}'`),
    ...(given ? ["-H 'content-type: application/json'", `-d '${JSON.stringify(given)}'`] : []),
  ].join(' \\\n  ');
}
