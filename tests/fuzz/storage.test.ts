// @module-tag whole

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADA, openStorage, type StorageFixture } from '../conformance/storage/fixtures.ts';
import { type Case, contents, json, nasty, nothingLeaks, sendAll } from './harness.ts';

let shelf: StorageFixture;
let member: string;

beforeAll(async () => {
  shelf = await openStorage();
  member = await shelf.token('33333333-3333-4333-8333-333333333333');
  for (const bucket of ['open', 'closed'])
    await shelf.service.storage.from(bucket).upload(`${ADA}/a.txt`, 'hello', { contentType: 'text/plain' });
  // Members may write into their own folder; here they may not, so that every request must fail.
  await shelf.sql.query(
    'drop policy "Members write their folder" on storage.objects; drop policy "Anybody drops into the box" on storage.objects',
  );
});
afterAll(() => shelf.stop());

const bucket = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('open', 'closed', 'small', 'pictures', 'none') },
  { weight: 1, arbitrary: nasty.map((text) => encodeURIComponent(text.toWellFormed())) },
);
const name = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(`${ADA}/a.txt`, 'a', 'a/b/c', '33333333-3333-4333-8333-333333333333/x.png'),
  },
  { weight: 2, arbitrary: nasty.map((text) => encodeURIComponent(text.toWellFormed())) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '../a',
      '%2e%2e/%2e%2e/etc/passwd',
      'a//b',
      '/',
      'a%00b',
      '.',
      '..%5c..',
      'a'.repeat(2000),
      `${ADA}/../${ADA}/a.txt`,
    ),
  },
);
const objectPath = fc.tuple(bucket, name).map((parts) => parts.join('/'));
const route = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE'),
      fc.constantFrom(
        'object',
        'object/public',
        'object/authenticated',
        'object/info',
        'object/info/public',
        'object/sign',
        'object/upload/sign',
        'render/image/public',
        'render/image/authenticated',
        'render/image/sign',
      ),
      objectPath,
    )
    .map(([method, prefix, rest]) => [method, `${prefix}/${rest}`]),
  fc
    .tuple(
      fc.constantFrom('POST', 'GET', 'DELETE'),
      fc.constantFrom('object/list', 'object/list-v2', 'object/sign', 'object', 'bucket'),
      bucket,
    )
    .map(([method, prefix, rest]) => [method, `${prefix}/${rest}`]),
  fc.constantFrom(
    ['POST', 'object/move'],
    ['POST', 'object/copy'],
    ['POST', 'bucket'],
    ['GET', 'bucket'],
    ['PUT', 'bucket/open'],
    ['POST', 'bucket/open/empty'],
    ['POST', 'upload/resumable'],
    ['PATCH', 'upload/resumable/x'],
    ['HEAD', 'upload/resumable/x'],
    ['DELETE', 'upload/resumable/x'],
    ['OPTIONS', 'upload/resumable'],
    ['POST', 'upload/resumable/sign'],
    ['GET', 's3/open'],
    ['GET', 'status'],
  ),
);
const field = fc.oneof(
  nasty,
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('open', `${ADA}/a.txt`, 60, -1, 1e12, ['a'], [`${ADA}/a.txt`]),
);
const body = fc.oneof(
  fc
    .dictionary(
      fc.constantFrom(
        'prefix',
        'prefixes',
        'limit',
        'offset',
        'sortBy',
        'search',
        'cursor',
        'with_delimiter',
        'expiresIn',
        'paths',
        'transform',
        'bucketId',
        'sourceKey',
        'destinationKey',
        'destinationBucket',
        'id',
        'name',
        'public',
        'file_size_limit',
        'allowed_mime_types',
        'type',
      ),
      field,
      { maxKeys: 5 },
    )
    .map((fields) => JSON.stringify(fields)),
  json,
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);
const header = fc.oneof(
  fc.tuple(
    fc.constant('content-type'),
    fc.oneof(
      fc.constantFrom(
        'application/json',
        'image/png',
        'text/html',
        'multipart/form-data',
        'multipart/form-data; boundary=x',
        'application/offset+octet-stream',
      ),
      nasty,
    ),
  ),
  fc.tuple(
    fc.constant('range'),
    fc.oneof(
      fc.constantFrom('bytes=0-1', 'bytes=-1', 'bytes=9-2', 'bytes=0-1,3-4', 'bytes=99999999999999999999-'),
      nasty,
    ),
  ),
  fc.tuple(
    fc.constantFrom(
      'if-none-match',
      'if-modified-since',
      'cache-control',
      'x-metadata',
      'x-upsert',
      'accept',
      'x-signature',
    ),
    nasty,
  ),
  fc.tuple(
    fc.constantFrom('tus-resumable', 'upload-length', 'upload-offset', 'upload-defer-length'),
    fc.oneof(fc.constantFrom('1.0.0', '0', '5', '-1', '99999999999999999999', '1'), nasty),
  ),
  fc.tuple(
    fc.constant('upload-metadata'),
    fc.oneof(
      fc.constantFrom('bucketName b3Blbg==,objectName YQ==', 'bucketName b3Blbg==', 'a b,c d,e'),
      nasty,
    ),
  ),
);
const query = fc
  .dictionary(
    fc.constantFrom(
      'token',
      'download',
      'width',
      'height',
      'resize',
      'quality',
      'format',
      'limit',
      'offset',
      'sortColumn',
      'search',
      'versionId',
    ),
    fc.oneof(nasty, fc.constantFrom('100', '-1', '1e9', 'cover', 'origin', 'a.b.c')),
    { maxKeys: 4 },
  )
  .map((fields) =>
    Object.entries(fields)
      .map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`)
      .join('&'),
  );

const cases = fc
  .record({ route, query, headers: fc.array(header, { maxLength: 3 }), body, who: fc.nat(5) })
  .map(
    ({ route: [method = 'GET', path], query, headers, body, who }): Case => ({
      method,
      path: `/storage/v1/${path}?${query}`,
      headers: {
        'content-type': 'application/json',
        ...Object.fromEntries(headers),
        ...(who < 3 ? { authorization: `Bearer ${member}` } : {}),
        ...(who === 5 ? { authorization: 'Bearer x.y.z' } : {}),
      },
      body: method === 'GET' || method === 'HEAD' ? undefined : body,
    }),
  );

it('storage answers every request with something better than a fault, and keeps what it has and no more', async () => {
  const tables = [
    'storage.buckets',
    '(select id, bucket_id, name, version, metadata, user_metadata from storage.objects)',
  ];
  const [rows, files] = [await contents(shelf.sql, tables), shelf.files()];
  const statuses = await sendAll(shelf.backend.url, cases, 0.13);
  expect(await contents(shelf.sql, tables)).toEqual(rows);
  expect(shelf.files()).toEqual(files);
  await nothingLeaks(shelf.sql);
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400]));
});
