import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const directory = resolve(import.meta.dirname, '../../supabase/migrations');

interface Statement {
  /** Name of its migration, without time stamp and ending. */
  file: string;
  sql: string;
}

const TOKEN = /'(?:[^']|'')*'|"[^"]*"|--.*|\/\*[\s\S]*?\*\//g;
const STATEMENT = /(?:'(?:[^']|'')*'|"[^"]*"|\$\$[\s\S]*?\$\$|[^;'"$]|\$(?!\$))+;/g;

/** The hash of each released migration, by its name. */
const released = new Map(
  readFileSync(resolve(directory, '../released.sha256'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => [line.slice(line.lastIndexOf('/') + 1), line.slice(0, 64)]),
);
const migrations = readdirSync(directory)
  .sort()
  .map((name) => ({ name, text: readFileSync(join(directory, name), 'utf8') }));
/** The last of the first release, with which each object was in its final form. */
const LAST_OF_FIRST = '20261101000930_member_writes.sql';
/** The migrations of the first release in the order in which they are applied, without their comments. */
const statements: Statement[] = migrations
  .filter(({ name }) => name <= LAST_OF_FIRST)
  .flatMap(({ name, text }) =>
    (text.replace(TOKEN, (token) => (/^(--|\/\*)/.test(token) ? ' ' : token)).match(STATEMENT) ?? []).map(
      (sql) => ({ file: name.replace(/^\d+_(.*)\.sql$/, '$1'), sql: sql.trim() }),
    ),
  );

const CREATED =
  /^create (?:unlogged )?(?:unique )?(?<kind>table|view|function|aggregate|index|policy|trigger) (?<name>"[^"]+"|[\w.]+)/;
/** The objects each statement creates, by kind and name; policies and triggers with their table. */
const created = statements.flatMap((statement, at) => {
  const { kind, name } = CREATED.exec(statement.sql)?.groups ?? {};
  if (!kind || !name) return [];
  const [, table = ''] =
    (['policy', 'trigger'].includes(kind) && / on ((?:public|storage|auth)\.\w+)/.exec(statement.sql)) || [];
  return [{ ...statement, at, kind, name, table, object: [kind, name, table].join(' ').trim() }];
});
const ours = created.filter(({ name }) => /^(public|private)\./.test(name));

describe('the migrations', () => {
  it('that were released are as they were, and later ones sort after them', () => {
    const hashes = new Map(
      migrations.map(({ name, text }) => [name, createHash('sha256').update(text).digest('hex')]),
    );
    expect([...released].filter(([name, hash]) => hashes.get(name) !== hash).map(([name]) => name)).toEqual(
      [],
    );
    const last = [...released.keys()].sort().at(-1) ?? '';
    expect(last >= LAST_OF_FIRST).toBe(true);
    expect([...hashes.keys()].filter((name) => !released.has(name) && name < last)).toEqual([]);
  });

  it('are named by time stamp and content, and have at most 400 lines of at most 140 characters', () => {
    expect(statements.length).toBeGreaterThan(600);
    for (const { name, text } of migrations) {
      expect(name).toMatch(/^20\d{12}_[a-z_]+\.sql$/);
      expect(text.split('\n').length, name).toBeLessThanOrEqual(400);
    }
    const long = migrations.flatMap(({ name, text }) =>
      text.split('\n').flatMap((line, at) => (line.length > 140 ? [`${name}:${at + 1}`] : [])),
    );
    expect(long).toEqual([]);
    const names = migrations.map(({ name }) => name.replace(/^\d+/, ''));
    expect(new Set(names).size).toBe(names.length);
  });

  it('create each object once, in its final form', () => {
    const objects = created.map(({ object }) => object);
    expect(objects.filter((object, at) => objects.indexOf(object) !== at)).toEqual([]);
    const changes = statements
      .filter(({ sql }) => /^(drop|do|create or replace|alter (policy|function|trigger|view))\b/.test(sql))
      .map(({ file, sql }) => `${file}: ${sql.slice(0, 60)}`);
    expect(changes).toEqual([]);
  });

  it('name nothing that is created later, in the bodies of functions neither', () => {
    const early = statements.flatMap(({ file, sql }, at) =>
      [...new Set(sql.match(/\b(public|private)\.[a-z_]+\b/g))]
        .filter((name) => !ours.some((object) => object.name === name && object.at <= at))
        .map((name) => `${file}: ${name} in ${sql.slice(0, 60)}`),
    );
    expect(early).toEqual([]);
  });

  it('have the policies of a table where it is created or in the file named after it, those of storage together', () => {
    const away = created
      .filter(({ kind, file, table }) => {
        if (kind !== 'policy') return false;
        const [schema, name] = table.split('.');
        return (
          file !== (schema === 'storage' ? 'storage' : name) &&
          !created.some((other) => other.kind === 'table' && other.name === table && other.file === file)
        );
      })
      .map(({ file, object }) => `${file}: ${object}`);
    expect(away).toEqual([]);
  });

  it('name policies and constraints as PostgreSQL keeps them, in at most 63 bytes', () => {
    const names = statements.flatMap(({ sql }) =>
      [...sql.matchAll(/\b(?:policy|constraint) "([^"]+)"/g)].map(([, name = '']) => name),
    );
    expect(names.length).toBeGreaterThan(150);
    expect(names.filter((name) => Buffer.byteLength(name) > 63)).toEqual([]);
  });
});
