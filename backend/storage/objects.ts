import { randomUUID } from 'node:crypto';
import type { Caller, Database } from '../database.ts';
import { bucketNotFound, objectNotFound, tooLarge, wrongType } from './errors.ts';
import type { FileStore, StoredFile } from './files.ts';
import type { Upload } from './receive.ts';

export interface Bucket {
  id: string;
  public: boolean;
  file_size_limit: string | null;
  allowed_mime_types: string[] | null;
}

export interface StoredObject {
  id: string;
  name: string;
  bucket_id: string;
  version: string;
  metadata: { eTag: string; size: number; mimetype: string; cacheControl: string; lastModified: string };
  user_metadata: Record<string, unknown> | null;
  created_at: Date;
  updated_at: Date;
  last_accessed_at: Date;
}

/** The service itself, for what no caller may be asked: whether a bucket is public, which files a row names. */
export const service: Caller = { role: 'service_role', claims: { role: 'service_role' } };

const COLUMNS =
  'id, name, bucket_id, version, metadata, user_metadata, created_at, updated_at, last_accessed_at';

/** What a form may add around its file. */
const FORM_OVERHEAD = 65_536;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

class DryRun extends Error {}

/** The objects of all buckets. Who may do what is decided by the row policies, in the caller's transaction. */
export class Objects {
  readonly #database: Database;
  readonly #files: FileStore;
  readonly #limit: number;

  /** @param limit bytes a file may have where its bucket says no less */
  constructor(database: Database, files: FileStore, limit: number) {
    this.#database = database;
    this.#files = files;
    this.#limit = limit;
  }

