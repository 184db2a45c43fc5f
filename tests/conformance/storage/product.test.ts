import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { person as newPerson, operator, type Person, visitor } from '../auth/fixtures.ts';
import { ownBackend } from '../own-backend.ts';

// The rights on the product's buckets; ST1 to ST9 of the threat table by their numbers.
const BUCKETS = ['incoming-media', 'pending-media', 'solution-media', 'avatars'];

const { backend, database } = await ownBackend();
const service = operator(backend);
let picture: Buffer;
let one: Person;
let two: Person;
let moderator: Person;
let nobody: Person;

beforeAll(async () => {
  const create = { width: 80, height: 60, channels: 3 as const, background: '#336699' };
  picture = await sharp({ create }).webp().toBuffer();
  [one, two, moderator] = [await person(), await person(), await person('moderator')];
  nobody = { id: randomUUID(), client: visitor(backend) };
});

const person = (role?: string) => newPerson(backend, database, role);

const optionsIn = (bucket: string) => ({
  contentType: bucket === 'incoming-media' ? 'video/mp4' : 'image/webp',
});
const options = optionsIn('pending-media');
/** As the product's functions do it. */
async function registerUpload(bucket: string, name: string) {
  // Otherwise it would be swept.
  if (bucket === 'incoming-media')
    await service.from('incoming_uploads').insert({ name, user_id: one.id }).throwOnError();
  const { error } = await service.storage
    .from(bucket)
    .upload(name, picture, { ...optionsIn(bucket), upsert: true });
  expect(error).toBeNull();
}
const hashOf = async (bucket: string, name: string) => {
  const { data } = await service.storage.from(bucket).download(name);
  return createHash('sha256')
    .update(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)))
    .digest('hex');
};
const authorization = async ({ client }: Person) => {
  const { data } = await client.auth.getSession();
  return { authorization: `Bearer ${data.session?.access_token ?? backend.anonKey}` };
};
const files = () =>
  readdirSync(join(backend.dataDir, 'files'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
const at = (route: string, bucket: string, name: string) =>
  fetch(`${backend.url}/storage/v1/${route}/${bucket}/${name}`);

describe('clients', () => {
  it('put nothing into any bucket, by none of the ways in (ST1)', async () => {
    const before = files().length;
    for (const who of [nobody, one, moderator]) {
      for (const bucket of BUCKETS) {
        const box = who.client.storage.from(bucket);
        for (const name of [`${who.id}/x.webp`, `${two.id}/x.webp`, 'x.webp']) {
          const refused = { statusCode: '403' };
          expect((await box.upload(name, picture, optionsIn(bucket))).error).toMatchObject(refused);
          expect(
            (
              await box.upload(
                name,
                new Blob([picture as Buffer<ArrayBuffer>], { type: optionsIn(bucket).contentType }),
              )
            ).error,
          ).toMatchObject(refused);
          expect((await box.createSignedUploadUrl(name)).error).toMatchObject(refused);
          expect(
            (await box.uploadToSignedUrl(name, 'x.y.z', picture, optionsIn(bucket))).error,
          ).not.toBeNull();
          const resumable = await fetch(`${backend.url}/storage/v1/upload/resumable`, {
            method: 'POST',
            headers: {
              ...(await authorization(who)),
              'tus-resumable': '1.0.0',
              'upload-length': '1',
              'upload-metadata': Object.entries({
                bucketName: bucket,
                objectName: name,
                ...optionsIn(bucket),
              })
                .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
                .join(','),
            },
          });
          expect(resumable.status).toBe(403);
        }
      }
    }
    expect(files().length).toBe(before);
  });

  it('replace, move, copy and remove nothing (ST2, ST3)', async () => {
    for (const bucket of BUCKETS) {
      const name = `${one.id}/${randomUUID()}/full.webp`;
      await registerUpload(bucket, name);
      const before = await hashOf(bucket, name);
      const other = await sharp(picture).resize(9).webp().toBuffer();
      for (const who of [nobody, one, two, moderator]) {
        const box = who.client.storage.from(bucket);
        expect((await box.upload(name, other, { ...optionsIn(bucket), upsert: true })).error).not.toBeNull();
        expect((await box.update(name, other, optionsIn(bucket))).error).not.toBeNull();
        expect((await box.move(name, `${one.id}/moved.webp`)).error).not.toBeNull();
        expect((await box.move(name, name, { destinationBucket: 'avatars' })).error).not.toBeNull();
        expect((await box.copy(name, `${one.id}/copied.webp`)).error).not.toBeNull();
        expect(
          (await box.copy(name, `${two.id}/x.webp`, { destinationBucket: 'solution-media' })).error,
        ).not.toBeNull();
        expect((await box.remove([name])).data).toEqual([]);
      }
      expect(await hashOf(bucket, name)).toBe(before);
    }
  });

  it('list what they may read and no more (ST4)', async () => {
    const folder = randomUUID();
    for (const bucket of BUCKETS) await registerUpload(bucket, `${one.id}/${folder}.webp`);
    const visibleNames = async (who: Person, bucket: string) =>
      (await who.client.storage.from(bucket).list(one.id)).data?.some(
        ({ name }) => name === `${folder}.webp`,
      );
    const table = await Promise.all(
      [nobody, one, two, moderator].map((who) =>
        Promise.all(BUCKETS.map((bucket) => visibleNames(who, bucket))),
      ),
    );
    expect(table).toEqual([
      [false, false, false, false],
      [false, true, false, true],
      [false, false, false, false],
      [false, true, true, false],
    ]);
    for (const bucket of BUCKETS) {
      expect((await nobody.client.storage.from(bucket).list()).data).toEqual([]);
      expect((await two.client.storage.from(bucket).listV2()).data).toMatchObject({
        objects: [],
        folders: [],
      });
    }
  });

  it('list at a price that does not grow with what others have: of no file is it asked who sees it (ST4)', async () => {
    const name = `${one.id}/${randomUUID()}.webp`;
    await registerUpload('pending-media', name);
    const { rows } = await database.query(
      "select pg_get_functiondef('private.sees_file(text)'::regprocedure) as text",
    );
    await database.query(`create or replace function private.sees_file(name text) returns boolean language plpgsql stable
      as $$ begin raise exception 'asked of %', name; end $$`);
    try {
      for (const who of [nobody, one, two, moderator]) {
        const box = who.client.storage.from('pending-media');
        const names = (await box.list(one.id, { limit: 1000 }).then(({ data }) => data))?.map(
          (file) => `${one.id}/${file.name}`,
        );
        const flat = (await box.listV2({ limit: 1000 })).data?.objects.map((file) => file.name);
        const isShown = who === one || who === moderator;
        expect([names?.includes(name), flat?.includes(name)]).toEqual([isShown, isShown]);
      }
      // By its name it is asked for.
      expect((await two.client.storage.from('pending-media').download(name)).error).not.toBeNull();
    } finally {
      await database.query(rows[0].text);
    }
  });

  it('administrate no bucket, and every bucket has its types and its size (ST8)', async () => {
    for (const { client } of [nobody, one, moderator]) {
      expect((await client.storage.createBucket('mine', { public: true })).error).toMatchObject({
        statusCode: '403',
      });
      for (const bucket of BUCKETS) {
        expect((await client.storage.updateBucket(bucket, { public: true })).error).not.toBeNull();
        expect((await client.storage.emptyBucket(bucket)).error).not.toBeNull();
        expect((await client.storage.deleteBucket(bucket)).error).not.toBeNull();
      }
    }
    const { data } = await service.storage.listBuckets();
    expect(data?.map((bucket) => [bucket.id, bucket.public]).sort()).toEqual([
      ['avatars', true],
      ['incoming-media', false],
      ['pending-media', false],
      ['solution-media', true],
    ]);
    // A clip that was begun.
    await service.from('incoming_uploads').insert({ name: 'x.html', user_id: one.id }).throwOnError();
    for (const bucket of data ?? []) {
      expect(bucket.allowed_mime_types?.length).toBeGreaterThan(0);
      expect(bucket.file_size_limit).toBeGreaterThan(0);
      const { error } = await service.storage
        .from(bucket.id)
        .upload('x.html', '<p>', { contentType: 'text/html' });
      expect(error).toMatchObject({ statusCode: '415' });
    }
  });
});

describe('what no one has reviewed', () => {
  it('is not to be had as it was sent, by anyone (ST11)', async () => {
    const name = `${one.id}/${randomUUID()}`;
    await registerUpload('incoming-media', name);
    for (const who of [nobody, one, two, moderator]) {
      const box = who.client.storage.from('incoming-media');
      expect((await box.download(name)).error).not.toBeNull();
      expect((await box.info(name)).error).not.toBeNull();
      expect((await box.createSignedUrl(name, 60)).error).not.toBeNull();
    }
    for (const route of ['object/public', 'object/authenticated', 'object', 'render/image/public'])
      expect((await at(route, 'incoming-media', name)).status, route).toBe(400);
    expect((await service.storage.from('incoming-media').download(name)).data?.size).toBe(picture.length);
  });

  it('is at no public address, at no size, and gone everywhere with its removal (ST5)', async () => {
    const name = `${one.id}/${randomUUID()}/full.webp`;
    await registerUpload('pending-media', name);
    for (const route of [
      'object/public',
      'object/authenticated',
      'object',
      'render/image/public',
      'render/image/authenticated',
      'object/info/public',
    ])
      expect((await at(route, 'pending-media', name)).status, route).toBe(400);
    const transform = { width: 20 };
    expect(
      (await two.client.storage.from('pending-media').download(name, { transform })).error,
    ).not.toBeNull();
    const own = one.client.storage.from('pending-media');
    expect((await own.download(name, { transform })).data?.size).toBeGreaterThan(0);
    const signed = [
      (await own.createSignedUrl(name, 60)).data?.signedUrl ?? '',
      (await own.createSignedUrl(name, 60, { transform })).data?.signedUrl ?? '',
    ];
    for (const url of signed) expect((await fetch(url)).status).toBe(200);

    await service.storage.from('pending-media').move(name, name, { destinationBucket: 'solution-media' });
    for (const url of signed) expect((await fetch(url)).status).toBe(400);
    expect((await at('object/public', 'solution-media', name)).status).toBe(200);
    expect((await at('render/image/public', 'solution-media', `${name}?width=20`)).status).toBe(200);
    const { data } = await service.storage.from('solution-media').info(name);
    const renditions = join(backend.dataDir, 'files/renditions', data?.version ?? '');
    expect(existsSync(renditions)).toBe(true);
    await service.storage.from('solution-media').remove([name]);
    expect((await at('object/public', 'solution-media', name)).status).toBe(400);
    expect((await at('render/image/public', 'solution-media', `${name}?width=20`)).status).toBe(400);
    expect(existsSync(renditions)).toBe(false);
  });
});

describe('what is served', () => {
  it('says what it is and is never run (ST6)', async () => {
    const script = Buffer.from('GIF89a/*<html><script>alert(1)</script>*/=1;alert(1)');
    const name = `${one.id}/${randomUUID()}/card.webp`;
    await service.storage.from('solution-media').upload(name, script, options);
    for (const query of ['', '?download=x.html']) {
      const { headers } = await at('object/public', 'solution-media', name + query);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/webp',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
    }
    const rendered = await at('render/image/public', 'solution-media', `${name}?width=20`);
    expect([rendered.status, (await rendered.json()).message]).toEqual([400, 'Invalid source image']);
    for (const [file, type] of [
      ['x.png', 'image/png'],
      ['x.svg', 'image/svg+xml'],
      ['x.html', 'text/html'],
    ] as const) {
      const body = new FormData();
      body.set('file', new File([script as Buffer<ArrayBuffer>], file, { type }));
      body.set('userId', one.id);
      const { error } = await one.client.functions.invoke('process-media-upload', { body });
      expect(error.context.status).toBe(415);
    }
  });
});
