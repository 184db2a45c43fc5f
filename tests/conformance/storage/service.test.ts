import { gzipSync } from 'node:zlib';
import type { SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADA, openStorage } from './fixtures.ts';

const shelf = await openStorage();
afterAll(() => shelf.stop());

const mine = (name: string) => `${ADA}/${name}`;
const text = async (blob: Blob | null) => blob && (await blob.text());

describe('buckets', () => {
  it('are the operator’s to make, change and remove', async () => {
    const { service } = shelf;
    await service.storage.createBucket('new bucket', {
      public: false,
      fileSizeLimit: '20mb',
      allowedMimeTypes: ['image/png'],
    });
    const { data } = await service.storage.getBucket('new bucket');
    expect(data).toMatchObject({
      public: false,
      file_size_limit: 20_000_000,
      allowed_mime_types: ['image/png'],
    });
    const again = await service.storage.createBucket('new bucket');
    expect(again.error).toMatchObject({
      status: 400,
      statusCode: '409',
      message: 'The resource already exists',
    });
    await service.storage.updateBucket('new bucket', {
      public: true,
      fileSizeLimit: null,
      allowedMimeTypes: null,
    });
    expect((await service.storage.getBucket('new bucket')).data).toMatchObject({
      public: true,
      file_size_limit: null,
      allowed_mime_types: null,
    });
    await service.storage.from('new bucket').upload('a/b.txt', 'x');
    const full = await service.storage.deleteBucket('new bucket');
    expect(full.error).toMatchObject({
      statusCode: '409',
      code: 'ResourceNotEmpty',
      message: 'The bucket you tried to delete is not empty',
    });
    const files = shelf.files().length;
    expect((await service.storage.emptyBucket('new bucket')).error).toBeNull();
    expect(shelf.files().length).toBe(files - 1);
    expect((await service.storage.deleteBucket('new bucket')).error).toBeNull();
    expect((await service.storage.from('new bucket').upload('x', 'x')).error).toMatchObject({
      statusCode: '404',
      message: 'Bucket not found',
    });
  });

  it('are listed to the operator alone', async () => {
    const { data } = await shelf.service.storage.listBuckets();
    expect(data?.map((bucket) => bucket.id)).toEqual(
      expect.arrayContaining(['closed', 'open', 'pictures', 'small']),
    );
    const page = await shelf.service.storage.listBuckets({
      limit: 2,
      offset: 1,
      sortColumn: 'id',
      sortOrder: 'asc',
      search: 'o',
    });
    expect(page.data?.map((bucket) => bucket.id)).toEqual(['incoming-media', 'open']);
    for (const client of [shelf.anon, shelf.ada]) {
      expect((await client.storage.listBuckets()).data).toEqual([]);
      expect((await client.storage.getBucket('open')).error).toMatchObject({ statusCode: '404' });
      expect((await client.storage.createBucket('theirs')).error).toMatchObject({ statusCode: '403' });
      expect((await client.storage.updateBucket('closed', { public: true })).error).not.toBeNull();
      expect((await client.storage.emptyBucket('open')).error).not.toBeNull();
      expect((await client.storage.deleteBucket('open')).error).not.toBeNull();
    }
    expect((await shelf.service.storage.getBucket('closed')).data?.public).toBe(false);
  });
});

