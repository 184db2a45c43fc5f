import type pg from 'pg';
import { milliseconds } from '../duration.ts';

/** The limit for a role without one, which an operator may have created for any work. */
export const UNLIMITED_STATEMENT_MS = 600_000;

export interface StatementTimeout {
  /** As the setting is written, `15s` for example. */
  setting: string;
  ms: number;
}

/** Those for this database count before those for all. */
export async function readTimeouts(pool: pg.Pool): Promise<Map<string, StatementTimeout>> {
  const { rows } = await pool.query<{ role: string; timeout: string }>(
    `select r.rolname as role, split_part(s.setting, '=', 2) as timeout
     from pg_db_role_setting d join pg_roles r on r.oid = d.setrole, unnest(d.setconfig) as s(setting)
     where s.setting like 'statement_timeout=%'
       and d.setdatabase in (0, (select oid from pg_database where datname = current_database()))
     order by d.setdatabase`,
  );
  return new Map(
    rows.map(({ role, timeout }) => [
      role,
      { setting: timeout, ms: milliseconds(timeout) || UNLIMITED_STATEMENT_MS },
    ]),
  );
}
