import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import { receiveUpload } from '../../media/receive.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { TIMEOUT_MS } from '../timeouts.ts';
import { phonePicture } from './files.ts';

const within = temporaryFolder('receive');

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Array(100).fill(0)]);
const MP4 = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), Buffer.alloc(100)]);

function form(content: Buffer, name = 'x.jpg', type = 'image/jpeg', userId = 'someone'): Request {
  const body = new FormData();
  body.set('userId', userId);
  body.set('file', new File([new Uint8Array(content)], name, { type }));
  return new Request('http://127.0.0.1/', { method: 'POST', body });
}

test('keeps the file in a folder of its own until it is discarded', async () => {
  const picture = await phonePicture('jpeg', 60, 40);
  const received = await receiveUpload(form(picture, '../../Prothèse.jpg'), within);
  expect(received).toMatchObject({ kind: 'image', name: 'Prothèse.jpg', userId: 'someone' });
  expect(await readFile(received.path)).toEqual(picture);
  await received.discard();
  expect(await readdir(within)).toEqual([]);
});

const image = 'Only JPEG, PNG, and WebP images are accepted.';
const video = 'Only MP4 and WebM videos are accepted.';
const heic = `${image} This is an HEIC image. Save it as JPEG and choose it again.`;
const mov = `${video} This is a QuickTime movie. Save it as MP4 and choose it again.`;
const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('the type', () => {
  test.each([
    ['x.gif', 'image/gif', bytes('GIF89a'), image],
    ['x.jpg', 'image/jpeg', bytes('GIF89a'), image],
    ['x.jpg', 'image/jpeg', bytes('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), heic],
    ['x.jpg', 'image/jpeg', bytes('\0\0\0\x18ftypavif\0\0\0\0avifmif1'), image],
    ['x.jpg', 'image/jpeg', bytes('II*\0\x08\0\0\0'), image],
    ['x.jpg', 'image/jpeg', bytes('%PDF-1.7'), image],
    ['x.png', 'image/png', bytes('<svg xmlns="http://www.w3.org/2000/svg">'), image],
    ['x.png', 'image/png', bytes('<!doctype html><script>'), image],
    ['x.mov', 'video/quicktime', bytes('\0\0\0\x14ftypqt  \0\0\0\0qt  '), mov],
    [
      'x.mkv',
      'video/x-matroska',
      Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), bytes('\x9f\x42\x82\x88matroska')]),
      video,
    ],
    ['x.avi', 'video/avi', bytes('RIFF....AVI '), video],
  ])('%s as %s', async (name, type, content, sentence) => {
    const error = await receiveUpload(form(content, name, type), within).catch((reason) => reason);
    expect(error).toMatchObject({
      status: 415,
      title: sentence.startsWith(image) ? 'Invalid Image Format' : 'Invalid Video Format',
      message: `${name}: ${sentence}`,
    });
    expect(await readdir(within)).toEqual([]);
  });

  test('of nothing is not called another', async () => {
    await expect(receiveUpload(form(Buffer.alloc(0), 'x.jpg', 'image/jpeg'), within)).rejects.toMatchObject({
      message: 'x.jpg: This file is empty. Choose another one.',
    });
  });

  test.each([
    ['holiday.jpg', '', MP4, 'video'],
    ['gait.mov', 'video/quicktime', MP4, 'video'],
    ['IMG_1.HEIC', 'image/heic', JPEG, 'image'],
    ['scan.tif', 'image/tiff', JPEG, 'image'],
    ['scan.gif', 'image/gif', JPEG, 'image'],
    ['scan.jpg', 'image/jpg', JPEG, 'image'],
    ['scan.jpg', 'image/pjpeg', JPEG, 'image'],
    ['scan', 'application/x-unknown', JPEG, 'image'],
  ])('is the bytes, not the name: %s as "%s"', async (name, type, content, kind) => {
    const received = await receiveUpload(form(content, name, type), within);
    expect(received.kind).toBe(kind);
    await received.discard();
  });

  test('an avatar is an image', async () => {
    await expect(receiveUpload(form(MP4, 'me.mp4', 'video/mp4'), within, 'image')).rejects.toMatchObject({
      message: `me.mp4: ${image}`,
    });
  });
});

