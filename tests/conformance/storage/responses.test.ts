import { afterAll, describe, expect, test } from 'vitest';
import { ADA, openStorage } from './fixtures.ts';

/** Whole answers, as the official service gives them: no key is missing, and none is there besides. */

const shelf = await openStorage();
const token = await shelf.token(ADA);
afterAll(() => shelf.stop());

async function call(method: string, path: string, body?: unknown, bearer = token) {
  const isText = typeof body === 'string';
  const response = await fetch(`${shelf.backend.url}/storage/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body !== undefined && { 'content-type': isText ? 'text/plain' : 'application/json' }),
    },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
  };
}
const asOperator = (method: string, path: string, body?: unknown) =>
  call(method, path, body, shelf.backend.serviceRoleKey);

/** An answer with 200. */
const ok = (body: unknown) => ({ status: 200, body });

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
const UUID = expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
const METADATA = {
  eTag: expect.stringMatching(/^"[\da-f]{32}"$/),
  size: 5,
  mimetype: 'text/plain',
  cacheControl: 'no-cache',
  lastModified: TIME,
  contentLength: 5,
  httpStatusCode: 200,
};
const mine = (name: string) => `${ADA}/${name}`;

describe('the answer', () => {
  test('about buckets', async () => {
    const bucket = {
      id: 'letters',
      name: 'letters',
      owner: null,
      public: false,
      file_size_limit: null,
      allowed_mime_types: null,
      created_at: TIME,
      updated_at: TIME,
    };
    expect(await asOperator('POST', 'bucket', { name: 'letters' })).toEqual(ok({ name: 'letters' }));
    expect(await asOperator('GET', 'bucket/letters')).toEqual(ok(bucket));
    expect((await asOperator('GET', 'bucket')).body).toContainEqual(bucket);
    expect(await asOperator('PUT', 'bucket/letters', { public: true })).toEqual(
      ok({ message: 'Successfully updated' }),
    );
    expect(await asOperator('POST', 'bucket/letters/empty')).toEqual(
      ok({ message: 'Empty bucket has been queued. Completion may take up to an hour.' }),
    );
    expect(await asOperator('DELETE', 'bucket/letters')).toEqual(ok({ message: 'Successfully deleted' }));
    expect(await asOperator('GET', 'bucket/letters')).toEqual({
      status: 400,
      body: {
        statusCode: '404',
        code: 'NoSuchBucket',
        error: 'Bucket not found',
        message: 'Bucket not found',
      },
    });
  });

  test('about files', async () => {
    const path = mine('all.txt');
    const key = `closed/${path}`;
    expect(await call('POST', `object/${key}`, 'hello')).toEqual(ok({ Id: UUID, Key: key }));
    expect(await call('POST', `object/${key}`, 'hello')).toEqual({
      status: 400,
      body: {
        statusCode: '409',
        code: 'ResourceAlreadyExists',
        error: 'Duplicate',
        message: 'The resource already exists',
      },
    });
    expect(await call('PUT', `object/${key}`, 'again')).toEqual(ok({ Id: UUID, Key: key }));
    expect(await call('GET', `object/${key}`)).toEqual(ok('again'));
    expect(await call('GET', `object/info/${key}`)).toEqual(
      ok({
        id: UUID,
        name: path,
        version: UUID,
        bucket_id: 'closed',
        size: 5,
        content_type: 'text/plain',
        content_encoding: null,
        cache_control: 'no-cache',
        etag: METADATA.eTag,
        metadata: {},
        last_modified: TIME,
        created_at: TIME,
      }),
    );
    const times = { created_at: TIME, updated_at: TIME, last_accessed_at: TIME };
    expect(await call('POST', 'object/list/closed', { prefix: ADA, search: 'all' })).toEqual(
      ok([{ name: 'all.txt', id: UUID, ...times, metadata: METADATA }]),
    );
    expect(
      await call('POST', 'object/list-v2/closed', { prefix: `${ADA}/all`, with_delimiter: true }),
    ).toEqual(
      ok({
        hasNext: false,
        folders: [],
        objects: [{ key: 'all.txt', name: path, id: UUID, ...times, metadata: METADATA }],
      }),
    );
    expect(await call('POST', 'object/list-v2/closed', { with_delimiter: true })).toEqual(
      ok({ hasNext: false, folders: [{ key: ADA, name: `${ADA}/` }], objects: [] }),
    );
    const row = {
      bucket_id: 'closed',
      owner: ADA,
      owner_id: ADA,
      version: UUID,
      ...times,
      metadata: METADATA,
      user_metadata: null,
    };
    const copy = { bucketId: 'closed', sourceKey: path, destinationKey: mine('copy.txt') };
    expect(await call('POST', 'object/copy', copy)).toEqual(
      ok({ Id: UUID, Key: `closed/${mine('copy.txt')}`, id: UUID, name: mine('copy.txt'), ...row }),
    );
    const move = { bucketId: 'closed', sourceKey: mine('copy.txt'), destinationKey: mine('moved.txt') };
    expect(await call('POST', 'object/move', move)).toEqual(ok({ message: 'Successfully moved' }));
    const address = expect.stringMatching(/^\/object\/sign\/closed\/[^?]+\?token=[\w.-]+$/);
    expect(await call('POST', `object/sign/${key}`, { expiresIn: 60 })).toEqual(ok({ signedURL: address }));
    expect(await call('POST', 'object/sign/closed', { expiresIn: 60, paths: [path, 'none'] })).toEqual(
      ok([
        { path, error: null, signedURL: address },
        {
          path: 'none',
          error: 'Either the object does not exist or you do not have access to it',
          signedURL: null,
        },
      ]),
    );
    expect(await call('POST', `object/upload/sign/closed/${mine('signed.txt')}`, {})).toEqual(
      ok({
        url: expect.stringMatching(/^\/object\/upload\/sign\/closed\/[^?]+\?token=[\w.-]+$/),
        token: expect.any(String),
      }),
    );
    expect(await call('DELETE', 'object/closed', { prefixes: [mine('moved.txt'), 'none'] })).toEqual(
      ok([{ id: UUID, name: mine('moved.txt'), ...row }]),
    );
    expect(await call('DELETE', `object/${key}`)).toEqual(ok({ message: 'Successfully deleted' }));
    expect(await call('GET', `object/${key}`)).toEqual({
      status: 400,
      body: { statusCode: '404', code: 'NoSuchKey', error: 'not_found', message: 'Object not found' },
    });
  });

  test('about what is not there', async () => {
    expect(await call('GET', 'nothing')).toEqual({
      status: 404,
      body: {
        statusCode: '404',
        code: 'NotFound',
        error: 'Not Found',
        message: expect.stringMatching(/ not found$/),
      },
    });
    expect(await call('GET', 'status')).toEqual(ok(''));
    expect(await call('GET', 'version')).toEqual(ok('embedded'));
  });
});
