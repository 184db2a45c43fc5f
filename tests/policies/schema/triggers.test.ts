import { expect, it } from 'vitest';
import { openDatabase } from '../fixtures.ts';

const { owner } = openDatabase();

/** Triggers that do the same whether they fire before or after the others of their table, with the reason. */
const INDEPENDENT: [RegExp, string][] = [
  [/^profiles_author_facets$/, 'keeps the facets of solutions, which no other reads'],
  [/^profiles_author_names$/, 'keeps the names that search knows, which no other reads'],
  [/^profiles_recheck_registration$/, 'keeps the registration, which no other reads'],
  [/^messages_pair$/, 'fills in a column that no other reads'],
  [/_conversation$/, 'keeps the latest messages, which no other reads'],
  [/_count(_|$)/, 'keeps a number, which no other reads'],
  [/_touch$/, 'stamps a time that no other reads'],
  [/_normalize$/, 'looks at no stamped time'],
  [/^held_posts_guard$/, 'refuses, which undoes the rest, or does nothing'],
  [/_limit$/, 'refuses, which undoes the rest, or does nothing'],
  [/_audit$/, 'writes the log, which no other reads'],
  [/_answer$/, 'writes a message, which no other reads'],
  [/_end_claim$/, 'keeps review_claims, which no other reads'],
  [/^solutions_index_/, 'keeps the index of search, which no other reads'],
  [/_delete_notifications$/, 'deletes what earlier statements wrote'],
  [/^(forum_posts|profiles)_.*(unmark|unsign_summaries)$/, 'empties a column that no other reads'],
  [/^site_settings_(purge_logo|unname)$/, 'acts on rows elsewhere, which no other reads'],
  [/^messages_purge$/, 'deletes what no side has any more'],
  [/^solution_(media|files)_purge$/, 'queues the removal of files that no row names any more'],
  [/^solution_(media|files)_redact_/, 'rewrites earlier versions and translations, which no other reads'],
  [/^safety_notices_redact_/, 'rewrites translations, which no other reads'],
  [/^solution_(media|files)_resolve_removal_requests$/, 'acts once no picture of a request is left'],
  [/^solution_files_facets$/, 'keeps the facets of search, which no other reads'],
];

it('triggers of one table, time and event fire in the order of distinct numbers, or are independent', async () => {
  const pairs = await owner<{ moment: string; one: string; other: string }>(
    `with fired as (
       select t.tgrelid::regclass || ' ' || case t.tgtype::integer & 66 when 0 then 'after' else 'before' end || ' ' || e.event as moment,
         t.tgname::text as name, (t.tgtype::integer & 1) as each_row
       from pg_trigger t join pg_proc f on f.oid = t.tgfoid, (values ('insert', 4), ('delete', 8), ('update', 16)) e (event, bit)
       where not t.tgisinternal and f.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and t.tgtype::integer & e.bit > 0
     )
     select a.moment, a.name as one, b.name as other from fired a join fired b on a.moment = b.moment and a.each_row = b.each_row and a.name < b.name
     order by 1, 2, 3`,
  );
  expect(pairs.length).toBeGreaterThan(30);
  const isIndependent = (name: string) => INDEPENDENT.some(([pattern]) => pattern.test(name));
  const numberIn = (name: string) => /_(\d\d)_/.exec(name)?.[1];
  const unsettled = pairs.filter(
    ({ one, other }) =>
      !isIndependent(one) &&
      !isIndependent(other) &&
      (!numberIn(one) || !numberIn(other) || numberIn(one) === numberIn(other)),
  );
  expect(unsettled).toEqual([]);
  for (const [pattern] of INDEPENDENT)
    expect(
      pairs.some(({ one, other }) => pattern.test(one) || pattern.test(other)),
      pattern.source,
    ).toBe(true);
});
