import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenAmong, INVARIANTS } from '../invariants.ts';
import { type Member, openDatabase, people } from './fixtures.ts';

const { owner, column, value, solution, comment, like, topic, post, message } = openDatabase();

const members = ['author', 'colleague', 'moderator'] as const satisfies Member[];
const tables = ['solutions', 'comments', 'likes', 'forum_topics', 'forum_posts'] as const;

/** One random event; `pick` chooses among the existing rows. */
const act = fc.record({
  what: fc.constantFrom(
    ...'share approve reject resubmit revise comment reply like topic post message forget delete'.split(' '),
  ),
  who: fc.constantFrom(...members),
  pick: fc.nat(),
  table: fc.constantFrom(...tables),
});
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

async function some(table: string, pick: number, where = 'true'): Promise<string | undefined> {
  const ids = await column<string>(`select id from ${table} where ${where} order by id`);
  return ids[pick % ids.length];
}

const UNREVISED = 'not exists (select from solutions r where r.revises = solutions.id)';

async function perform({ what, who, pick, table }: Act): Promise<void> {
  const approved = await some('solutions', pick, "status = 'approved'");
  if (what === 'share') await solution('pending', who);
  else if (what === 'approve' || what === 'reject') {
    const status = what === 'approve' ? 'approved' : 'rejected';
    const reason = what === 'approve' ? null : 'A label can be read.';
    await owner('update solutions set status = $2, rejection_reason = $3 where id = $1', [
      await some('solutions', pick, "status = 'pending'"),
      status,
      reason,
    ]);
  } else if (what === 'resubmit')
    await owner("update solutions set status = 'pending', rejection_reason = null where id = $1", [
      await some('solutions', pick, `status <> 'pending' and ${UNREVISED}`),
    ]);
  else if (what === 'revise') {
    const revised = await some('solutions', pick, `status = 'approved' and ${UNREVISED}`);
    const made = await value(
      `insert into solutions (user_id, status, revises, title, description, occupation, amputation_level, age_group, prosthesis_type, cost_range)
       select user_id, 'pending', id, title, description, occupation, amputation_level, age_group, prosthesis_type, cost_range
       from solutions where id = $1 returning id`,
      [revised],
    );
    await owner(
      `insert into solution_consents (solution_id, basis, statement_version) select $1::uuid, 'patient_written', '2026-11-01' where $1 is not null`,
      [made],
    );
  } else if (what === 'comment') approved && (await comment(approved, who));
  else if (what === 'reply') {
    const [parent] = await owner<{ id: string; solution_id: string }>(
      'select id, solution_id from comments where id = $1',
      [await some('comments', pick, 'deleted_at is null and depth < 5')],
    );
    if (parent) await comment(parent.solution_id, who, parent.id);
  } else if (what === 'like') {
    const existing =
      approved &&
      (await owner('select 1 from likes where solution_id = $1 and user_id = $2', [approved, people[who]]));
    if (approved && existing?.length === 0) await like(approved, who);
  } else if (what === 'topic') await topic(who);
  else if (what === 'post') {
    const open = await some('forum_topics', pick);
    if (open) await post(open, who);
  } else if (what === 'message') await message(who, who === 'author' ? 'colleague' : 'author');
  else if (what === 'forget')
    await owner(
      'insert into message_deletions (message_id, user_id) select m.id, $2 from messages m where m.id = $1 on conflict do nothing',
      [await some('messages', pick), people[who]],
    );
  else await owner(`delete from ${table} where id = $1`, [await some(table, pick)]);
}

describe('whatever happens', () => {
  it('the ledger equals the facts, totals the ledger, counts the rows, and every status its history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 40 }), async (history) => {
        await owner('savepoint history');
        try {
          for (const one of history) await perform(one);
          expect(await brokenAmong(INVARIANTS, owner)).toEqual([]);
        } finally {
          await owner('rollback to savepoint history');
        }
      }),
      { numRuns: 40 },
    );
  });
});
