import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { ADA, BEN, openStorage } from './fixtures.ts';

const shelf = await openStorage();
afterAll(() => shelf.stop());

const mine = (name: string) => `${ADA}/${name}`;
const text = async (blob: Blob | null) => blob && (await blob.text());

describe('upload and download', () => {
  it('keeps bytes, type, caching and metadata', async () => {
    const bytes = randomBytes(300_000);
    const closed = shelf.ada.storage.from('closed');
    const { data, error } = await closed.upload(mine('a/photo.png'), bytes, {
      contentType: 'image/png',
      cacheControl: '31536000',
      metadata: { taken: 'in the clinic', n: 1 },
    });
    expect(error).toBeNull();
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      path: mine('a/photo.png'),
      fullPath: `closed/${mine('a/photo.png')}`,
    });
    const back = await closed.download(mine('a/photo.png'));
    expect(back.data?.type).toBe('image/png');
    expect(bytes.equals(Buffer.from((await back.data?.arrayBuffer()) ?? new ArrayBuffer(0)))).toBe(true);

    const info = await closed.info(mine('a/photo.png'));
    expect(info.data).toMatchObject({
      id: data?.id,
      name: mine('a/photo.png'),
      bucketId: 'closed',
      size: 300_000,
      contentType: 'image/png',
      cacheControl: 'max-age=31536000',
      metadata: { taken: 'in the clinic', n: 1 },
    });
    expect((await closed.exists(mine('a/photo.png'))).data).toBe(true);
    expect((await closed.exists(mine('a/other.png'))).data).toBe(false);
    const { rows } = await shelf.sql.query('select owner, owner_id from storage.objects where name = $1', [
      mine('a/photo.png'),
    ]);
    expect(rows).toEqual([{ owner: ADA, owner_id: ADA }]);
  });

  it('takes forms, text, streams and nothing at all', async () => {
    const closed = shelf.ada.storage.from('closed');
    const form = await closed.upload(mine('form.txt'), new Blob(['from a form'], { type: 'text/plain' }), {
      cacheControl: '60',
      metadata: { from: 'form' },
    });
    expect(form.error).toBeNull();
    expect((await closed.info(mine('form.txt'))).data).toMatchObject({
      contentType: 'text/plain',
      cacheControl: 'max-age=60',
      metadata: { from: 'form' },
      size: 11,
    });
    expect((await closed.upload(mine('plain.txt'), 'grüße')).error).toBeNull();
    const plain = await closed.download(mine('plain.txt'));
    expect([plain.data?.type.toLowerCase(), await text(plain.data)]).toEqual([
      'text/plain;charset=utf-8',
      'grüße',
    ]);
    const stream = new Blob(['a stream']).stream();
    expect(
      (
        await closed.upload(mine('stream.bin'), stream, {
          duplex: 'half',
          contentType: 'application/x-thing',
        })
      ).error,
    ).toBeNull();
    expect(await text((await closed.download(mine('stream.bin'))).data)).toBe('a stream');
    expect(
      (await closed.upload(mine('empty.bin'), new ArrayBuffer(0), { contentType: 'application/x-thing' }))
        .error,
    ).toBeNull();
    expect((await closed.upload(mine('empty-form.bin'), new Blob([]))).error).toBeNull();
    expect(await text((await closed.download(mine('empty.bin'))).data)).toBe('');
    expect((await closed.info(mine('empty-form.bin'))).data?.size).toBe(0);
  });

  it('refuses a second upload, unless it may replace the first', async () => {
    const closed = shelf.ada.storage.from('closed');
    const first = await closed.upload(mine('again.txt'), 'one');
    const second = await closed.upload(mine('again.txt'), 'two');
    expect(second.error).toMatchObject({
      status: 400,
      statusCode: '409',
      message: 'The resource already exists',
    });
    const before = shelf.files().length;
    const upsert = await closed.upload(mine('again.txt'), 'three', { upsert: true });
    expect([upsert.error, upsert.data?.id]).toEqual([null, first.data?.id]);
    const update = await closed.update(mine('again.txt'), 'four', { contentType: 'text/x-four' });
    expect([update.error, update.data?.id]).toEqual([null, first.data?.id]);
    const back = await closed.download(mine('again.txt'));
    expect([back.data?.type, await text(back.data)]).toEqual(['text/x-four', 'four']);
    expect(shelf.files().length).toBe(before);
    const missing = await closed.update(mine('nothing.txt'), 'x');
    expect(missing.error).toMatchObject({ statusCode: '404', message: 'Object not found' });
  });

  it('keeps names of every script and sign, and refuses those that lead astray', async () => {
    const closed = shelf.ada.storage.from('closed');
    for (const name of ["it's a (test) !.txt", 'a&b $@=;:+,?.txt', 'прот-ез/日本.txt']) {
      const up = await closed.upload(mine(name), name);
      expect(up.error, name).toBeNull();
      expect(await text((await closed.download(mine(name))).data)).toBe(name);
    }
    for (const path of [
      `${ADA}//x`,
      `${ADA}/a%2Fb`,
      `${ADA}/a%00b`,
      `${ADA}/a%5Cb`,
      `${ADA}/%FF`,
      `${ADA}/${'x'.repeat(5000)}`,
      `${ADA}/`,
    ]) {
      const response = await shelf.send(`/object/closed/${path}`, { method: 'POST', body: 'x' });
      expect(response.status, path).toBe(400);
      expect(Object.keys(await response.json()).sort()).toEqual(['code', 'error', 'message', 'statusCode']);
    }
    for (const path of [
      `${BEN}/../${ADA}/x`,
      `${BEN}/%2e%2e/${ADA}/x`,
      `${BEN}/..%2f${ADA}/x`,
      `../closed/${ADA}/x`,
    ]) {
      expect(await rawStatus(`/storage/v1/object/closed/${path}`), path).toBe(400);
    }
    const { data } = await closed.list(ADA, { search: 'x' });
    expect(data).toEqual([]);
  });

  /** Sends a path unnormalised, as no ordinary client does, as Ben. */
  async function rawStatus(path: string): Promise<number | undefined> {
    const { hostname, port } = new URL(shelf.backend.url);
    const headers = { authorization: `Bearer ${await shelf.token(BEN)}`, 'content-length': 1 };
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.once('error', reject);
      sent.end('x');
    });
  }

  it('answers ranges, conditions and downloads by name', async () => {
    await shelf.ada.storage.from('open').upload(mine('ten.txt'), '0123456789', { cacheControl: '31536000' });
    const url = shelf.anon.storage.from('open').getPublicUrl(mine('ten.txt')).data.publicUrl;
    const whole = await fetch(url);
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': expect.stringContaining('max-age=31536000'),
      'content-length': '10',
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
    });
    const etag = whole.headers.get('etag') ?? '';
    const modified = whole.headers.get('last-modified') ?? '';
    const getRange = async (headers: Record<string, string>) => {
      const response = await fetch(url, { headers });
      return [response.status, await response.text(), response.headers.get('content-range')];
    };
    expect(await getRange({ range: 'bytes=2-4' })).toEqual([206, '234', 'bytes 2-4/10']);
    expect(await getRange({ range: 'bytes=7-' })).toEqual([206, '789', 'bytes 7-9/10']);
    expect(await getRange({ range: 'bytes=-2' })).toEqual([206, '89', 'bytes 8-9/10']);
    expect(await getRange({ range: 'bytes=0-99' })).toEqual([206, '0123456789', 'bytes 0-9/10']);
    expect(await getRange({ range: 'bytes=10-' })).toEqual([416, '', 'bytes */10']);
    expect(await getRange({ range: 'bytes=2-4', 'if-range': etag })).toEqual([206, '234', 'bytes 2-4/10']);
    expect(await getRange({ range: 'bytes=2-4', 'if-range': '"other"' })).toEqual([200, '0123456789', null]);
    expect(await getRange({ 'if-none-match': etag })).toEqual([304, '', null]);
    expect(await getRange({ 'if-none-match': '"other"' })).toEqual([200, '0123456789', null]);
    expect(await getRange({ 'if-modified-since': modified })).toEqual([304, '', null]);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    const named = shelf.anon.storage
      .from('open')
      .getPublicUrl(mine('ten.txt'), { download: 'Zehn "10" ½.txt' }).data.publicUrl;
    expect((await fetch(named)).headers.get('content-disposition')).toBe(
      `attachment; filename="Zehn _10_ _.txt"; filename*=UTF-8''Zehn%20%2210%22%20%C2%BD.txt`,
    );
  });

  it('never serves what a browser would run', async () => {
    for (const [name, type] of [
      ['page.html', 'text/html'],
      ['drawing.svg', 'image/svg+xml'],
      ['page.xhtml', 'application/xhtml+xml; charset=utf-8'],
    ] as const) {
      await shelf.service.storage
        .from('open')
        .upload(name, '<script>alert(1)</script>', { contentType: type });
      const response = await fetch(shelf.anon.storage.from('open').getPublicUrl(name).data.publicUrl);
      expect(response.headers.get('content-type')).toBe('text/plain');
    }
  });

  it('counts the bytes as they come', async () => {
    const small = shelf.ada.storage.from('small');
    const before = shelf.files().length;
    expect((await small.upload(mine('fits.bin'), Buffer.alloc(1000))).error).toBeNull();
    expect((await small.upload(mine('fits-form.bin'), new Blob([Buffer.alloc(1000)]))).error).toBeNull();
    for (const body of [
      Buffer.alloc(1001),
      new Blob([Buffer.alloc(1001)]),
      new Blob([Buffer.alloc(4_000_000)]),
      Buffer.alloc(4_000_000),
    ]) {
      const { error } = await small.upload(mine('too-big.bin'), body);
      expect(error).toMatchObject({
        statusCode: '413',
        message: 'The object exceeded the maximum allowed size',
      });
    }
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
    const { error } = await small.upload(mine('endless.bin'), endless, { duplex: 'half' });
    expect(error).not.toBeNull();
    await expect.poll(() => shelf.files().length).toBe(before + 2);
    const { rows } = await shelf.sql.query(
      `select name from storage.objects where bucket_id = 'small' order by name`,
    );
    expect(rows.map((row) => row.name)).toEqual([mine('fits-form.bin'), mine('fits.bin')]);
  });

  it('takes only the types its bucket allows', async () => {
    const pictures = shelf.ada.storage.from('pictures');
    expect((await pictures.upload(mine('a.png'), 'x', { contentType: 'image/png' })).error).toBeNull();
    expect((await pictures.upload(mine('a.mp4'), 'x', { contentType: 'video/mp4' })).error).toBeNull();
    const wrong = await pictures.upload(mine('a.jpg'), 'x', { contentType: 'image/jpeg' });
    expect(wrong.error).toMatchObject({
      statusCode: '415',
      message: 'mime type image/jpeg is not supported',
    });
    const form = await pictures.upload(mine('b.jpg'), new Blob(['x'], { type: 'image/jpeg' }));
    expect(form.error).toMatchObject({ statusCode: '415' });
  });

  describe('refuses a form that breaks off inside its file', () => {
    const head = (type: string) =>
      `--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: ${type}\r\n\r\nabc`;
    const field = '--b\r\ncontent-disposition: form-data; name="metadata"\r\n\r\n{\r\n';
    const name = mine('broken-off');
    const address = async () => `/object/closed/${name}`;
    const signedAddress = async () => {
      const { data } = await shelf.ada.storage.from('closed').createSignedUploadUrl(name);
      return `/object/upload/sign/closed/${name}?token=${data?.token}`;
    };
    /** The rest of the form does not come before its file is being written. */
    const slowly = (text: string, isWritten: () => boolean) =>
      new ReadableStream({
        async start(controller) {
          controller.enqueue(Buffer.from(text));
          await expect.poll(isWritten).toBe(true);
          controller.close();
        },
      });
    const broken = ['400', 'The form cannot be read'];

    it.each([
      ['before it is written', address, 'POST', head('text/plain'), broken],
      ['at a signed address', signedAddress, 'PUT', head('text/plain'), broken],
      [
        'and whose type its bucket does not take',
        async () => `/object/pictures/${name}`,
        'POST',
        head('text/plain'),
        ['415', 'mime type text/plain is not supported'],
      ],
      [
        'and has a field that makes no sense',
        address,
        'POST',
        field + head('text/plain'),
        ['400', 'metadata must be a JSON object'],
      ],
      ['while it is written', address, 'POST', slowly, broken],
    ])('%s, and keeps nothing of it', async (_, addressOf, method, sent, refusal) => {
      const before = shelf.files().length;
      const body =
        typeof sent === 'string' ? sent : sent(head('text/plain'), () => shelf.files().length > before);
      const answer = await fetch(`${shelf.backend.url}/storage/v1${await addressOf()}`, {
        method,
        headers: {
          authorization: `Bearer ${await shelf.token(ADA)}`,
          'content-type': 'multipart/form-data; boundary=b',
        },
        body,
        duplex: 'half',
      } as RequestInit);
      const { statusCode, message } = await answer.json();
      expect([statusCode, message]).toEqual(refusal);
      await expect.poll(() => shelf.files().length).toBe(before);
    });
  });

  it('gives readers one version or the other while it is being replaced, whole', async () => {
    const open = shelf.ada.storage.from('open');
    const word = (n: number) => `version ${n} `.repeat(3000);
    await open.upload(mine('replaced.txt'), word(0));
    let newest = 0;
    const writing = (async () => {
      for (let n = 1; n <= 40; n++) {
        const { error } = await open.upload(mine('replaced.txt'), word(n), { upsert: true });
        expect(error).toBeNull();
        newest = n;
      }
    })().finally(() => {
      newest = 40;
    });
    const reading = Array.from({ length: 4 }, async () => {
      while (newest < 40) {
        const before = newest;
        const { data, error } = await open.download(mine('replaced.txt'));
        expect(error).toBeNull();
        const found = Number((await data?.text())?.split(' ')[1]);
        expect(data?.size).toBe(word(found).length);
        expect(found).toBeGreaterThanOrEqual(before);
      }
    });
    await Promise.all([writing, ...reading]);
    expect((await open.copy(mine('replaced.txt'), mine('replaced-copy.txt'))).error).toBeNull();
  });

  it('serves large files piece by piece', async () => {
    const bytes = randomBytes(1 << 20);
    const parts = Array.from({ length: 40 }, () => bytes);
    expect(
      (await shelf.ada.storage.from('open').upload(mine('large.bin'), new Blob(parts))).error,
    ).toBeNull();
    const response = await fetch(
      shelf.anon.storage.from('open').getPublicUrl(mine('large.bin')).data.publicUrl,
    );
    let size = 0;
    for await (const chunk of response.body ?? []) size += chunk.length;
    expect(size).toBe(40 << 20);
  });
});