describe('the size', () => {
  const sized = (head: Buffer, size: number) => Buffer.concat([head, Buffer.alloc(size - head.length)]);
  const MB = 1024 * 1024;

  test('up to the limit', async () => {
    const received = await receiveUpload(form(sized(JPEG, 10 * MB)), within);
    expect((await readFile(received.path)).length).toBe(10 * MB);
    await received.discard();
  });

  test.each([
    ['x.jpg', 'image/jpeg', sized(JPEG, 10 * MB + 1), 'Image Too Large', 'x.jpg: Images must be under 10MB.'],
    ['x.mp4', 'video/mp4', sized(MP4, 50 * MB + 1), 'Video Too Large', 'x.mp4: Videos must be under 50MB.'],
  ])('%s', async (name, type, content, title, message) => {
    await expect(receiveUpload(form(content, name, type), within)).rejects.toMatchObject({
      status: 413,
      title,
      message,
    });
    expect(await readdir(within)).toEqual([]);
  });

  test('a body without end is cut off at the limit, whatever it says its length is', async () => {
    let sent = 0;
    const head = Buffer.from(
      '--b\r\ncontent-disposition: form-data; name="file"; filename="x.jpg"\r\ncontent-type: image/jpeg\r\n\r\n',
    );
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = sent === 0 ? Buffer.concat([head, JPEG]) : Buffer.alloc(64 * 1024);
        sent += chunk.length;
        controller.enqueue(new Uint8Array(chunk));
      },
    });
    // The DOM's types do not know that a body may be a stream.
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': '200' },
      body,
      duplex: 'half',
    };
    await expect(receiveUpload(new Request('http://127.0.0.1/', init), within)).rejects.toMatchObject({
      status: 413,
    });
    expect(sent).toBeLessThan(10 * MB + 1024 * 1024);
    expect(await readdir(within)).toEqual([]);
  });
});

describe('a line', () => {
  const head = Buffer.from(
    '--b\r\ncontent-disposition: form-data; name="file"; filename="x.jpg"\r\ncontent-type: image/jpeg\r\n\r\n',
  );
  /** An upload of which more arrives with each call. */
  const open = () => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: new ReadableStream<Uint8Array>({
        start(given) {
          controller = given;
        },
      }),
      duplex: 'half',
    };
    const send = (bytes: Buffer) => controller?.enqueue(new Uint8Array(bytes));
    send(Buffer.concat([head, JPEG]));
    return {
      request: new Request('http://127.0.0.1/', init),
      send,
      fail: () => controller?.error(new Error('gone')),
    };
  };
  const whenWriting = () =>
    vi.waitUntil(
      async () => (await readdir(within, { recursive: true })).some((name) => name.endsWith('sent')),
      {
        timeout: TIMEOUT_MS,
      },
    );

  test('that breaks in the middle of a file ends the upload', async () => {
    const { request, fail } = open();
    const received = receiveUpload(request, within).catch((reason) => reason);
    await whenWriting();
    fail();
    expect(await received).toMatchObject({ status: 400 });
    expect(await readdir(within)).toEqual([]);
  });

  test('that falls silent, or brings next to nothing, is not waited for', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(10)]) {
      const { request, send } = open();
      const dripping = setInterval(() => bytes.length > 0 && send(bytes), 5);
      const received = await receiveUpload(request, within, undefined, { bytes: 60_000, withinMs: 50 }).catch(
        (reason) => reason,
      );
      clearInterval(dripping);
      expect(received).toMatchObject({
        status: 400,
        title: 'Upload Incomplete',
        message: 'Your connection is too slow or was interrupted. Please try again.',
      });
      expect(await readdir(within)).toEqual([]);
    }
  });

  test('that falls silent after a file that is refused brings the refusal at once', async () => {
    const { request, send } = open();
    const received = receiveUpload(request, within, 'video').catch((reason) => reason);
    send(Buffer.alloc(10_000));
    expect(await received).toMatchObject({ status: 415 });
    expect(await readdir(within)).toEqual([]);
  });
});

describe('a form', () => {
  const raw = (body: string, type = 'multipart/form-data; boundary=b') =>
    new Request('http://127.0.0.1/', { method: 'POST', headers: { 'content-type': type }, body });

  test.each([
    ['is not one', raw('{}', 'application/json')],
    ['has no boundary', raw('', 'multipart/form-data')],
    ['has no file', raw('--b\r\ncontent-disposition: form-data; name="userId"\r\n\r\nx\r\n--b--\r\n')],
    [
      'names an address instead of a file',
      raw('--b\r\ncontent-disposition: form-data; name="file"\r\n\r\nhttp://169.254.169.254/\r\n--b--\r\n'),
    ],
    [
      'breaks off',
      raw('--b\r\ncontent-disposition: form-data; name="file"; filename="x.jpg"\r\n\r\n\xff\xd8'),
    ],
    ['is noise', raw('\0\0\0')],
  ])('%s', async (_what, request) => {
    const error = await receiveUpload(request, within).catch((reason) => reason);
    expect([400, 415]).toContain(error.status);
    expect(await readdir(within)).toEqual([]);
  });

  test('that breaks off inside a file that is not kept ends nothing but the upload', async () => {
    const parts = ['form-data; name="other"; filename="a.mp4"\r\ncontent-type: video/mp4\r\n\r\nabc'];
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: new ReadableStream<Uint8Array>({
        async pull(controller) {
          // As from a line, in a turn of its own.
          await new Promise(setImmediate);
          const [part] = parts.splice(0);
          if (part) controller.enqueue(Buffer.from(`--b\r\ncontent-disposition: ${part}`));
          else controller.close();
        },
      }),
      duplex: 'half',
    };
    const received = receiveUpload(new Request('http://127.0.0.1/', init), within);
    await expect(received).rejects.toMatchObject({ status: 400 });
    expect(await readdir(within)).toEqual([]);
  });
});
