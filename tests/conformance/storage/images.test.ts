import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import exifr from 'exifr';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADA, openStorage, type StorageFixture } from './fixtures.ts';

let shelf: StorageFixture;
let photo: Buffer;
const mine = (name: string) => `${ADA}/${name}`;

beforeAll(async () => {
  shelf = await openStorage();
  // 600 by 300, the left half red and the right half blue; its orientation tag says that it lies on its side.
  const half = { width: 300, height: 300, channels: 3 as const };
  const red = await sharp({ create: { ...half, background: '#ff0000' } })
    .png()
    .toBuffer();
  photo = await sharp({ create: { ...half, width: 600, background: '#0000ff' } })
    .composite([{ input: red, left: 0, top: 0 }])
    .withExif({
      IFD0: { Make: 'Clinic camera', Copyright: 'somebody' },
      IFD3: { GPSLatitude: '51/1 30/1 0/1' },
    })
    .jpeg({ quality: 95 })
    .toBuffer();
  for (const bucket of ['open', 'closed'])
    await shelf.ada.storage.from(bucket).upload(mine('photo.jpg'), photo, { contentType: 'image/jpeg' });
});
afterAll(() => shelf.stop());

const rendered = (name: string, query: string, headers: Record<string, string> = {}, bucket = 'open') =>
  fetch(`${shelf.backend.url}/storage/v1/render/image/public/${bucket}/${mine(name)}?${query}`, { headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
async function put(name: string, bytes: Buffer, contentType = 'image/png') {
  const { error } = await shelf.ada.storage
    .from('open')
    .upload(mine(name), bytes, { contentType, upsert: true });
  expect(error).toBeNull();
}
const renditionsOf = async (name: string) => {
  const { data } = await shelf.ada.storage.from('open').info(mine(name));
  const folder = join(shelf.backend.dataDir, 'files/renditions', data?.version ?? '');
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe('pictures at another size', () => {
  it('come through getPublicUrl, download and createSignedUrl', async () => {
    const wanted = { width: 120, height: 80, quality: 50 };
    const { publicUrl } = shelf.anon.storage.from('open').getPublicUrl(mine('photo.jpg'), {
      transform: wanted,
    }).data;
    const open = await fetch(publicUrl);
    expect([open.status, open.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const own = await shelf.ada.storage.from('closed').download(mine('photo.jpg'), { transform: wanted });
    expect([own.error, own.data?.type]).toEqual([null, 'image/jpeg']);
    const signed = await shelf.ada.storage.from('closed').createSignedUrl(mine('photo.jpg'), 60, {
      transform: wanted,
      download: 'small.jpg',
    });
    const byToken = await fetch(signed.data?.signedUrl ?? '');
    expect(byToken.headers.get('content-disposition')).toContain('small.jpg');
    for (const bytes of [
      await bytesOf(open),
      Buffer.from((await own.data?.arrayBuffer()) ?? new ArrayBuffer(0)),
      await bytesOf(byToken),
    ]) {
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 120, height: 80 });
      expect(bytes.length).toBeLessThan(photo.length);
    }
  });

  it('are WebP for readers that take it, unless they are to stay what they are', async () => {
    const browser = { accept: 'image/avif,image/webp,image/apng,*/*;q=0.8' };
    const webp = await rendered('photo.jpg', 'width=100', browser);
    expect([webp.headers.get('content-type'), webp.headers.get('vary')]).toEqual(['image/webp', 'accept']);
    expect((await sharp(await bytesOf(webp)).metadata()).format).toBe('webp');
    const origin = await rendered('photo.jpg', 'width=100&format=origin', browser);
    expect(origin.headers.get('content-type')).toBe('image/jpeg');
    for (const accept of ['image/webp;q=0', 'image/png', 'image/webpx'])
      expect((await rendered('photo.jpg', 'width=100', { accept })).headers.get('content-type')).toBe(
        'image/jpeg',
      );
    await put('drawing.png', await sharp(photo).png().toBuffer());
    await put('moving.gif', await sharp(photo).gif().toBuffer(), 'image/gif');
    expect((await rendered('drawing.png', 'height=50')).headers.get('content-type')).toBe('image/png');
    expect((await rendered('moving.gif', 'height=50')).headers.get('content-type')).toBe('image/gif');
  });

  it('are cut, fitted or stretched, and never enlarged', async () => {
    for (const [query, width, height] of [
      ['width=100&height=100', 100, 100],
      ['width=100&height=100&resize=cover', 100, 100],
      ['width=100&height=100&resize=contain', 100, 50],
      ['width=100&height=100&resize=fill', 100, 100],
      ['width=200', 200, 100],
      ['height=60', 120, 60],
      ['width=0&height=60', 120, 60],
      ['quality=20', 600, 300],
      ['width=2400&height=2400&resize=contain', 600, 300],
      ['width=2400', 600, 300],
      ['width=99999999', 600, 300],
    ] as const) {
      const response = await rendered('photo.jpg', query);
      expect([response.status, query]).toEqual([200, query]);
      expect(await sharp(await bytesOf(response)).metadata(), query).toMatchObject({ width, height });
    }
    // Cut from the middle, half of each colour; stretched, the same.
    const raw = await sharp(await bytesOf(await rendered('photo.jpg', 'width=100&height=100')))
      .raw()
      .toBuffer();
    expect([(raw[0] ?? 0) > 200, (raw[raw.length - 1] ?? 0) > 200]).toEqual([true, true]);
  });

  it('say what was done to them, in the words of the official service', async () => {
    for (const [query, said] of [
      ['width=200&height=100&quality=60', 'height:100,width:200,resizing_type:fill,quality:60'],
      ['width=50&resize=contain', 'width:50,resizing_type:fit'],
      ['height=50&resize=fill&format=origin', 'height:50,resizing_type:force'],
      ['quality=20&format=webp', 'quality:20,format:webp'],
      [
        'width=9&height=9&gravity=fp&x_offset=0.5&y_offset=1',
        'height:9,width:9,resizing_type:fill,gravity:fp:0.5:1',
      ],
      ['', null],
    ] as const)
      expect((await rendered('photo.jpg', query)).headers.get('x-transformations'), query).toBe(said);
  });

  it('are WebP for every reader, if it is asked for', async () => {
    const response = await rendered('photo.jpg', 'width=40&format=webp', { accept: 'image/png' });
    expect([response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
      'image/webp',
      null,
    ]);
    expect((await sharp(await bytesOf(response)).metadata()).format).toBe('webp');
  });

  it('keep what gravity points to when they are cut', async () => {
    const colours = async (query: string) => {
      const response = await rendered('photo.jpg', `width=100&height=100&${query}`);
      const bytes = await bytesOf(response);
      expect(await sharp(bytes).metadata(), query).toMatchObject({ width: 100, height: 100 });
      const raw = await sharp(bytes).raw().toBuffer();
      const name = (at: number) => ((raw[at] ?? 0) > 128 ? 'red' : 'blue');
      return `${name(15)} to ${name(3 * 84)}`;
    };
    // The picture is 200 by 100 before it is cut, and red up to its middle.
    for (const [query, seen] of [
      ['gravity=ce', 'red to blue'],
      ['gravity=we', 'red to red'],
      ['gravity=ea', 'blue to blue'],
      ['gravity=nowe', 'red to red'],
      ['gravity=soea', 'blue to blue'],
      ['gravity=no', 'red to blue'],
      ['gravity=we&x_offset=100', 'blue to blue'],
      ['gravity=ea&x_offset=0.5', 'red to red'],
      ['gravity=fp&x_offset=0&y_offset=0.5', 'red to red'],
      ['gravity=fp&x_offset=1&y_offset=1', 'blue to blue'],
    ])
      expect(await colours(query ?? ''), query).toBe(seen);
    expect((await rendered('photo.jpg', 'width=100&height=100&gravity=sm')).status).toBe(200);
    for (const wrong of [
      'gravity=up',
      'gravity=fp',
      'gravity=fp&x_offset=2&y_offset=0',
      'gravity=no&x_offset=x',
    ])
      expect((await rendered('photo.jpg', `width=9&height=9&${wrong}`)).status, wrong).toBe(400);
  });

  it('stand upright, and say nothing about where they are from', async () => {
    const lying = await sharp(photo).keepExif().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect((await exifr.parse(lying, true))?.Make).toBe('Clinic camera');
    await put('lying.jpg', lying, 'image/jpeg');
    for (const accept of ['image/webp', '*/*']) {
      const bytes = await bytesOf(await rendered('lying.jpg', 'width=100', { accept }));
      const found = await sharp(bytes).metadata();
      expect(found).toMatchObject({ width: 100, height: 200 });
      expect([found.exif, found.icc, found.xmp, found.orientation]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      expect(bytes.includes('Clinic camera')).toBe(false);
    }
  });

  it('answer ranges, conditions and HEAD as files do', async () => {
    const whole = await rendered('photo.jpg', 'width=90');
    const bytes = await bytesOf(whole);
    const etag = whole.headers.get('etag') ?? '';
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'content-length': String(bytes.length),
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
    });
    const part = await rendered('photo.jpg', 'width=90', { range: 'bytes=2-5' });
    expect([part.status, (await bytesOf(part)).equals(bytes.subarray(2, 6))]).toEqual([206, true]);
    const notModified = await rendered('photo.jpg', 'width=90', { 'if-none-match': etag });
    expect([notModified.status, notModified.headers.get('content-type')]).toEqual([304, null]);
    expect((await rendered('photo.jpg', 'width=91', { 'if-none-match': etag })).status).toBe(200);
    const head = await fetch(whole.url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });
});

describe('who may see them', () => {
  it('is whoever may see the object', async () => {
    const transform = { width: 50 };
    const path = `/render/image/authenticated/closed/${mine('photo.jpg')}?width=50`;
    expect(
      (await shelf.ada.storage.from('closed').download(mine('photo.jpg'), { transform })).error,
    ).toBeNull();
    for (const client of [shelf.ben, shelf.anon])
      expect(
        (await client.storage.from('closed').download(mine('photo.jpg'), { transform })).error,
      ).toMatchObject({ status: 400 });
    expect((await fetch(`${shelf.backend.url}/storage/v1${path}`)).status).toBe(400);
    const notPublic = await rendered('photo.jpg', 'width=50', {}, 'closed');
    expect([notPublic.status, (await notPublic.json()).message]).toEqual([400, 'Bucket not found']);
    expect(
      (await shelf.ben.storage.from('closed').createSignedUrl(mine('photo.jpg'), 60, { transform })).error,
    ).toMatchObject({ statusCode: '404' });
  });

  it('with a signed address, of this picture at this size alone', async () => {
    const closed = shelf.ada.storage.from('closed');
    const small = (await closed.createSignedUrl(mine('photo.jpg'), 60, { transform: { width: 50 } })).data;
    const url = small?.signedUrl ?? '';
    expect(url).toContain('/render/image/sign/');
    const larger = await fetch(`${url}&width=500&height=500`);
    expect(await sharp(await bytesOf(larger)).metadata()).toMatchObject({ width: 50, height: 25 });
    const file = (await closed.createSignedUrl(mine('photo.jpg'), 60)).data?.signedUrl ?? '';
    for (const misused of [
      url.replace('/render/image/sign/', '/object/sign/'),
      file.replace('/object/sign/', '/render/image/sign/'),
      url.replace('photo.jpg', 'other.jpg'),
      `${url.slice(0, -4)}AAAA`,
      url.replace(/\?.*/, ''),
    ]) {
      const response = await fetch(misused);
      expect([response.status, (await response.json()).code]).toEqual([400, 'InvalidJWT']);
    }
  });
});

describe('what is kept', () => {
  it('is the picture of this version, made once, gone with it', async () => {
    await put('changing.png', await sharp(photo).png().toBuffer());
    const many = await Promise.all(Array.from({ length: 20 }, () => rendered('changing.png', 'width=10')));
    const first = await bytesOf(many[0] ?? Response.error());
    for (const response of many.slice(1)) expect((await bytesOf(response)).equals(first)).toBe(true);
    expect(await renditionsOf('changing.png')).toHaveLength(1);
    const { data: before } = await shelf.ada.storage.from('open').info(mine('changing.png'));
    const blue = { create: { width: 20, height: 20, channels: 3 as const, background: '#0000ff' } };
    await put('changing.png', await sharp(blue).png().toBuffer());
    const second = await sharp(await bytesOf(await rendered('changing.png', 'width=10')))
      .raw()
      .toBuffer();
    expect([...second.subarray(0, 3)]).toEqual([0, 0, 255]);
    expect(existsSync(join(shelf.backend.dataDir, 'files/renditions', before?.version ?? ''))).toBe(false);
    await shelf.ada.storage.from('open').remove([mine('changing.png')]);
    expect((await rendered('changing.png', 'width=10')).status).toBe(400);
  });

  it('shows a private picture to no one who may not see it any more', async () => {
    await shelf.service.storage.updateBucket('open', { public: false });
    expect((await rendered('photo.jpg', 'width=100')).status).toBe(400);
    await shelf.service.storage.updateBucket('open', { public: true });
    expect((await rendered('photo.jpg', 'width=100')).status).toBe(200);
  });
});

describe('what is refused', () => {
  const refusal = async (name: string, query = 'width=10') => {
    const response = await rendered(name, query);
    return [response.status, await response.json()];
  };
  const invalid = [
    400,
    { statusCode: '422', code: 'InvalidRequest', error: 'InvalidRequest', message: 'Invalid source image' },
  ];

  it('sizes, qualities and formats that there are not', async () => {
    for (const query of [
      'width=-1',
      'width=1.5',
      'width=wide',
      'height=-10',
      'quality=19',
      'quality=101',
      'resize=inside',
      'format=avif',
    ]) {
      const [status, body] = await refusal('photo.jpg', query);
      expect([status, body.code], query).toEqual([400, 'InvalidRequest']);
      expect(body.message).toContain(`querystring/${query.split('=')[0]}`);
    }
    const { error } = await shelf.ada.storage
      .from('open')
      .createSignedUrl(mine('photo.jpg'), 60, { transform: { quality: 1 } });
    expect(error?.message).toContain('body/transform/quality');
    const versioned = shelf.anon.storage.from('open').getPublicUrl(mine('photo.jpg'), {
      transform: { width: 1 },
      versionId: 'x',
    }).data.publicUrl;
    expect((await (await fetch(versioned)).json()).code).toBe('FeatureNotEnabled');
  });

  it('files that are no pictures, whatever they are called', async () => {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
    await put('text.png', Buffer.from('not a picture'));
    await put('drawing.svg', Buffer.from(drawing), 'image/svg+xml');
    await put('cut.jpg', photo.subarray(0, photo.length / 2), 'image/jpeg');
    await put('empty.png', Buffer.alloc(0));
    await put('huge.png', Buffer.concat([photo, Buffer.alloc(25_000_001)]));
    for (const name of ['text.png', 'drawing.svg', 'cut.jpg', 'empty.png', 'huge.png'])
      expect(await refusal(name), name).toEqual(invalid);
    expect((await refusal('nothing.png'))[1].message).toBe('Object not found');
  });

  it('pictures made to overwhelm, by what they say of themselves, and the next one is fine', async () => {
    await put('bomb.png', flatPng(17_000));
    const frame = { create: { width: 4, height: 4, channels: 3 as const, background: '#00ff00' } };
    const frames = await Promise.all(
      Array.from({ length: 201 }, (_, n) =>
        sharp({ create: { ...frame.create, background: { r: (n % 2) * 255, g: n, b: 255 - n } } })
          .png()
          .toBuffer(),
      ),
    );
    await put(
      'film.webp',
      await sharp(frames, { join: { animated: true } })
        .webp()
        .toBuffer(),
      'image/webp',
    );
    expect(await refusal('bomb.png')).toEqual(invalid);
    expect(await refusal('film.webp')).toEqual(invalid);
    expect((await rendered('photo.jpg', 'width=33')).status).toBe(200);
  });
});

/** A square PNG of one colour: a few kilobytes that would take a third of a gigabyte in memory. */
function flatPng(edge: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edge);
  header.writeUInt32BE(edge, 4);
  header[8] = 1;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((Math.ceil(edge / 8) + 1) * edge))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
