import { z } from 'zod';
import type { Caller, Database } from '../database.ts';
import { checkedName } from './names.ts';

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
});

export const listV2Body = z.object({
  prefix: z.string().max(1024).default(''),
  limit: z.number().int().min(1).max(1000).default(1000),
  cursor: z.string().max(2048).nullish(),
  with_delimiter: z.boolean().default(false),
});

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** What lies directly under a folder; folders themselves have a name and nothing else. */
export async function list(
  database: Database,
  caller: Caller,
  bucket: string,
  options: z.output<typeof listBody>,
): Promise<Record<string, unknown>[]> {
  const folder = folderOf(options.prefix);
  const { column, order } = options.sortBy;
  const { rows } = await database.as<Record<string, unknown>>(
    caller,
    `select name, id, updated_at, created_at, last_accessed_at, metadata from (
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
  return rows;
}

/** Page by page in the order of names, with folders told apart from objects when a delimiter is asked for. */
export async function listV2(
  database: Database,
  caller: Caller,
  bucket: string,
  options: z.output<typeof listV2Body>,
) {
  const prefix = options.prefix.replace(/^\//, '');
  const after = options.cursor ? Buffer.from(options.cursor, 'base64url').toString('utf8') : '';
  const key = options.with_delimiter
    ? "case when strpos(substr(o.name, $2::int), '/') > 0 then left(o.name, $2::int - 1 + strpos(substr(o.name, $2::int), '/')) else o.name end"
    : 'o.name';
  const position = options.with_delimiter ? [prefix.length + 1] : [];
  const at = position.length + 2;
  const { rows } = await database.as<{
    key: string;
    id: string | null;
    updated_at: string;
    created_at: string;
    metadata: unknown;
  }>(
    caller,
    `select distinct on (key collate "C") key, case when key = name then id end as id, updated_at, created_at, metadata
     from (select ${key} as key, o.* from storage.objects o where o.bucket_id = $1 and o.name like $${at}) found
     where key collate "C" > $${at + 1}
     order by key collate "C" limit $${at + 2}::int`,
    [bucket, ...position, `${escapeLike(prefix)}%`, after, options.limit + 1],
  );
  const page = rows.slice(0, options.limit);
  const last = page.at(-1);
  return {
    hasNext: rows.length > options.limit,
    ...(rows.length > options.limit && last
      ? { nextCursor: Buffer.from(last.key).toString('base64url') }
      : {}),
    folders: page.filter((row) => row.id === null).map((row) => ({ name: row.key, key: row.key })),
    objects: page
      .filter((row) => row.id !== null)
      .map(({ key: name, ...row }) => ({ name, key: name, ...row })),
  };
}

function folderOf(prefix: string): string {
  const folder = prefix.replace(/^\/+|\/+$/g, '');
  return folder === '' ? '' : `${checkedName(folder)}/`;
}
