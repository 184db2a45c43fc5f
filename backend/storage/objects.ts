import { randomUUID } from 'node:crypto';
import { service } from '../caller.ts';
import { type Caller, type Database, DatabaseError, type Query } from '../database/database.ts';
import { isUuid } from '../uuid.ts';
import { bucketNotFound, diskFull, FileMissing, objectNotFound, StorageError, tooLarge } from './errors.ts';
import type { FileStore, StoredFile } from './files.ts';
import { checkAllowed } from './media-types.ts';
import type { ObjectKey } from './object-key.ts';
import type { TotalLimit } from './total-limit.ts';
import type { Description, Upload } from './upload-body.ts';

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
  owner: string | null;
  owner_id: string | null;
  version: string;
  metadata: {
    eTag: string;
    size: number;
    mimetype: string;
    cacheControl: string;
    lastModified: string;
    contentEncoding?: string;
    crc32?: number;
  };
  user_metadata: Record<string, unknown> | null;
  created_at: Date;
  updated_at: Date;
  last_accessed_at: Date;
}

/** Whether an object of that name may, or must, exist already. */
export type Mode = 'create' | 'upsert' | 'update';

const COLUMNS =
  'id, name, bucket_id, owner, owner_id, version, metadata, user_metadata, created_at, updated_at, last_accessed_at';

/** A row as the official service shows it: the checksum is said with the file. */
export const shown = ({ metadata, ...row }: StoredObject) => ({
  ...row,
  metadata: { ...metadata, crc32: undefined },
});

/** The fields that a form may add around its file. */
const FORM_OVERHEAD = 65_536;

class DryRun extends Error {}

/** The objects of all buckets. The row policies decide access, in the caller's transaction. */
export class Objects {
  readonly #database: Database;
  readonly #files: FileStore;
  readonly #limit: number;
  readonly #total: TotalLimit;

