import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import { service } from '../../caller.ts';
import type { Caller, Database, Query } from '../../database/database.ts';
import { diskFull, invalidBody, refusalOf, StorageError, slowDown, tooLarge } from '../errors.ts';
import type { FileStore } from '../files.ts';
import { checkAllowed, contentEncoding, maxAge, mediaType, userMetadata } from '../media-types.ts';
import { checkedObjectName, type ObjectKey } from '../object-key.ts';
import type { Mode, Objects } from '../objects.ts';
import type { TotalLimit } from '../total-limit.ts';
import type { Description } from '../upload-body.ts';

/** The time for which an unfinished upload is kept, and the row of a finished one. */
const UPLOAD_LIFETIME_MS = 86_400_000;
/** The same of an upload by a signed address, which cannot be continued once the address has expired. */
const SIGNED_LIFETIME_MS = 7_200_000;
/**
 * The limits that keep unfinished uploads from filling the disk: their number for one person or one signed
 * address, the bytes of one person's or of those by signed addresses to one folder, and the bytes of all.
 */
const MAX_UNFINISHED = { count: 100, signed: 4, bytes: 1024 ** 3, allBytes: 16 * 1024 ** 3 };

export interface Stores {
  database: Database;
  files: FileStore;
  objects: Objects;
  total: TotalLimit;
}

/** The caller who uploads. */
export interface Uploader {
  caller: Caller;
  /** A caller finds only uploads of its own creation. */
  owner: string;
  upsert: boolean;
  /** The object that a signed upload URL opens, in place of the caller's own rights; `bucket/name`. */
  only?: string;
}

interface Row {
  id: string;
  bucket_id: string;
  name: string;
  upsert: boolean;
  size: string | null;
  metadata: Record<string, string | null>;
  done: boolean;
  created_at: Date;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The uploads of one person that arrive piece by piece (TUS), as rows beside the files. The request that
 * finds an upload complete makes an object of it at once, while it holds the lock: the one with the last
 * piece, or a query of the offset when a crash came between the two.
 */
export class UploadStore extends DataStore {
  override extensions = [
    'creation',
    'creation-with-upload',
    'creation-defer-length',
    'termination',
    'expiration',
  ];
  readonly #stores: Stores;
  readonly #uploader: Uploader;

  constructor(stores: Stores, uploader: Uploader) {
    super();
    this.#stores = stores;
    this.#uploader = uploader;
  }

  override getExpiration(): number {
    return this.#uploader.only === undefined ? UPLOAD_LIFETIME_MS : SIGNED_LIFETIME_MS;
  }

  /** @throws when there is none, or it belongs to another caller: the two cannot be distinguished */
  async checkOwn(id: string): Promise<void> {
    await this.#row(id);
  }

