import { z } from 'zod';
import type { Caller, Database } from '../database/database.ts';
import { parseJson } from '../http/json.ts';
import { featureNotEnabled, invalidBody } from './errors.ts';
import { checkedObjectName } from './object-key.ts';

/** There is one version of each object, and no marks of deleted ones. */
const current = z
  .enum(['exclude', 'include', 'only'])
  .optional()
  .transform((value) => {
    if (value === 'include' || value === 'only') throw featureNotEnabled('object versioning');
    return value;
  });
const versions = {
  noncurrentVersions: current,
  deleteMarkers: current,
  exactMatch: z
    .boolean()
    .optional()
    .transform((value) => {
      if (value) throw featureNotEnabled('object versioning');
      return value;
    }),
};

export const listBody = z.object({
  prefix: z.string().max(1024).default(''),
  limit: z.number().int().min(1).max(1000).default(100),
  offset: z.number().int().min(0).default(0),
  sortBy: z
    .object({
      column: z.enum(['name', 'updated_at', 'created_at', 'last_accessed_at']).default('name'),
      order: z.enum(['asc', 'desc']).default('asc'),
    })
    .default({ column: 'name', order: 'asc' }),
  search: z.string().max(1024).default(''),
  ...versions,
});

export const listV2Body = z.object({
  prefix: z.string().max(1024).default(''),
  limit: z.number().int().min(1).max(1000).default(1000),
  cursor: z.string().max(2048).nullish(),
  with_delimiter: z.boolean().default(false),
  sortBy: z
    .object({
      column: z.enum(['name', 'updated_at', 'created_at']),
      order: z.enum(['asc', 'desc']).default('asc'),
    })
    .default({ column: 'name', order: 'asc' }),
  ...versions,
});

/** The start of the next page: the last key of this one, and the value it was sorted by before that. */
const cursorParts = z.object({
  key: z.string().max(1024),
  at: z.string().regex(/^(?:-?infinity|\d{4}-[\d :.+-]{5,40})$/),
});

/** What the official service says of a file; see `shown`. */
const METADATA = "metadata - 'crc32' as metadata";

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The entries directly under a folder; folders themselves have only a name. */
export async function list(
  database: Database,
  caller: Caller,
  bucket: string,
  options: z.output<typeof listBody>,
): Promise<Record<string, unknown>[]> {
  const folder = folderOf(options.prefix);
  const { column, order } = options.sortBy;
  return listed(
    database,
    caller,
    `select name, id, updated_at, created_at, last_accessed_at, ${METADATA} from (
       select distinct on (split_part(rest, '/', 1)) split_part(rest, '/', 1) as name, null::uuid as id, null::timestamptz as updated_at,
         null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
       from (select substr(o.name, $2::int) as rest from storage.objects o where o.bucket_id = $1 and o.name like $3) f
       where strpos(rest, '/') > 0
       union all
       select substr(o.name, $2::int), o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
       from storage.objects o where o.bucket_id = $1 and o.name like $3 and strpos(substr(o.name, $2::int), '/') = 0
     ) found
     where name ilike $4
     order by ${column} ${order} nulls first, name collate "C"
     limit $5::int offset $6::int`,
    [
      bucket,
      folder.length + 1,
      `${escapeLike(folder)}%`,
      `${escapeLike(options.search)}%`,
      options.limit,
      options.offset,
    ],
  );
}

/** Runs a statement that lists files, which policies can tell from one that reads a file, as on Supabase. */
async function listed<Row = Record<string, unknown>>(
  database: Database,
  caller: Caller,
  sql: string,
  values: unknown[],
): Promise<Row[]> {
  return database.transactionAs(caller, async (query) => {
    await query("select set_config('storage.operation', 'storage.object.list', true)");
    return (await query<Row>(sql, values)).rows;
  });
}

/**
 * Lists page by page, with folders distinguished from objects when a delimiter is given. A folder has no
 * time; sorted by time, folders come first.
 */
export async function listV2(
  database: Database,
  caller: Caller,
  bucket: string,
  options: z.output<typeof listV2Body>,
) {
  const prefix = options.prefix.replace(/^\//, '');
  const { column, order } = options.sortBy;
  const after = options.cursor ? readCursor(options.cursor) : undefined;
  const beyond = order === 'asc' ? '>' : '<';
  const folderTime = order === 'asc' ? "'-infinity'" : "'infinity'";
  const start = prefix.length + 1;
  const key = options.with_delimiter
    ? `case when strpos(substr(o.name, ${start}), '/') > 0
         then left(o.name, ${start - 1} + strpos(substr(o.name, ${start}), '/')) else o.name end`
    : 'o.name';
  // Sorted by name, the rows before the page are not read.
  const [at, skip] =
    column === 'name'
      ? [`'-infinity'::timestamptz`, `$3::text is null or key collate "C" ${beyond} $3::text`]
      : [`case when key = name then ${column} else ${folderTime} end`, 'true'];
  const rows = await listed<{
    key: string;
    at: string;
    id: string | null;
    updated_at: string;
    created_at: string;
    last_accessed_at: string;
    metadata: unknown;
  }>(
    database,
    caller,
    `select key, at::text, id, updated_at, created_at, last_accessed_at, ${METADATA} from (
       select distinct on (key collate "C") key, ${at} as at, case when key = name then id end as id,
         updated_at, created_at, last_accessed_at, metadata
       from (select ${key} as key, o.* from storage.objects o where o.bucket_id = $1 and o.name like $2) named
       where ${skip}
       order by key collate "C" ${order}
     ) found
     where $3::text is null or (at, key collate "C") ${beyond} ($4::timestamptz, $3::text)
     order by at ${order}, key collate "C" ${order} limit $5::int`,
    [bucket, `${escapeLike(prefix)}%`, after?.key ?? null, after?.at ?? null, options.limit + 1],
  );
  const page = rows.slice(0, options.limit);
  const last = page.at(-1);
  const hasNext = rows.length > options.limit && last !== undefined;
  return {
    hasNext,
    ...(hasNext && { nextCursor: writeCursor({ key: last.key, at: last.at }) }),
    folders: page.filter((row) => row.id === null).map(({ key: name }) => ({ key: leafOf(name), name })),
    // In a flat list there is no level at which an object has a name of its own.
    objects: page
      .filter((row) => row.id !== null)
      .map(({ key: name, at: _at, ...row }) => ({
        ...(options.with_delimiter && { key: leafOf(name) }),
        name,
        ...row,
      })),
  };
}

/** What a folder or an object is called where it lies. */
const leafOf = (name: string) => name.replace(/\/$/, '').split('/').at(-1) ?? '';

const writeCursor = (parts: z.output<typeof cursorParts>) =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

function readCursor(cursor: string): z.output<typeof cursorParts> {
  try {
    return cursorParts.parse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw invalidBody('body/cursor was not given out by a list');
  }
}

function folderOf(prefix: string): string {
  const folder = prefix.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, '');
  return folder === '' ? '' : `${checkedObjectName(folder)}/`;
}
