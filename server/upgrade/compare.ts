import type pg from 'pg';
import { connect, type RowCount } from '../backup/tables.ts';
import type { LiveSite } from './copy.ts';

const PAGES = 20;
const SEARCHES = 10;
const SOLUTION = /\/solutions\/[0-9a-f-]{36}/g;
/** Tables whose rows a start clears up or a minute changes. */
const PASSING =
  /^(private\.|auth\.(?!users|identities)|realtime\.|public\.(media_jobs|pending_uploads|incoming_uploads)$)/;

/** What a copy under the new version and the site before it have been compared by. */
export interface Compared {
  /** Why the site should not be upgraded; none when it may be. */
  objections: string[];
  tables: number;
  pages: number;
  searches: number;
}

/** Looks whether the new version lost rows that were there before. */
export async function compareRows(client: pg.Client, before: RowCount[], result: Compared): Promise<void> {
  for (const { name, rows: count } of before.filter((table) => !PASSING.test(table.name))) {
    const { rows: known } = await client.query('select to_regclass($1) is not null as is_there', [name]);
    if (!known[0]?.is_there) {
      if (count > 0) result.objections.push(`The table ${name} with ${count} rows is gone.`);
      continue;
    }
    const { rows } = await client.query<{ count: string }>(`select count(*) from ${name}`);
    const after = Number(rows[0]?.count);
    result.tables += 1;
    if (after < count) result.objections.push(`The table ${name} has ${after} rows instead of ${count}.`);
  }
}

/**
 * Compares what visitors see: headings of pages, and which solutions a search finds. A difference says nothing when one of these
 * solutions was changed since the copy was made.
 */
export async function comparePages(
  client: pg.Client,
  rehearsed: string,
  live: Pick<LiveSite, 'address' | 'databaseUrl'>,
  copiedAt: Date,
  result: Compared,
): Promise<void> {
  const { rows } = await client.query<{ id: string; title: string }>(
    `select id, title from public.solutions where status = 'approved' and audience = 'public' order by created_at desc limit ${PAGES}`,
  );
  const pages = ['/', '/browse', '/forum', '/about', ...rows.map(({ id }) => `/solutions/${id}`)].slice(
    0,
    PAGES,
  );
  const words = rows
    .map(({ title }) => title.split(/[^\p{L}]+/u).sort((a, b) => b.length - a.length)[0] ?? '')
    .filter((word) => word.length > 3);
  const searches = [...new Set(words)]
    .slice(0, SEARCHES)
    .map((word) => `/browse?q=${encodeURIComponent(word)}`);
  const differing: Record<'pages' | 'searches', string[]> = { pages: [], searches: [] };
  for (const path of [...pages, ...searches]) {
    const isSearch = path.includes('?');
    const seen = await pageAt(rehearsed + path, isSearch);
    result[isSearch ? 'searches' : 'pages'] += 1;
    if (seen.status !== 200) result.objections.push(`${path} answers with status ${seen.status}.`);
    else if (live.address) {
      const before = await pageAt(live.address + path, isSearch);
      const shown = new Set(`${path} ${before.content} ${seen.content}`.match(SOLUTION));
      if (
        before.status === 200 &&
        before.content !== seen.content &&
        !(await areChanged([...shown], live.databaseUrl, copiedAt))
      )
        differing[isSearch ? 'searches' : 'pages'].push(path);
    }
  }
  const such = ([path, ...others]: string[]) =>
    others.length > 0 ? `${path}, as with ${others.length} others` : path;
  if (differing.pages.length > 0)
    result.objections.push(`Another heading is on the page ${such(differing.pages)}.`);
  if (differing.searches.length > 0)
    result.objections.push(`Other solutions are found by the search ${such(differing.searches)}.`);
}

/** Whether one of these solutions was written to or removed since. */
async function areChanged(paths: string[], databaseUrl: string, since: Date): Promise<boolean> {
  const client = await connect(databaseUrl);
  try {
    const { rows } = await client.query<{ same: number }>(
      `select count(*)::int as same from public.solutions
       where '/solutions/' || id = any($1) and greatest(updated_at, approved_at) < $2`,
      [paths, since],
    );
    return (rows[0]?.same ?? 0) < paths.length;
  } finally {
    await client.end();
  }
}

async function pageAt(url: string, isSearch: boolean): Promise<{ status: number; content: string }> {
  const answer = await fetch(url).catch(() => undefined);
  const html = (await answer?.text()) ?? '';
  const content = isSearch
    ? [...new Set(html.match(SOLUTION) ?? [])].sort().join(' ')
    : (/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1]?.replace(/<[^>]*>/g, '') ?? '');
  return { status: answer?.status ?? 0, content };
}