  /** @param limit bytes a file may have where its bucket sets no lower limit */
  constructor(database: Database, files: FileStore, limit: number, total: TotalLimit) {
    this.#database = database;
    this.#files = files;
    this.#limit = limit;
    this.#total = total;
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

  /** Bytes one file may have. */
  limitOf(bucket: Bucket): number {
    return Math.min(this.#limit, Number(bucket.file_size_limit ?? this.#limit));
  }

  /** @throws StorageError when there is none that the caller may read */
  async find(caller: Caller, bucket: string, name: string): Promise<StoredObject> {
    const { rows } = await this.#database.as<StoredObject>(
      caller,
      `select ${COLUMNS} from storage.objects where bucket_id = $1 and name collate "C" = $2`,
      [bucket, name],
    );
    if (!rows[0]) throw objectNotFound();
    return rows[0];
  }

  /** @throws StorageError when there is none, or its bucket is not public */
  async findPublic(bucket: string, name: string): Promise<StoredObject> {
    const { rows } = await this.#database.as<StoredObject>(
      service,
      `select ${COLUMNS} from storage.objects where bucket_id = $1 and name collate "C" = $2
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
      'select name from storage.objects where bucket_id = $1 and name collate "C" = any ($2::text[])',
      [bucket, pgArray(names)],
    );
    return new Set(rows.map((row) => row.name));
  }

  /** Those of the given versions that a row names, or an upload that is still arriving. */
  async versionsInUse(versions: string[]): Promise<Set<string>> {
    const { rows } = await this.#database.as<{ version: string }>(
      service,
      `select version from storage.objects where version = any ($1::text[])
       union all select id::text from storage.resumable_uploads where id::text = any ($1::text[]) and not done`,
      [pgArray(versions)],
    );
    return new Set(rows.map((row) => row.version));
  }

  /** Refuses, before the first byte is stored, requests that would be refused after the last. */
  async checkUpload(caller: Caller, key: ObjectKey, mode: Mode): Promise<void> {
    try {
      await this.#database.transactionAs(caller, async (query) => {
        await this.#write(query, caller, key, mode, { version: '', size: 0, etag: '' }, null);
        throw new DryRun();
      });
    } catch (error) {
      if (!(error instanceof DryRun)) throw error;
    }
  }

  /** Stores the bytes, then the row that names them; leaves neither when one is refused. */
  async store(
    caller: Caller,
    key: ObjectKey,
    mode: Mode,
    receive: () => Promise<Upload>,
    announced: number,
  ): Promise<{ id: string }> {
    const bucket = await this.bucket(key.bucket);
    const limit = this.limitOf(bucket);
    if (announced > limit + FORM_OVERHEAD) throw tooLarge();
    await this.checkUpload(caller, key, mode);
    const onDisk = this.#files.room();
    if (onDisk < announced || onDisk === 0) throw diskFull();
    const allowed = await this.#total.remainingFor(key);
    const room = Math.min(allowed, onDisk);
    const refused = () => {
      if (room >= limit) return tooLarge();
      return allowed < onDisk ? this.#total.refusal() : diskFull();
    };
    if (announced > room + FORM_OVERHEAD) throw refused();
    const upload = await receive();
    try {
      checkAllowed(upload.contentType, bucket.allowed_mime_types);
    } catch (error) {
      upload.body.resume();
      throw error;
    }
    const file = await this.#files.write(upload.body, Math.min(limit, room), refused);
    return this.saveRow(caller, key, mode, file, upload);
  }

  /**
   * Makes a row name a file that is in its place. The file is removed when the row is refused, and the one it
   * replaces when it is not.
   *
   * @param alongside a further change in the same transaction, written by the service itself
   */
  async saveRow(
    caller: Caller,
    key: ObjectKey,
    mode: Mode,
    file: StoredFile,
    description: Description,
    alongside?: (query: Query) => Promise<unknown>,
  ): Promise<{ id: string }> {
    const before = mode === 'create' ? undefined : await this.#versionOf(key);
    let id: string;
    try {
      id = await this.#database.transactionAs(caller, async (query) => {
        const written = await this.#write(query, caller, key, mode, file, description);
        if (alongside) {
          await query("select set_config('role', 'service_role', true)");
          await alongside(query);
        }
        await this.#total.check(query);
        return written;
      });
    } catch (error) {
      // When the connection broke it is unknown whether the row was kept; then the sweeper decides.
      if (isRefusal(error)) await this.#files.remove([file.version]);
      throw error;
    }
    // The object may have been moved to another name in the meantime.
    if (before && !(await this.versionsInUse([before])).has(before)) await this.#files.remove([before]);
    return { id };
  }

  /** @returns the deleted rows; those unknown or forbidden are left out */
  async remove(caller: Caller, bucket: string, names: string[]): Promise<StoredObject[]> {
    const rows = await this.#database.transactionAs(caller, async (query) => {
      await query("select set_config('storage.allow_delete_query', 'true', true)");
      const removed = await query<StoredObject>(
        `delete from storage.objects where bucket_id = $1 and name collate "C" = any ($2::text[]) returning ${COLUMNS}`,
        [bucket, names],
      );
      return removed.rows;
    });
    await this.#files.remove(rows.map((row) => row.version));
    return rows;
  }

  /** A file is named by its version, so moving an object touches its row alone. */
  async move(caller: Caller, from: ObjectKey, to: ObjectKey): Promise<void> {
    await this.bucket(to.bucket);
    const { rowCount } = await this.#database.as(
      caller,
      'update storage.objects set bucket_id = $3, name = $4 where bucket_id = $1 and name collate "C" = $2',
      [from.bucket, from.name, to.bucket, to.name],
    );
    if (rowCount === 0) throw objectNotFound();
  }

  /** @param changed the copy's own metadata; the source's user metadata is then left behind */
  async copy(
    caller: Caller,
    from: ObjectKey,
    to: ObjectKey,
    options: { upsert: boolean; changed?: Partial<Description> },
  ): Promise<{ id: string }> {
    const source = await this.find(caller, from.bucket, from.name);
    await this.bucket(to.bucket);
    const mode = options.upsert ? 'upsert' : 'create';
    const { eTag: etag, size, crc32, mimetype: contentType, cacheControl, contentEncoding } = source.metadata;
    const description = {
      ...{ contentType, cacheControl, contentEncoding },
      ...(options.changed ?? { userMetadata: source.user_metadata }),
    };
    await this.checkUpload(caller, to, mode);
    if (size > this.#files.room()) throw diskFull();
    if (size > (await this.#total.remainingFor(to))) throw this.#total.refusal();
    const version = await this.#files.copy(source.version);
    if (!version) throw new FileMissing();
    return this.saveRow(
      caller,
      to,
      mode,
      { version, size, etag, crc32 },
      { userMetadata: null, ...description },
    );
  }

  async #versionOf({ bucket, name }: ObjectKey): Promise<string | undefined> {
    const { rows } = await this.#database.as<{ version: string }>(
      service,
      'select version from storage.objects where bucket_id = $1 and name collate "C" = $2',
      [bucket, name],
    );
    return rows[0]?.version;
  }

  async #write(
    query: Query,
    caller: Caller,
    { bucket, name }: ObjectKey,
    mode: Mode,
    file: StoredFile,
    description: Description | null,
  ): Promise<string> {
    const subject = typeof caller.claims.sub === 'string' ? caller.claims.sub : null;
    const metadata = {
      eTag: file.etag,
      size: file.size,
      mimetype: description?.contentType,
      cacheControl: description?.cacheControl,
      contentEncoding: description?.contentEncoding,
      lastModified: new Date().toISOString(),
      contentLength: file.size,
      crc32: file.crc32,
      httpStatusCode: 200,
    };
    const values = [
      bucket,
      name,
      file.version,
      JSON.stringify(metadata),
      JSON.stringify(description?.userMetadata ?? null),
    ];
    if (mode === 'update') {
      const { rows } = await query<{ id: string }>(
        'update storage.objects set version = $3, metadata = $4, user_metadata = $5 where bucket_id = $1 and name collate "C" = $2 returning id',
        values,
      );
      if (!rows[0]) throw objectNotFound();
      return rows[0].id;
    }
    const id = randomUUID();
    const insert = `insert into storage.objects (id, owner, owner_id, bucket_id, name, version, metadata, user_metadata)
       values ($6, $7, $8, $1, $2, $3, $4, $5)`;
    const all = [...values, id, isUuid(subject) ? subject : null, subject];
    if (mode === 'create') {
      // No row is read back: a caller who may only add files to a bucket need not be able to see them.
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

/** Whether the database is known to have kept nothing. */
const isRefusal = (error: unknown) =>
  error instanceof StorageError || (error instanceof DatabaseError && error.severity === 'ERROR');

/** An array literal of text, since statements sent in one trip carry their values as text. */
export function pgArray(values: string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}
