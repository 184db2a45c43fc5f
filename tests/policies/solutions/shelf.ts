import type { openDatabase } from '../fixtures.ts';

export interface Page {
  total: number;
  facets: Record<string, Record<string, number>>;
  items: { id: string; title: string; author: { username: string } | null; badges: { name: string }[] }[];
  next_cursor: string | null;
  marks: string[];
  corrected: string | null;
  suggested: string | null;
  partial: boolean;
}

/** Browse as a visitor calls it, and three approved solutions that differ in every facet. */
export function openShelf({ ask, owner, solution }: ReturnType<typeof openDatabase>) {
  const browse = (options: Record<string, unknown> = {}) => ask<Page>('visitor', 'browse_solutions', options);

  async function shelf() {
    const ids = {
      bow: await solution(),
      blade: await solution(),
      knee: await solution(),
    };
    await owner(`update solutions set created_at = '2026-01-01' where id = $1`, [ids.bow]);
    await owner(
      `update solutions set title = 'Running blade, 100 % carbon', description = 'A long-distance blade with a laminated heel for uneven ground.', occupation = 'Running', amputation_level = 'Transtibial (Below Knee)', prosthesis_type = 'Passive', materials = '{"Carbon Fiber"}', custom_tags = '{sprint}', created_at = '2026-02-01', likes_count = 9 where id = $1`,
      [ids.blade],
    );
    await owner(
      `update solutions set title = 'Prothèse de genou', description = 'A microprocessor knee set up for stairs and for a heavy schoolbag.', occupation = 'Walking', amputation_level = 'Transfemoral (Above Knee)', prosthesis_type = 'Hybrid', materials = '{"Carbon Fiber",Titanium}', age_group = 'Children, Adults', created_at = '2026-03-01', likes_count = 4 where id = $1`,
      [ids.knee],
    );
    return ids;
  }

  return { browse, shelf };
}
