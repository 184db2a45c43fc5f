import { createClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import pg from 'pg';
import { vi } from 'vitest';
import type { Client } from '#app/supabase.ts';
import { type Caller, Database } from '#backend/database/database.ts';
import type { TestBackend } from '../backend.ts';
import { type Actor, cast } from './fill.ts';

interface Statement {
  database: Database;
  caller: Caller;
  sql: string;
  values: unknown[];
}

/** What one call costs in the database: 8 kB pages that it touched, and rows that its statements' plans read. */
export interface Cost {
  buffers: number;
  rows: number;
  ms: number;
  plans: Plan[];
}

export interface Plan {
  'Node Type': string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

let statements: Statement[] | undefined;
/** The functions and tables that were asked for, as the API's addresses name them. */
export const asked = new Set<string>();

/** From now on the statements that the services run as a caller are noted while a call is measured. */
export function recordStatements(): void {
  const { as } = Database.prototype;
  vi.spyOn(Database.prototype, 'as').mockImplementation(function (this: Database, caller, sql, values = []) {
    statements?.push({ database: this, caller, sql, values });
    return as.call(this, caller, sql, values) as never;
  });
}

/** A client of the API as the page of one of the cast has it. */
export async function clientOf(backend: TestBackend, secret: string, actor: Actor): Promise<Client> {
  const token =
    actor !== 'visitor' &&
    (await new SignJWT({ role: 'authenticated', aal: 'aal1', sub: cast[actor] })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(secret)));
  return createClient(backend.url, backend.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      headers: token ? { authorization: `Bearer ${token}` } : {},
      fetch: (input, init) => {
        asked.add(new URL(String(input)).pathname.replace('/rest/v1/', ''));
        return fetch(input, init);
      },
    },
  });
}

const readRows = ({ Plans = [], ...plan }: Plan): number =>
  Plans.length > 0
    ? Plans.reduce((sum, child) => sum + readRows(child), 0)
    : plan['Actual Rows'] * plan['Actual Loops'];

interface Explained {
  Plan: Plan;
  'Execution Time': number;
}

const pagesOf = ({ Plan: plan }: Pick<Explained, 'Plan'>) =>
  plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];

/**
 * It is measured so often, and the least counts: when other databases of the server change their tables, PostgreSQL may forget
 * what it knows of its own, and the next answer reads hundreds of pages of the catalogue.
 */
const ANSWERS = 5;

/** PostgreSQL plans a prepared statement for its values so often before it may plan it once for all. */
const CUSTOM_PLANS = 5;

/**
 * Makes a call, and then has each of its statements explained as it runs in a service that has run for a while, as the same
 * caller: prepared, and with the plan for all values where PostgreSQL takes that for the better one.
 */
export async function costOf(call: () => Promise<unknown>): Promise<Cost> {
  statements = [];
  await call();
  const noted = statements;
  statements = undefined;
  const cost: Cost = { buffers: 0, rows: 0, ms: 0, plans: [] };
  for (const { database, caller, sql, values } of noted) {
    const { Plan: plan, 'Execution Time': ms } = await database.transactionAs(
      { ...caller, rollback: true },
      async (query) => {
        await query(`prepare measured as ${sql}`);
        const run = `execute measured${values.length > 0 ? `(${values.map(literal).join()})` : ''}`;
        for (let plan = 0; plan < CUSTOM_PLANS; plan++) await query(`explain ${run}`);
        // The plans of the functions that it calls are kept as well.
        await query(run);
        let least: Explained | undefined;
        for (let answers = 0; answers < ANSWERS; answers++) {
          const { rows } = await query<{ 'QUERY PLAN': [Explained] }>(
            `explain (analyze, buffers, timing off, format json) ${run}`,
          );
          const answer = rows[0]?.['QUERY PLAN'][0];
          if (answer && (!least || pagesOf(answer) < pagesOf(least))) least = answer;
        }
        await query('deallocate measured');
        if (!least) throw new Error(`PostgreSQL does not explain ${sql}`);
        return least;
      },
    );
    cost.buffers += pagesOf({ Plan: plan });
    cost.rows += readRows(plan);
    cost.ms += ms;
    cost.plans.push(plan);
  }
  return cost;
}

const literal = (value: unknown): string =>
  value === null || value === undefined
    ? 'null'
    : pg.escapeLiteral(typeof value === 'object' ? JSON.stringify(value) : String(value));
