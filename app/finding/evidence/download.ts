import { readSiteSettings } from '#app/frame/page/site-settings.ts';
import { serverClient } from '#app/supabase.ts';
import { csvTable } from '#app/ui/texts/csv.ts';
import type { Route } from './+types/download.ts';
import {
  evidenceUrl,
  LICENCE,
  LICENCE_URL,
  MAX_DOWNLOADED,
  pointPath,
  readEvidence,
  readEvidenceFilters,
} from './data.ts';

const CAUTION =
  'Members chose which cases to share, so these are not a sample. Do not add them up or compare them to estimate an effect.';

const APART =
  'Rows without a case are of fewer than 10 people who are not said to have consented in writing. They have no level, type, device or date, and are left out where fewer than 10 cases on a measure are like them.';

/** The reported outcomes as a file, `outcomes.csv` or `outcomes.json`, filtered as the page is. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const [, format] = /^outcomes\.(csv|json)$/.exec(params.name) ?? [];
  if (!format) throw new Response(null, { status: 404 });
  const { origin, searchParams } = new URL(request.url);
  const filters = readEvidenceFilters(searchParams);
  const { counts, points } = await readEvidence(serverClient(context), filters, MAX_DOWNLOADED);
  const { site_name } = await readSiteSettings(context);
  const total = counts.reduce((sum, { outcomes }) => sum + outcomes, 0);
  const today = new Date().toISOString().slice(0, 10);
  const source = origin + evidenceUrl(filters);
  const about = {
    citation: `${site_name}. Reported outcomes [data set]. ${today}. ${source}`,
    licence: `${LICENCE}, ${LICENCE_URL}`,
    retrieved: today,
    caution: CAUTION,
    privacy: APART,
    rows:
      points.length < total
        ? `the newest ${points.length} of ${total}; choose a measure, level or type to narrow them down`
        : String(total),
  };
  const rows = points.map((point) => {
    const { solution_id: _, trial_id: trial, ...facts } = point;
    const path = pointPath(point);
    return {
      ...facts,
      reported_by: path && (trial ? 'a member who tried it' : 'author'),
      case: path && origin + path,
    };
  });
  const headers = {
    'content-disposition': `attachment; filename="reported-outcomes-${today}.${format}"`,
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
  };
  if (format === 'json')
    return new Response(`${JSON.stringify({ ...about, outcomes: rows }, null, 1)}\n`, {
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    });
  const columns = [
    'measure',
    'before',
    'after',
    'people_before',
    'people',
    'weeks',
    'level',
    'type',
    'device_before',
    'title',
    'reported_by',
    'case',
    'published_at',
  ] as const;
  // No line of these is quoted: a program that skips lines which begin with # would not know a quoted one.
  const comments = Object.entries(about).map(([name, text]) => `# ${name}: ${text}\r\n`);
  const table = csvTable([columns, ...rows.map((row) => columns.map((column) => row[column]))]);
  return new Response(`\uFEFF${comments.join('')}${table}`, {
    headers: { ...headers, 'content-type': 'text/csv; charset=utf-8' },
  });
}
