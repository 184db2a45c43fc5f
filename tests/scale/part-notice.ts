import type pg from 'pg';
import { cast } from './fill.ts';

/** What a notice on a part does. */
export interface Announced {
  /** The members who have a notification, and those for whom a mail waits. */
  told: number;
  mails: number;
  /** The rows that were read for it. */
  read: number;
  /** The notifications and mails that are there once it is withdrawn. */
  left: number;
}

/**
 * Has the moderator write a notice and withdraw it, in a transaction that leaves nothing.
 *
 * @param ofAll on a part that is in every solution, not on one that a single solution has
 */
export async function announce(owner: pg.Client, ofAll: boolean): Promise<Announced> {
  const numberOf = async (sql: string) => Number((await owner.query<{ of: string }>(sql)).rows[0]?.of);
  const asModerator = async (sql: string) => {
    await owner.query(`set local role authenticated; ${sql}`);
    await owner.query('reset role');
  };
  await owner.query('begin');
  try {
    await owner.query(
      `set local session_replication_role = replica;
       update profiles set email_notifications = true;
       ${ofAll ? '' : "delete from part_notices where part_number = '4R2'"};
       ${ofAll ? "update solution_parts set part_number = '7E10'" : ''};
       set local session_replication_role = default;
       select set_config('request.jwt.claims', '{"role": "authenticated", "aal": "aal1", "sub": "${cast.moderator}"}', true)`,
    );
    // Of this transaction, those that the preparation has read included. The list of types is one page, which each notification
    // reads in whole.
    const readRows = () =>
      numberOf(
        `select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as of from pg_stat_xact_user_tables
         where relname <> 'notice_types'`,
      );
    const before = await readRows();
    await asModerator(
      `insert into part_notices (maker, part_number, kind, content) values ('Ottobock', '${ofAll ? '7E10' : '4R2'}', 'recall', 'It shears.')`,
    );
    const read = (await readRows()) - before;
    const notices = "select count(*) as of from notifications where type = 'part_notice'";
    const waiting = "select count(*) as of from private.mail_jobs where notice ->> 'type' = 'part_notice'";
    const [told, mails] = [await numberOf(notices), await numberOf(waiting)];
    await asModerator(`update part_notices set ended_at = now() where created_at = now()`);
    return { told, mails, read, left: (await numberOf(notices)) + (await numberOf(waiting)) };
  } finally {
    await owner.query('rollback');
  }
}
