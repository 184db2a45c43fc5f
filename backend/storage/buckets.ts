import { z } from 'zod';
import { cutText } from '../../texts/cut-text.ts';
import { service } from '../caller.ts';
import { byteSize } from '../config-project.ts';
import type { Caller, Database } from '../database/database.ts';
import { alreadyExists, bucketNotFound, featureNotEnabled, StorageError } from './errors.ts';
import { type Objects, pgArray } from './objects.ts';

const COLUMNS = 'id, name, owner, public, file_size_limit, allowed_mime_types, created_at, updated_at';

const settings = {
  public: z.boolean().optional(),
  file_size_limit: byteSize.nullish(),
  allowed_mime_types: z
    .array(
      z
        .string()
        .regex(/^[\w.+*-]+\/[\w.+*-]+$/)
        .max(100),
    )
    .max(50)
    .nullish(),
};
/** Whether all versions of an object are kept; they are not. */
const versioning = z
  .enum(['DISABLED', 'ENABLED', 'SUSPENDED'])
  .optional()
  .transform((status) => {
    if (status === 'ENABLED' || status === 'SUSPENDED') throw featureNotEnabled('object versioning');
    return status;
  });
const type = z
  .string()
  .default('STANDARD')
  .transform((kind) => {
    if (kind !== 'STANDARD') throw featureNotEnabled(`buckets of type ${cutText(kind, 50)}`);
    return kind;
  });
export const createBody = z.object({
  id: z.string().optional(),
  type,
  name: z.string().regex(/^[\w!.*'() &$@=;:+,?-]{1,100}$/),
  versioning_status: versioning,
  ...settings,
});
export const updateBody = z.object({ versioning_status: versioning, ...settings });
export const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
  offset: z.coerce.number().int().min(0).default(0),
  sortColumn: z.enum(['id', 'name', 'created_at', 'updated_at']).default('name'),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
  search: z.string().max(100).default(''),
});

interface Row {
  file_size_limit: string | null;
}
const bucketJson = (row: Row) => ({
  ...row,
  file_size_limit: row.file_size_limit === null ? null : Number(row.file_size_limit),
});

/** Buckets as the caller may see and change them. */
export class Buckets {
  readonly #database: Database;
  readonly #objects: Objects;

  constructor(database: Database, objects: Objects) {
    this.#database = database;
    this.#objects = objects;
  }

  async all(caller: Caller, { limit, offset, sortColumn, sortOrder, search }: z.output<typeof listQuery>) {
    const { rows } = await this.#database.as<Row>(
      caller,
      `select ${COLUMNS} from storage.buckets where strpos(lower(name), lower($1)) > 0
       order by ${sortColumn} ${sortOrder}, id limit $2::int offset $3::int`,
      [search, limit, offset],
    );
    return rows.map(bucketJson);
  }

  async one(caller: Caller, id: string) {
    const { rows } = await this.#database.as<Row>(
      caller,
      `select ${COLUMNS} from storage.buckets where id = $1`,
      [id],
    );
    if (!rows[0]) throw bucketNotFound();
    return bucketJson(rows[0]);
  }

  async create(caller: Caller, body: z.output<typeof createBody>) {
    const { rowCount } = await this.#database.as(
      caller,
      `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types, owner_id)
       values ($1, $2, $3, $4, $5::text[], $6)`,
      [
        body.id ?? body.name,
        body.name,
        body.public ?? false,
        body.file_size_limit ?? null,
        types(body.allowed_mime_types),
        caller.claims.sub ?? null,
      ],
    );
    if (rowCount === 0) throw alreadyExists();
    return { name: body.name };
  }

  async update(caller: Caller, id: string, body: z.output<typeof updateBody>) {
    const { rowCount } = await this.#database.as(
      caller,
      `update storage.buckets set public = coalesce($2::boolean, public),
         file_size_limit = case when $3::boolean then $4::bigint else file_size_limit end,
         allowed_mime_types = case when $5::boolean then $6::text[] else allowed_mime_types end
       where id = $1`,
      [
        id,
        body.public ?? null,
        body.file_size_limit !== undefined,
        body.file_size_limit ?? null,
        body.allowed_mime_types !== undefined,
        types(body.allowed_mime_types),
      ],
    );
    if (rowCount === 0) throw bucketNotFound();
    return { message: 'Successfully updated' };
  }

  async empty(caller: Caller, id: string) {
    await this.one(caller, id);
    for (;;) {
      const { rows } = await this.#database.as<{ name: string }>(
        caller,
        'select name from storage.objects where bucket_id = $1 limit 500',
        [id],
      );
      if (rows.length === 0) break;
      const removed = await this.#objects.remove(
        caller,
        id,
        rows.map((row) => row.name),
      );
      // Readable but not removable: the loop would never end.
      if (removed.length === 0) break;
    }
    return { message: 'Empty bucket has been queued. Completion may take up to an hour.' };
  }

  async remove(caller: Caller, id: string) {
    await this.one(caller, id);
    const { rows } = await this.#database.as(
      service,
      'select 1 from storage.objects where bucket_id = $1 limit 1',
      [id],
    );
    if (rows.length > 0)
      throw new StorageError(
        409,
        'ResourceNotEmpty',
        'ResourceNotEmpty',
        'The bucket you tried to delete is not empty',
      );
    await this.#database.transactionAs(caller, async (query) => {
      await query("select set_config('storage.allow_delete_query', 'true', true)");
      const { rowCount } = await query('delete from storage.buckets where id = $1', [id]);
      if (rowCount === 0) throw bucketNotFound();
    });
    return { message: 'Successfully deleted' };
  }
}

const types = (value: string[] | null | undefined) => (value ? pgArray(value) : null);