  /** The bytes the upload may have: an existing one, or one that this metadata would create. */
  async limitOf(from: string | Record<string, string | null>): Promise<number> {
    const bucket = typeof from === 'string' ? (await this.#row(from)).bucket_id : uploadKeyOf(from).bucket;
    return this.#stores.objects.limitOf(await this.#stores.objects.bucket(bucket));
  }

  override async create(upload: Upload): Promise<Upload> {
    const { database, objects, total } = this.#stores;
    const { caller, owner, upsert, only } = this.#uploader;
    const metadata = upload.metadata ?? {};
    const objectKey = uploadKeyOf(metadata);
    if (only !== undefined && only !== `${objectKey.bucket}/${objectKey.name}`)
      throw new StorageError(
        400,
        'InvalidSignature',
        'InvalidSignature',
        'The url do not match the signature',
      );
    const bucket = await objects.bucket(objectKey.bucket);
    const limit = objects.limitOf(bucket);
    const reserved = upload.size ?? limit;
    if (reserved > limit) throw tooLarge();
    checkAllowed(descriptionOf(metadata).contentType, bucket.allowed_mime_types);
    await objects.checkUpload(caller, objectKey, upsert ? 'upsert' : 'create');
    if (reserved > this.#stores.files.room()) throw diskFull();
    if (reserved > (await total.remainingFor(objectKey))) throw total.refusal();
    await database.transactionAs(service, async (query) => {
      await this.#checkUnfinished(query, objectKey, reserved);
      const created = await query<{ created_at: Date }>(
        `insert into storage.resumable_uploads (id, bucket_id, name, owner, upsert, size, reserved, metadata)
         values ($1, $2, $3, $4, $5, $6, $7, $8) returning created_at`,
        [
          upload.id,
          objectKey.bucket,
          objectKey.name,
          owner,
          upsert,
          upload.size ?? null,
          reserved,
          JSON.stringify(metadata),
        ],
      );
      upload.creation_date = created.rows[0]?.created_at.toISOString();
      await total.check(query);
    });
    if (upload.size === 0) await this.#complete(await this.#row(upload.id));
    return upload;
  }

  override async write(piece: Readable, id: string, offset: number): Promise<number> {
    // A sender who hangs up before the piece is read fails it, and without a listener that would end the process.
    piece.on('error', () => undefined);
    const row = await this.#row(id);
    if (row.done) return offset;
    // What was permitted when the upload began may be no more, and no disk is filled by pieces that are refused in the end.
    await this.#orDelete(row, () =>
      this.#stores.objects.checkUpload(this.#uploader.caller, keyOf(row), modeOf(row)),
    );
    if (this.#stores.files.room() === 0) throw diskFull();
    const size = await this.#stores.files.append(id, offset, piece);
    if (size === Number(row.size ?? Number.NaN)) await this.#complete(row);
    return size;
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await this.#row(id);
    const size = row.size === null ? undefined : Number(row.size);
    const offset = row.done ? Number(size) : await this.#stores.files.sizeOf(id);
    if (!row.done && offset === size) await this.#complete(row);
    return new Upload({
      id,
      offset,
      ...(size !== undefined && { size }),
      metadata: row.metadata,
      creation_date: row.created_at.toISOString(),
    });
  }

  override async declareUploadLength(id: string, size: number): Promise<void> {
    const row = await this.#row(id);
    const { database, files, total } = this.#stores;
    await database.transactionAs(service, async (query) => {
      await query('update storage.resumable_uploads set size = $2, reserved = $2 where id = $1', [id, size]);
      await total.check(query);
    });
    if ((await files.sizeOf(id)) === size) await this.#complete({ ...row, size: String(size) });
  }

  override async remove(id: string): Promise<void> {
    await this.#delete(await this.#row(id));
  }

  /** Requests that create uploads wait for each other here, so that none exceeds the limits. */
  async #checkUnfinished(query: Query, { bucket, name }: ObjectKey, reserved: number): Promise<void> {
    await query("select pg_advisory_xact_lock(hashtext('storage uploads'))");
    const isSigned = this.#uploader.only !== undefined;
    // An address may be signed by the site for a person that it does not name: those to one folder are one person's.
    const { rows } = await query<{ count: number; bytes: string; all_bytes: string }>(
      `select count(*) filter (where owner = $1)::int as count, coalesce(sum(reserved), 0) as all_bytes,
         coalesce(sum(reserved) filter (where owner = $1 or ($2 and owner like 'signed %' and bucket_id = $3
           and split_part(name, '/', 1) = split_part($4, '/', 1))), 0) as bytes
       from storage.resumable_uploads where not done`,
      [this.#uploader.owner, isSigned, bucket, name],
    );
    const { count = 0, bytes = 0, all_bytes = 0 } = rows[0] ?? {};
    // A single upload may be as large as files may be.
    const mine = Number(bytes) > 0 && Number(bytes) + reserved > MAX_UNFINISHED.bytes;
    const most = isSigned ? MAX_UNFINISHED.signed : MAX_UNFINISHED.count;
    if (count >= most || mine || Number(all_bytes) > MAX_UNFINISHED.allBytes)
      throw slowDown('Too many unfinished uploads; finish or end some of them first');
  }

  async #row(id: string): Promise<Row> {
    if (!UUID.test(id)) throw ERRORS.FILE_NOT_FOUND;
    const { rows } = await this.#stores.database.as<Row>(
      service,
      `select id, bucket_id, name, upsert, size, metadata, done, created_at
       from storage.resumable_uploads where id = $1 and owner = $2`,
      [id, this.#uploader.owner],
    );
    if (!rows[0]) throw ERRORS.FILE_NOT_FOUND;
    return rows[0];
  }

  async #complete(row: Row): Promise<void> {
    const { files, objects } = this.#stores;
    await this.#orDelete(row, async () => {
      const bucket = await objects.bucket(row.bucket_id);
      const description = descriptionOf(row.metadata);
      if (Number(row.size) > objects.limitOf(bucket)) throw tooLarge();
      checkAllowed(description.contentType, bucket.allowed_mime_types);
      const file = await files.complete(row.id);
      await objects.saveRow(this.#uploader.caller, keyOf(row), modeOf(row), file, description, (query) =>
        query('update storage.resumable_uploads set done = true, reserved = 0 where id = $1', [row.id]),
      );
    });
  }

  /** Deletes an upload that is refused permanently; after a fault, or an overload, the client may try again. */
  async #orDelete(row: Row, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const status = refusalOf(error)?.status ?? 500;
      if (status < 500 && status !== 429) await this.#delete(row);
      throw error;
    }
  }

  async #delete(row: Row): Promise<void> {
    if (row.done) throw ERRORS.INVALID_TERMINATION;
    await this.#stores.database.as(service, 'delete from storage.resumable_uploads where id = $1', [row.id]);
    await this.#stores.files.removeParts([row.id]);
  }
}

/**
 * Ends uploads that were not finished in time, and deletes the rows of finished ones, except for uploads that
 * are being written.
 */
export async function removeExpired({ database, files }: Pick<Stores, 'database' | 'files'>): Promise<void> {
  const { rows } = await database.as<{ id: string; done: boolean }>(
    service,
    `delete from storage.resumable_uploads
     where created_at < now() - (case when owner like 'signed %' then $2 else $1 end)::interval
       and coalesce(held_until < now(), true) returning id, done`,
    [`${UPLOAD_LIFETIME_MS} ms`, `${SIGNED_LIFETIME_MS} ms`],
  );
  await files.removeParts(rows.filter((row) => !row.done).map((row) => row.id));
}

function uploadKeyOf(metadata: Record<string, string | null>): ObjectKey {
  if (!metadata.bucketName || !metadata.objectName) throw invalidBody('Metadata header is required');
  return { bucket: metadata.bucketName, name: checkedObjectName(metadata.objectName) };
}

const keyOf = (row: Row): ObjectKey => ({ bucket: row.bucket_id, name: row.name });
const modeOf = (row: Row): Mode => (row.upsert ? 'upsert' : 'create');

const descriptionOf = (metadata: Record<string, string | null>): Description => ({
  contentType: mediaType(metadata.contentType ?? ''),
  contentEncoding: contentEncoding(metadata.contentEncoding),
  cacheControl: maxAge(metadata.cacheControl),
  userMetadata: userMetadata(metadata.metadata),
});