describe('signed URLs', () => {
  it('open a file for ten minutes at most, except those that the service key asks for', async () => {
    await shelf.ada.storage.from('closed').upload(mine('a secret.txt'), 'hush');
    const life = async (client: SupabaseClient, sign: 'one' | 'many', seconds: number) => {
      const closed = client.storage.from('closed');
      const [name] = [mine('a secret.txt')];
      const address =
        sign === 'one'
          ? (await closed.createSignedUrl(name, seconds)).data?.signedUrl
          : (await closed.createSignedUrls([name], seconds)).data?.[0]?.signedUrl;
      const { iat = 0, exp = 0 } = decodeJwt(new URL(address ?? '').searchParams.get('token') ?? '');
      return exp - iat;
    };
    for (const sign of ['one', 'many'] as const) {
      expect(await life(shelf.ada, sign, 3600)).toBe(600);
      expect(await life(shelf.ada, sign, 60)).toBe(60);
      expect(await life(shelf.service, sign, 3600)).toBe(3600);
    }
  });

  it('open exactly one file, for a while, to anyone', async () => {
    const closed = shelf.ada.storage.from('closed');
    await closed.upload(mine('letter 1.txt'), 'dear');
    await closed.upload(mine('letter 2.txt'), 'other');
    const { data, error } = await closed.createSignedUrl(mine('letter 1.txt'), 60);
    expect(error).toBeNull();
    const url = data?.signedUrl ?? '';
    expect(await (await fetch(url)).text()).toBe('dear');
    const named = await closed.createSignedUrl(mine('letter 1.txt'), 60, { download: true });
    expect((await fetch(named.data?.signedUrl ?? '')).headers.get('content-disposition')).toContain(
      'attachment; filename="letter 1.txt"',
    );
    const other = await fetch(url.replace('letter%201', 'letter%202'));
    expect([other.status, (await other.json()).error]).toEqual([400, 'InvalidJWT']);
    const tampered = await fetch(`${url.slice(0, -4)}AAAA`);
    expect([tampered.status, (await tampered.json()).error]).toEqual([400, 'InvalidJWT']);
    expect((await fetch(url.replace(/\?.*/, ''))).status).toBe(400);
    const written = await fetch(url.replace('/object/sign/', '/object/upload/sign/'), {
      method: 'PUT',
      body: 'x',
    });
    expect(written.status).toBe(400);
    expect((await closed.createSignedUrl(mine('none.txt'), 60)).error).toMatchObject({
      statusCode: '404',
      message: 'Object not found',
    });
    expect((await closed.createSignedUrl(mine('letter 1.txt'), 0)).error).not.toBeNull();
  });

  it('open nothing once the member who asked for them may not read the file', async () => {
    const closed = shelf.ada.storage.from('closed');
    await closed.upload(
      mine('lent.png'),
      await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
      { contentType: 'image/png' },
    );
    const addresses = [
      (await closed.createSignedUrl(mine('lent.png'), 60)).data?.signedUrl,
      (await closed.createSignedUrls([mine('lent.png')], 60)).data?.[0]?.signedUrl,
      (await closed.createSignedUrl(mine('lent.png'), 60, { transform: { width: 5 } })).data?.signedUrl,
    ];
    const byService = (await shelf.service.storage.from('closed').createSignedUrl(mine('lent.png'), 60)).data;
    const token = (url?: string | null) => new URL(url ?? '').searchParams.get('token') ?? '';
    // Whoever has an address learns of its member no more than their id.
    expect(decodeJwt(token(addresses[0])).reader).toEqual({ role: 'authenticated', sub: ADA });
    const statuses = () => Promise.all(addresses.map(async (url) => (await fetch(url ?? '')).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    const policy = 'alter policy "Members read their folder" on storage.objects using';
    await shelf.sql.query(`${policy} (false)`);
    expect(await statuses()).toEqual([400, 400, 400]);
    expect((await fetch(byService?.signedUrl ?? '')).status).toBe(200);
    await shelf.sql.query(`${policy} ((storage.foldername(name))[1] = (select auth.uid())::text)`);
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  it('end', async () => {
    const closed = shelf.ada.storage.from('closed');
    await closed.upload(mine('brief.txt'), 'brief');
    const { data } = await closed.createSignedUrl(mine('brief.txt'), 1);
    await expect.poll(async () => (await fetch(data?.signedUrl ?? '')).status).toBe(400);
  });

  it('come in batches, with the reason where there is none', async () => {
    const closed = shelf.ada.storage.from('closed');
    await closed.upload(mine('batch.txt'), 'batch');
    const { data } = await closed.createSignedUrls([mine('batch.txt'), mine('none.txt')], 60);
    expect(data).toEqual([
      { path: mine('batch.txt'), error: null, signedURL: expect.any(String), signedUrl: expect.any(String) },
      expect.objectContaining({
        path: mine('none.txt'),
        error: 'Either the object does not exist or you do not have access to it',
      }),
    ]);
    expect(await (await fetch(data?.[0]?.signedUrl ?? '')).text()).toBe('batch');
  });

  it('let someone upload once', async () => {
    const closed = shelf.ada.storage.from('closed');
    const { data, error } = await closed.createSignedUploadUrl(mine('by-token.txt'));
    expect(error).toBeNull();
    const token = data?.token ?? '';
    const up = await shelf.anon.storage
      .from('closed')
      .uploadToSignedUrl(mine('by-token.txt'), token, 'by token', { contentType: 'text/plain' });
    expect(up.error).toBeNull();
    expect(await text((await closed.download(mine('by-token.txt'))).data)).toBe('by token');
    const { rows } = await shelf.sql.query('select owner_id from storage.objects where name = $1', [
      mine('by-token.txt'),
    ]);
    expect(rows).toEqual([{ owner_id: ADA }]);
    expect(
      (await shelf.anon.storage.from('closed').uploadToSignedUrl(mine('by-token.txt'), token, 'again')).error,
    ).toMatchObject({ statusCode: '409' });
    expect(
      (await shelf.anon.storage.from('closed').uploadToSignedUrl(mine('other.txt'), token, 'x')).error,
    ).toMatchObject({ code: 'InvalidJWT' });
    expect(
      (await shelf.ben.storage.from('closed').createSignedUploadUrl(mine('not-yours.txt'))).error,
    ).toMatchObject({ statusCode: '403' });
  });
});

describe('moving, copying, removing', () => {
  it('moves and copies within and between buckets', async () => {
    const closed = shelf.ada.storage.from('closed');
    await closed.upload(mine('one.txt'), 'one', { contentType: 'text/x-one', metadata: { a: 1 } });
    expect((await closed.move(mine('one.txt'), mine('deep/er/two.txt'))).data).toEqual({
      message: 'Successfully moved',
    });
    expect((await closed.download(mine('one.txt'))).error).not.toBeNull();
    const copied = await closed.copy(mine('deep/er/two.txt'), mine('three.txt'), {
      destinationBucket: 'open',
    });
    expect(copied.data).toMatchObject({ path: `open/${mine('three.txt')}` });
    const three = await shelf.ada.storage.from('open').info(mine('three.txt'));
    expect(three.data).toMatchObject({ contentType: 'text/x-one', size: 3, metadata: { a: 1 } });
    expect(
      (
        await shelf.ada.storage
          .from('open')
          .move(mine('three.txt'), mine('back.txt'), { destinationBucket: 'closed' })
      ).error,
    ).toBeNull();
    await closed.remove([mine('deep/er/two.txt')]);
    expect(await text((await closed.download(mine('back.txt'))).data)).toBe('one');
    await closed.upload(mine('taken.txt'), 'taken');
    expect((await closed.move(mine('back.txt'), mine('taken.txt'))).error).toMatchObject({
      statusCode: '409',
    });
    expect((await closed.copy(mine('back.txt'), mine('taken.txt'))).error).toMatchObject({
      statusCode: '409',
    });
    expect((await closed.move(mine('none.txt'), mine('x.txt'))).error).toMatchObject({ statusCode: '404' });
    expect((await closed.move(mine('back.txt'), '../x.txt')).error).toMatchObject({
      message: 'Invalid key: ../x.txt',
    });
    expect((await closed.move(mine('back.txt'), 'someone-else/x.txt')).error).toMatchObject({
      statusCode: '403',
    });
  });

  it('removes rows and files, and says which', async () => {
    const closed = shelf.ada.storage.from('closed');
    await closed.upload(mine('r1.txt'), '1');
    await closed.upload(mine('r2.txt'), '2');
    const files = shelf.files().length;
    const { data } = await closed.remove([mine('r1.txt'), mine('r2.txt'), mine('none.txt')]);
    expect(data?.map((row) => row.name).sort()).toEqual([mine('r1.txt'), mine('r2.txt')]);
    expect(shelf.files().length).toBe(files - 2);
    await closed.upload(mine('r3.txt'), '3');
    const one = await shelf.send(`/object/closed/${mine('r3.txt')}`, { method: 'DELETE' });
    expect(await one.json()).toEqual({ message: 'Successfully deleted' });
  });

  it('does not let a row go without its file', async () => {
    await shelf.ada.storage.from('closed').upload(mine('kept.txt'), 'kept');
    const attempt = shelf.sql.query(
      'begin; set local role service_role; delete from storage.objects; commit',
    );
    await expect(attempt).rejects.toMatchObject({ code: '42501' });
    await shelf.sql.query('rollback');
  });
});

describe('listing', () => {
  beforeAll(async () => {
    const service = shelf.service.storage;
    await service.createBucket('tree');
    for (const name of [
      'b.txt',
      'a.txt',
      'x/1.txt',
      'x/2.txt',
      'x/y/3.txt',
      'xx.txt',
      'per_cent.txt',
      'perXcent.txt',
    ]) {
      await service.from('tree').upload(name, name);
    }
  });

  it('shows a folder, files and folders apart', async () => {
    const tree = shelf.service.storage.from('tree');
    const { data } = await tree.list();
    expect(data?.map(({ name, id }) => [name, id !== null])).toEqual([
      ['a.txt', true],
      ['b.txt', true],
      ['perXcent.txt', true],
      ['per_cent.txt', true],
      ['x', false],
      ['xx.txt', true],
    ]);
    expect(data?.[0]).toMatchObject({
      metadata: {
        size: 5,
        mimetype: expect.stringContaining('text/plain'),
        cacheControl: 'max-age=3600',
        contentLength: 5,
        httpStatusCode: 200,
      },
      created_at: expect.any(String),
    });
    expect(data?.[4]).toMatchObject({ name: 'x', id: null, metadata: null, created_at: null });
    expect((await tree.list('x')).data?.map(({ name }) => name)).toEqual(['1.txt', '2.txt', 'y']);
    expect((await tree.list('x/y/')).data?.map(({ name }) => name)).toEqual(['3.txt']);
    expect((await tree.list('nothing')).data).toEqual([]);
  });

  it('sorts, pages and searches', async () => {
    const tree = shelf.service.storage.from('tree');
    expect((await tree.list('', { limit: 2, offset: 1 })).data?.map(({ name }) => name)).toEqual([
      'b.txt',
      'perXcent.txt',
    ]);
    expect(
      (await tree.list('', { sortBy: { column: 'name', order: 'desc' }, limit: 1 })).data?.map(
        ({ name }) => name,
      ),
    ).toEqual(['xx.txt']);
    expect((await tree.list('', { search: 'per_' })).data?.map(({ name }) => name)).toEqual(['per_cent.txt']);
    const hostile = await tree.list('', {
      sortBy: { column: 'name; drop table storage.objects', order: 'asc' },
    });
    expect(hostile.error).not.toBeNull();
  });

  const byName = [
    'a.txt',
    'b.txt',
    'perXcent.txt',
    'per_cent.txt',
    'x/1.txt',
    'x/2.txt',
    'x/y/3.txt',
    'xx.txt',
  ];

  it('pages through everything with a cursor', async () => {
    const tree = shelf.service.storage.from('tree');
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { data, error } = await tree.listV2({ limit: 3, ...(cursor ? { cursor } : {}) });
      expect(error).toBeNull();
      seen.push(...(data?.objects.map(({ name }) => name) ?? []));
      cursor = data?.hasNext ? data.nextCursor : undefined;
    } while (cursor);
    expect(seen).toEqual(byName);
    const { data } = await tree.listV2({ prefix: 'x/', with_delimiter: true });
    expect(data?.folders).toEqual([{ key: 'y', name: 'x/y/' }]);
    expect(data?.objects).toEqual(
      ['1.txt', '2.txt'].map((key) => ({
        key,
        name: `x/${key}`,
        id: expect.any(String),
        updated_at: expect.any(String),
        created_at: expect.any(String),
        last_accessed_at: expect.any(String),
        metadata: expect.objectContaining({ mimetype: expect.any(String) }),
      })),
    );
    expect((await tree.listV2({ limit: 1 })).data?.objects[0]).not.toHaveProperty('key');
  });

  it('pages in the order of names or times, forwards and backwards, with folders first', async () => {
    const tree = shelf.service.storage.from('tree');
    const walk = async (
      column: 'name' | 'created_at' | 'updated_at',
      order: 'asc' | 'desc',
      folders: boolean,
    ) => {
      const seen: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const { data, error } = await tree.listV2({
          limit: 2,
          with_delimiter: folders,
          sortBy: { column, order },
          ...(cursor ? { cursor } : {}),
        });
        expect(error).toBeNull();
        seen.push(
          ...(data?.folders ?? []).map(({ name }) => name),
          ...(data?.objects ?? []).map(({ name }) => name),
        );
        if (!data?.hasNext) return seen;
        cursor = data.nextCursor;
      }
    };
    const byTime = [
      'b.txt',
      'a.txt',
      'x/1.txt',
      'x/2.txt',
      'x/y/3.txt',
      'xx.txt',
      'per_cent.txt',
      'perXcent.txt',
    ];
    expect(await walk('name', 'desc', false)).toEqual(byName.toReversed());
    expect(await walk('created_at', 'asc', false)).toEqual(byTime);
    expect(await walk('created_at', 'desc', false)).toEqual(byTime.toReversed());
    const outside = byTime.filter((name) => !name.startsWith('x/'));
    expect(await walk('created_at', 'asc', true)).toEqual(['x/', ...outside]);
    expect(await walk('created_at', 'desc', true)).toEqual(['x/', ...outside.toReversed()]);
    await tree.update('xx.txt', 'newer');
    expect((await walk('updated_at', 'desc', true)).slice(0, 2)).toEqual(['x/', 'xx.txt']);
    // Folders stand among the names.
    expect(
      (await tree.listV2({ with_delimiter: true, sortBy: { column: 'name', order: 'desc' } })).data,
    ).toMatchObject({
      folders: [{ name: 'x/' }],
      objects: [
        { name: 'xx.txt' },
        { name: 'per_cent.txt' },
        { name: 'perXcent.txt' },
        { name: 'b.txt' },
        { name: 'a.txt' },
      ],
    });
    for (const cursor of ['x', Buffer.from('{"key":"a","at":"now"}').toString('base64url')])
      expect((await tree.listV2({ cursor })).error).toMatchObject({ statusCode: '400' });
    const wrong = { column: 'id' as 'name', order: 'asc' as const };
    expect((await tree.listV2({ sortBy: wrong })).error).toMatchObject({ statusCode: '400' });
  });
});

describe('encoded bytes', () => {
  it('are stored as they come, and say how they are encoded when they are read', async () => {
    const closed = shelf.ada.storage.from('closed');
    const text = gzipSync('so many words');
    for (const [name, body] of [
      ['raw.gz', text],
      ['form.gz', new Blob([text])],
    ] as const) {
      const { error } = await closed.upload(mine(name), body, {
        contentType: 'text/plain',
        contentEncoding: 'gzip',
      });
      expect(error).toBeNull();
      const { data } = await closed.info(mine(name));
      expect(data).toMatchObject({ contentEncoding: 'gzip', size: text.length });
      expect(await (await closed.download(mine(name))).data?.text()).toBe('so many words');
    }
    await closed.copy(mine('raw.gz'), mine('plain.gz'), {
      copyMetadata: false,
      metadata: { contentEncoding: '', mimetype: 'application/gzip', cacheControl: 'max-age=5' },
    });
    expect((await closed.info(mine('plain.gz'))).data).toMatchObject({
      contentEncoding: null,
      contentType: 'application/gzip',
      cacheControl: 'max-age=5',
    });
    const back = await closed.download(mine('plain.gz'));
    expect(text.equals(Buffer.from((await back.data?.arrayBuffer()) ?? new ArrayBuffer(0)))).toBe(true);
    const bad = await closed.upload(mine('bad.gz'), text, { contentEncoding: 'gzip; x' });
    expect(bad.error).toMatchObject({ statusCode: '400' });
  });
});

describe('what is said about a file', () => {
  const storageUrl = () => `${shelf.backend.url}/storage/v1`;
  const asAda = async () => ({ authorization: `Bearer ${await shelf.token(ADA)}` });

  it('is the same at its address and in what is told of it', async () => {
    const closed = shelf.ada.storage.from('closed');
    await closed.upload(mine('told.txt'), 'x', { cacheControl: '77' });
    const { data } = await closed.info(mine('told.txt'));
    const headers = await asAda();
    for (const method of ['GET', 'HEAD']) {
      const told = await fetch(`${storageUrl()}/object/info/closed/${mine('told.txt')}`, { method, headers });
      expect(Object.fromEntries(told.headers), method).toMatchObject({
        etag: data?.etag,
        'last-modified': new Date(data?.lastModified ?? '').toUTCString(),
        'cache-control': 'private, no-cache',
      });
    }
    const { error } = await shelf.ada.storage
      .from('open')
      .upload(mine('told.txt'), 'x', { cacheControl: '77' });
    expect(error).toBeNull();
    const open = await fetch(`${storageUrl()}/object/info/public/open/${mine('told.txt')}`);
    expect(open.headers.get('cache-control')).toBe('public, max-age=77');
    const none = await fetch(`${storageUrl()}/object/info/closed/${mine('none')}`, {
      method: 'HEAD',
      headers,
    });
    expect([none.status, none.headers.get('etag')]).toEqual([400, null]);
  });

  it('lets a reader with a signed address keep it as long as its owner says and the address lives', async () => {
    const closed = shelf.ada.storage.from('closed');
    await closed.upload(mine('short.txt'), 'x', { cacheControl: '5' });
    await closed.upload(mine('long.txt'), 'x', { cacheControl: '31536000' });
    const kept = async (name: string) => {
      const { data } = await closed.createSignedUrl(mine(name), 60);
      const url = data?.signedUrl ?? '';
      const { headers } = await fetch(url);
      const { exp = 0 } = decodeJwt(new URL(url).searchParams.get('token') ?? '');
      expect(headers.get('expires')).toBe(new Date(exp * 1000).toUTCString());
      return headers.get('cache-control');
    };
    expect(await kept('short.txt')).toBe('private, max-age=5');
    expect(await kept('long.txt')).toMatch(/^private, max-age=(?:60|5\d)$/);
    // By their right alone, readers are asked for it each time.
    const own = await fetch(`${storageUrl()}/object/authenticated/closed/${mine('short.txt')}`, {
      headers: await asAda(),
    });
    expect(own.headers.get('cache-control')).toBe('private, no-cache');
  });

  it('goes with a copy, or is replaced by what the copy is given', async () => {
    const closed = shelf.ada.storage.from('closed');
    await closed.upload(mine('first.txt'), 'x', { cacheControl: '5', metadata: { made: 'by hand' } });
    const copy = async (destinationKey: string, body: object, headers: Record<string, string> = {}) => {
      const response = await fetch(`${storageUrl()}/object/copy`, {
        method: 'POST',
        headers: { ...(await asAda()), ...headers },
        body: JSON.stringify({ bucketId: 'closed', sourceKey: mine('first.txt'), destinationKey, ...body }),
      });
      return response.json();
    };
    const same = await copy(mine('second.txt'), {});
    expect(same).toMatchObject({
      Key: `closed/${mine('second.txt')}`,
      Id: same.id,
      name: mine('second.txt'),
      bucket_id: 'closed',
      metadata: { cacheControl: 'max-age=5', mimetype: expect.stringContaining('text/plain') },
      user_metadata: { made: 'by hand' },
    });
    const changed = await copy(
      mine('third.txt'),
      { copyMetadata: false, metadata: { cacheControl: 'max-age=9', mimetype: 'text/csv' } },
      { 'x-metadata': Buffer.from('{"made":"anew"}').toString('base64') },
    );
    expect(changed).toMatchObject({
      metadata: { cacheControl: 'max-age=9', mimetype: 'text/csv' },
      user_metadata: { made: 'anew' },
    });
    expect((await copy(mine('fourth.txt'), { copyMetadata: false })).user_metadata).toBeNull();
    const broken = await copy(mine('fifth.txt'), { copyMetadata: false }, { 'x-metadata': 'bm90IEpTT04=' });
    expect(broken).toMatchObject({ statusCode: '400' });
    expect((await closed.exists(mine('fifth.txt'))).data).toBe(false);
  });
});

describe('what is not served', () => {
  it('is refused by name, not left out in silence', async () => {
    const { service } = shelf;
    const open = service.storage.from('open');
    await open.upload('version.txt', 'x');
    const versionId = (await open.info('version.txt')).data?.version ?? '';
    const notEnabled = (feature: string) => ({
      status: 400,
      statusCode: '409',
      code: 'FeatureNotEnabled',
      message: `The feature ${feature} is not enabled for this resource`,
    });
    const versions = [
      open.info('version.txt', { versionId }),
      open.createSignedUrl('version.txt', 60, { versionId }),
      open.move('version.txt', 'moved.txt', { sourceVersionId: versionId }),
      open.copy('version.txt', 'copied.txt', { sourceVersionId: versionId }),
      open.remove([{ path: 'version.txt', versionId }]),
      open.list('', { noncurrentVersions: 'include' }),
      open.list('', { deleteMarkers: 'only' }),
      open.list('version.txt', { exactMatch: true }),
      open.listV2({ noncurrentVersions: 'only' }),
      service.storage.createBucket('kept', { public: false, versioningStatus: 'ENABLED' }),
      service.storage.updateBucket('open', { public: true, versioningStatus: 'SUSPENDED' }),
    ];
    for (const { error } of await Promise.all(versions))
      expect(error).toMatchObject(notEnabled('object versioning'));
    const { data: address } = open.getPublicUrl('version.txt', { versionId });
    expect(await (await fetch(address.publicUrl)).json()).toMatchObject({ code: 'FeatureNotEnabled' });
    expect((await open.download('version.txt', { versionId })).error).not.toBeNull();
    for (const type of ['ANALYTICS', 'VECTOR'])
      expect((await service.storage.createBucket('other', { public: false, type })).error).toMatchObject(
        notEnabled(`buckets of type ${type}`),
      );
    const standard = { public: false, type: 'STANDARD', versioningStatus: 'DISABLED' } as const;
    expect((await service.storage.createBucket('standard', standard)).error).toBeNull();
    const rules = [
      { status: 'Enabled' as const, filter: {}, noncurrentVersionExpiration: { noncurrentDays: 1 } },
    ];
    for (const { error } of [
      await service.storage.getBucketLifecycle('open'),
      await service.storage.updateBucketLifecycle('open', { rules }),
      await service.storage.deleteBucketLifecycle('open'),
    ])
      expect(error).toMatchObject(notEnabled('bucket lifecycle'));
    for (const { error } of [
      await open.purgeCache('version.txt'),
      await open.purgeCache('version.txt', { transformations: true }),
      await service.storage.purgeBucketCache('open'),
    ])
      expect(error).toMatchObject({
        status: 400,
        code: 'MissingParameter',
        message: 'Missing Required Parameter CDN_PURGE_ENDPOINT_URL is not set',
      });
    expect((await service.storage.vectors.listBuckets()).error).toMatchObject({ status: 404 });
    expect((await service.storage.analytics.listBuckets()).error).toMatchObject({ status: 404 });
    expect((await open.list()).data?.map(({ name }) => name)).toContain('version.txt');
  });

  it('says so', async () => {
    expect((await shelf.send('/s3/open')).status).toBe(404);
    const large = await shelf.send('/object/list/open', {
      method: 'POST',
      body: JSON.stringify({ prefix: 'x'.repeat(2_000_000) }),
    });
    expect(large.status).toBe(400);
    expect((await shelf.send('/object/list/open', { method: 'POST', body: '{' })).status).toBe(400);
  });
});