  async bucket(id: string): Promise<Bucket> {
    const { rows } = await this.#database.as<Bucket>(
      service,
      'select id, public, file_size_limit, allowed_mime_types from storage.buckets where id = $1',
      [id],
    );
    if (!rows[0]) throw bucketNotFound();
    return rows[0];
  }

  /** @throws StorageError when there is none that the caller may read */
  async find(caller: Caller, bucket: string, name: string): Promise<StoredObject> {
    const { rows } = await this.#database.as<StoredObject>(
      caller,
      `select ${COLUMNS} from storage.objects where bucket_id = $1 and name = $2`,
      [bucket, name],
    );
    if (!rows[0]) throw objectNotFound();
    return rows[0];
  }

  /** @throws StorageError when there is none, or its bucket is not public */
  async findPublic(bucket: string, name: string): Promise<StoredObject> {
    const { rows } = await this.#database.as<StoredObject>(
      service,
      `select ${COLUMNS} from storage.objects where bucket_id = $1 and name = $2
         and exists (select from storage.buckets where id = $1 and public)`,
      [bucket, name],
    );
    if (rows[0]) return rows[0];
    throw (await this.bucket(bucket)).public ? objectNotFound() : bucketNotFound();
  }

  /** The names among those given that the caller may read. */
  async readable(caller: Caller, bucket: string, names: string[]): Promise<Set<string>> {
    const { rows } = await this.#database.as<{ name: string }>(
      caller,
      'select name from storage.objects where bucket_id = $1 and name = any ($2::text[])',
      [bucket, pgArray(names)],
    );
    return new Set(rows.map((row) => row.name));
  }

  /** Those of the given versions that a row names. */
  async versionsInUse(versions: string[]): Promise<Set<string>> {
    const { rows } = await this.#database.as<{ version: string }>(
      service,
      'select version from storage.objects where version = any ($1::text[])',
      [pgArray(versions)],
    );
    return new Set(rows.map((row) => row.version));
  }

  /** Refuses before the first byte is stored what would be refused after the last. */
  async checkUpload(
    caller: Caller,
    bucket: string,
    name: string,
    mode: 'create' | 'upsert' | 'update',
  ): Promise<void> {
    try {
      await this.#database.transactionAs(caller, async (query) => {
        await this.#write(query, caller, bucket, name, mode, { version: '', size: 0, etag: '' }, null);
        throw new DryRun();
      });
    } catch (error) {
      if (!(error instanceof DryRun)) throw error;
    }
  }

  /** Stores the bytes, then the row that names them; leaves nothing of either when one is refused. */
  async store(
    caller: Caller,
    bucketId: string,
    name: string,
    mode: 'create' | 'upsert' | 'update',
    receive: () => Promise<Upload>,
    announced: number,
  ): Promise<{ id: string }> {
    const bucket = await this.bucket(bucketId);
    const limit = Math.min(this.#limit, Number(bucket.file_size_limit ?? this.#limit));
    if (announced > limit + FORM_OVERHEAD) throw tooLarge();
    await this.checkUpload(caller, bucketId, name, mode);
    const upload = await receive();
    if (!isAllowed(upload.contentType, bucket.allowed_mime_types)) {
      upload.body.resume();
      throw wrongType(essence(upload.contentType));
    }
    const file = await this.#files.write(upload.body, limit);
    let before: string | undefined;
    let id: string;
    try {
      before = (await this.find(service, bucketId, name).catch(() => undefined))?.version;
      id = await this.#database.transactionAs(caller, (query) =>
        this.#write(query, caller, bucketId, name, mode, file, upload),
      );
    } catch (error) {
      await this.#files.remove([file.version]);
      throw error;
    }
    if (before) await this.#files.remove([before]);
    return { id };
  }

  /** @returns the rows that are gone; those unknown or forbidden are left out */
  async remove(caller: Caller, bucket: string, names: string[]): Promise<StoredObject[]> {
    const rows = await this.#database.transactionAs(caller, async (query) => {
      await query("select set_config('storage.allow_delete_query', 'true', true)");
      const removed = await query<StoredObject>(
        `delete from storage.objects where bucket_id = $1 and name = any ($2::text[]) returning ${COLUMNS}`,
        [bucket, names],
      );
      return removed.rows;
    });
    await this.#files.remove(rows.map((row) => row.version));
    return rows;
  }

  /** A file is named by its version, so moving an object touches its row alone. */
  async move(
    caller: Caller,
    from: { bucket: string; name: string },
    to: { bucket: string; name: string },
  ): Promise<void> {
    await this.bucket(to.bucket);
    const { rowCount } = await this.#database.as(
      caller,
      'update storage.objects set bucket_id = $3, name = $4 where bucket_id = $1 and name = $2',
      [from.bucket, from.name, to.bucket, to.name],
    );
    if (rowCount === 0) throw objectNotFound();
  }

  async copy(
    caller: Caller,
    from: { bucket: string; name: string },
    to: { bucket: string; name: string },
    options: { upsert: boolean; copyMetadata: boolean },
  ): Promise<{ id: string }> {
    const source = await this.find(caller, from.bucket, from.name);
    await this.bucket(to.bucket);
    const mode = options.upsert ? 'upsert' : 'create';
    await this.checkUpload(caller, to.bucket, to.name, mode);
    const before = (await this.find(service, to.bucket, to.name).catch(() => undefined))?.version;
    const version = await this.#files.copy(source.version);
    const { eTag: etag, size, mimetype: contentType, cacheControl } = source.metadata;
    try {
      const id = await this.#database.transactionAs(caller, (query) =>
        this.#write(
          query,
          caller,
          to.bucket,
          to.name,
          mode,
          { version, size, etag },
          {
            contentType,
            cacheControl,
            userMetadata: options.copyMetadata ? source.user_metadata : null,
          },
        ),
      );
      if (before) await this.#files.remove([before]);
      return { id };
    } catch (error) {
      await this.#files.remove([version]);
      throw error;
    }
  }

  async #write(
    query: Parameters<Parameters<Database['transactionAs']>[1]>[0],
    caller: Caller,
    bucket: string,
    name: string,
    mode: 'create' | 'upsert' | 'update',
    file: StoredFile,
    upload: Pick<Upload, 'contentType' | 'cacheControl' | 'userMetadata'> | null,
  ): Promise<string> {
    const subject = typeof caller.claims.sub === 'string' ? caller.claims.sub : null;
    const metadata = {
      eTag: file.etag,
      size: file.size,
      mimetype: upload?.contentType,
      cacheControl: upload?.cacheControl,
      lastModified: new Date().toISOString(),
      contentLength: file.size,
      httpStatusCode: 200,
    };
    const values = [
      bucket,
      name,
      file.version,
      JSON.stringify(metadata),
      JSON.stringify(upload?.userMetadata ?? null),
    ];
    if (mode === 'update') {
      const { rows } = await query<{ id: string }>(
        'update storage.objects set version = $3, metadata = $4, user_metadata = $5 where bucket_id = $1 and name = $2 returning id',
        values,
      );
      if (!rows[0]) throw objectNotFound();
      return rows[0].id;
    }
    const id = randomUUID();
    const insert = `insert into storage.objects (id, owner, owner_id, bucket_id, name, version, metadata, user_metadata)
       values ($6, $7, $8, $1, $2, $3, $4, $5)`;
    const all = [...values, id, subject && uuid.test(subject) ? subject : null, subject];
    if (mode === 'create') {
      // Nothing is read back: whoever may only drop files into a bucket need not be able to see them.
      await query(insert, all);
      return id;
    }
    const { rows } = await query<{ id: string }>(
      `${insert} on conflict (bucket_id, name collate "C") do update
       set version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata returning id`,
      all,
    );
    return rows[0]?.id ?? id;
  }
}

function isAllowed(contentType: string, allowed: string[] | null): boolean {
  if (!allowed || allowed.length === 0) return true;
  const type = essence(contentType);
  return allowed.some(
    (pattern) =>
      pattern === type ||
      pattern === '*/*' ||
      (pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1))),
  );
}

/** A media type without its parameters. */
export const essence = (contentType: string) => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** An array literal of text, since statements sent in one trip carry their values as text. */
export function pgArray(values: string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}
