import { afterAll, expect, it } from 'vitest';
import { visitor } from '../auth/fixtures.ts';
import { ownBackend } from '../own-backend.ts';
import { createSampleTables, joinChannel, lastMessage, type Subscriber, until } from './sample-schema.ts';

const { backend } = await ownBackend();
const database = await createSampleTables(backend);
afterAll(() => database.end());
await database.query(`
    set role postgres;
    create type public.mood as enum ('calm', 'tired');
    create table public.kinds (
      id int primary key, "text" text, "varchar" varchar(9), "int2" int2, "int8" int8, "numeric" numeric, "float8" float8,
      "bool" bool, "uuid" uuid, "date" date, "timestamptz" timestamptz, "time" time, "jsonb" jsonb, "json" json,
      "text[]" text[], "int4[]" int4[], "inet" inet, "bytea" bytea, "interval" interval, "mood" public.mood);
    alter publication supabase_realtime add table public.kinds;
    reset role`);

/** A value of each type as the filter and the row name it, those with rules of their own first. */
const VALUES: Record<string, string> = {
  text: 'red',
  bool: 'true',
  int8: '9007199254740993',
  json: '{"a": 1}',
  'text[]': '{a,b}',
  mood: 'calm',
  varchar: 'red',
  int2: '7',
  numeric: '1.50',
  float8: '0.5',
  uuid: '5f0c1a52-5d4f-4a0e-8c57-6d8f0b3f2a11',
  date: '2026-03-01',
  timestamptz: '2026-03-01T10:00:00Z',
  time: '10:00',
  jsonb: '{"a": 1}',
  'int4[]': '{1,2}',
  inet: '10.0.0.1',
  bytea: '\\x00ff',
  interval: '1 day',
};

const OPERATORS: Record<string, string> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  like: '~~',
  ilike: '~~*',
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
};

interface Case {
  /** As a subscriber writes it. */
  filter: string;
  sql: string;
}

function casesOf(type: string): Case[] {
  const value = VALUES[type] ?? '';
  const literal = `'${value}'`;
  const plain = [
    ...Object.entries(OPERATORS).map(([name, operator]) => ({
      right: `${name}."${value.replaceAll(/["\\]/g, '\\$&')}"`,
      sql: `"${type}" ${operator} ${literal}`,
    })),
    { right: `in.(${JSON.stringify(value)})`, sql: `"${type}" in (${literal})` },
    ...['null', 'true', 'false', 'unknown'].map((state) => ({
      right: `is.${state}`,
      sql: `"${type}" is ${state}`,
    })),
  ];
  return plain.flatMap(({ right, sql }) => [
    { filter: `${type}=${right}`, sql },
    { filter: `${type}=not.${right}`, sql: `not (${sql})` },
  ]);
}

let rows = 0;

/** Writes a row with the value and one of nulls, and the ids of those that satisfy the condition for PostgreSQL. */
async function write(type: string, sql: string): Promise<number[] | undefined> {
  const [full, empty] = [++rows, ++rows];
  await database.query(`insert into public.kinds (id, "${type}") values (${full}, $1), (${empty}, null)`, [
    VALUES[type],
  ]);
  const found = await database
    .query<{ id: number }>(
      `select id from public.kinds where id in (${full}, ${empty}) and ${sql} order by id`,
    )
    .catch(() => undefined);
  return found?.rows.map(({ id }) => id);
}

const idsIn = ({ changes }: Subscriber) => changes.map((one) => (one.new as { id: number }).id);

/** A list in a filter is of single values. */
const isListOfLists = (filter: string) => /^\w+\[\]=(?:not\.)?in\./.test(filter);

it.each(Object.keys(VALUES))(
  'of every operator on %s, alone or beside another, ends no one’s changes and hears what PostgreSQL matches',
  async (type) => {
    const client = visitor(backend);
    const others = joinChannel(visitor(backend), [{ table: 'notes' }]);
    await until(() => others.system.length > 0);
    const wrong: string[] = [];
    const accepted: string[] = [];
    for (const { filter, sql } of casesOf(type)) {
      const alone = joinChannel(client, [{ table: 'kinds', filter }]);
      await until(() => alone.system.length > 0);
      const expected = await write(type, sql);
      await lastMessage(others, database);
      const isRefused = alone.system[0]?.status !== 'ok';
      if (!isRefused) accepted.push(filter);
      if (isRefused ? expected && !isListOfLists(filter) : `${idsIn(alone)}` !== `${expected}`)
        wrong.push(`${filter}: ${alone.system[0]?.message}, ${idsIn(alone)} instead of ${expected}`);
      await client.removeChannel(alone.channel);
    }
    expect(wrong).toEqual([]);
    const pairs = accepted.map((filter) =>
      joinChannel(client, [{ table: 'kinds', filter: `${filter},id=gt.0` }]),
    );
    await until(() => pairs.every(({ system }) => system.length > 0));
    const before = rows;
    await write(type, 'true');
    await lastMessage(others, database);
    const heard = pairs.map(idsIn);
    const found = await Promise.all(
      casesOf(type)
        .filter(({ filter }) => accepted.includes(filter))
        .map(({ sql }) =>
          database.query<{ id: number }>(
            `select id from public.kinds where id > ${before} and ${sql} order by id`,
          ),
        ),
    );
    expect(heard).toEqual(found.map((answer) => answer.rows.map(({ id }) => id)));
    expect(accepted).toContain(`${type}=is.null`);
    await client.realtime.disconnect();
    await others.channel.unsubscribe();
  },
);