describe('row-level security', () => {
  it('lets no one write or read outside their folder', async () => {
    const { ada, ben, anon } = shelf;
    await ada.storage.from('closed').upload(mine('secret.txt'), 'secret');
    const before = shelf.files().length;
    const forged = await ben.storage.from('closed').upload(mine('forged.txt'), 'x');
    expect(forged.error).toMatchObject({
      statusCode: '403',
      message: 'new row violates row-level security policy',
    });
    expect((await anon.storage.from('open').upload('x.txt', 'x')).error).toMatchObject({ statusCode: '403' });
    expect(
      (await ben.storage.from('closed').upload(mine('secret.txt'), 'x', { upsert: true })).error,
    ).toMatchObject({ statusCode: '403' });
    expect((await ben.storage.from('closed').update(mine('secret.txt'), 'x')).error).not.toBeNull();
    expect((await ben.storage.from('closed').download(mine('secret.txt'))).error).toMatchObject({
      status: 400,
    });
    expect((await anon.storage.from('closed').download(mine('secret.txt'))).error).not.toBeNull();
    expect((await ben.storage.from('closed').info(mine('secret.txt'))).error).not.toBeNull();
    expect((await ben.storage.from('closed').createSignedUrl(mine('secret.txt'), 60)).error).toMatchObject({
      statusCode: '404',
    });
    expect((await ben.storage.from('closed').move(mine('secret.txt'), 'box/y.txt')).error).not.toBeNull();
    expect((await ben.storage.from('closed').copy(mine('secret.txt'), 'box/y.txt')).error).not.toBeNull();
    expect((await ben.storage.from('closed').remove([mine('secret.txt')])).data).toEqual([]);
    expect((await ben.storage.from('closed').list(ADA)).data).toEqual([]);
    expect(await text((await ada.storage.from('closed').download(mine('secret.txt'))).data)).toBe('secret');
    expect(shelf.files().length).toBe(before);
  });

  it('needs no right to read in order to write', async () => {
    const { error } = await shelf.anon.storage.from('closed').upload('box/letter.txt', 'hello');
    expect(error).toBeNull();
    expect((await shelf.anon.storage.from('closed').download('box/letter.txt')).error).not.toBeNull();
    expect(await text((await shelf.service.storage.from('closed').download('box/letter.txt')).data)).toBe(
      'hello',
    );
  });

  it('does not show a private file at a public address', async () => {
    await shelf.ada.storage.from('closed').upload(mine('private.txt'), 'private');
    for (const path of [
      `/object/public/closed/${mine('private.txt')}`,
      `/object/public/open/../closed/${mine('private.txt')}`,
      `/object/public/open/%2e%2e/closed/${mine('private.txt')}`,
      `/object/public/open/..%2fclosed%2f${mine('private.txt')}`,
    ]) {
      const response = await fetch(`${shelf.backend.url}/storage/v1${path}`);
      expect([response.status, (await response.json()).statusCode], path).toEqual([
        400,
        expect.stringMatching(/^40[04]$/),
      ]);
    }
  });

  it('refuses bad tokens', async () => {
    const response = await fetch(`${shelf.backend.url}/storage/v1/bucket`, {
      headers: { authorization: 'Bearer test-api-key' },
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { statusCode: '403', error: 'Unauthorized', message: 'Invalid Compact JWS' },
    ]);
  });
});
