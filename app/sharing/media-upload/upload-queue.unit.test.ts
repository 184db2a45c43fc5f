import { describe, expect, it, vi } from 'vitest';
import { type ProcessedMedia, type SendFile, UploadQueue } from './upload-queue.ts';

const ignored = () => {};

/** As long as eight bytes, and a JPEG by the first of them. */
const file = (name: string, type = 'image/jpeg', begins = '\xff\xd8\xff') =>
  new File([Buffer.from(begins.padEnd(8, '.'), 'latin1')], name, { type });
const processedFile = (name: string): ProcessedMedia => ({
  originalUrl: `/${name}/full`,
  compressedUrl: `/${name}/card`,
  thumbnailUrl: `/${name}/thumb`,
  mediaType: 'image',
});
const instantly: SendFile = async ({ name }) => ({ result: processedFile(name) });
const names = (queue: UploadQueue) => queue.read().items.map(({ name, state }) => `${name} ${state}`);
const thumbnail = (queue: UploadQueue) => {
  const { items, thumbnailId } = queue.read();
  return items.find(({ id }) => id === thumbnailId)?.name ?? null;
};
const idOf = (queue: UploadQueue, name: string) =>
  queue.read().items.find((item) => item.name === name)?.id ?? '';

describe('sending', () => {
  it('sends one file after the other', async () => {
    const order: string[] = [];
    const queue = new UploadQueue(async ({ name }) => {
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
      return { result: processedFile(name) };
    });
    await queue.add([file('a.jpg'), file('b.jpg')], ignored);
    expect(names(queue)).toEqual(['a.jpg held', 'b.jpg held']);
    queue.sendAll();
    expect(names(queue)).toEqual(['a.jpg uploading', 'b.jpg waiting']);
    await queue.whenSettled();
    expect(order).toEqual(['a.jpg begins', 'a.jpg ends', 'b.jpg begins', 'b.jpg ends']);
    expect(names(queue)).toEqual(['a.jpg ready', 'b.jpg ready']);
  });

  it('refuses a wrong file by name and sends the others', async () => {
    const queue = new UploadQueue(instantly);
    const refused = vi.fn();
    await queue.add(
      [file('a.gif', 'image/gif', 'GIF89a'), file('b.jpg'), file('c.jpg', 'image/jpeg', 'GIF89a')],
      refused,
    );
    const problem = (name: string) => ({
      title: 'Invalid Image Format',
      text: `${name}: Only JPEG, PNG, and WebP images are accepted.`,
    });
    expect(refused.mock.calls).toEqual([[problem('a.gif')], [problem('c.jpg')]]);
    queue.sendAll();
    await queue.whenSettled();
    expect(names(queue)).toEqual(['a.gif refused', 'b.jpg ready', 'c.jpg refused']);
  });

  it('keeps what failed for another try and goes on', async () => {
    let broken = true;
    const queue = new UploadQueue(async ({ name }) => {
      if (broken && name === 'a.jpg') throw new Error('a.jpg: The picture could not be read.');
      return { result: processedFile(name) };
    });
    await queue.add([file('a.jpg'), file('b.jpg')], ignored);
    queue.sendAll();
    await queue.whenSettled();
    expect(names(queue)).toEqual(['a.jpg failed', 'b.jpg ready']);
    expect(queue.read().items[0]?.problem?.text).toBe('a.jpg: The picture could not be read.');
    broken = false;
    queue.send(idOf(queue, 'a.jpg'));
    await queue.whenSettled();
    expect(names(queue)).toEqual(['a.jpg ready', 'b.jpg ready']);
  });

  it('stops sending a file that is removed', async () => {
    const queue = new UploadQueue(
      ({ name }, _onSent, signal) =>
        new Promise((resolve, reject) => {
          if (name === 'b.jpg') resolve({ result: processedFile(name) });
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    );
    await queue.add([file('a.jpg'), file('b.jpg')], ignored);
    queue.sendAll();
    queue.remove(idOf(queue, 'a.jpg'));
    await queue.whenSettled();
    expect(names(queue)).toEqual(['b.jpg ready']);
  });

  it('tells uploading from processing', async () => {
    const states: string[] = [];
    const queue = new UploadQueue(async ({ name, size }, onSent) => {
      onSent(size / 2);
      states.push(...names(queue));
      onSent(size);
      states.push(...names(queue));
      return { result: processedFile(name) };
    });
    await queue.add([file('a.jpg')], ignored);
    queue.sendAll();
    await queue.whenSettled();
    expect(states).toEqual(['a.jpg uploading', 'a.jpg processing']);
  });
});

describe('before it is sent', () => {
  it('a covered picture takes the place of the chosen one', async () => {
    const sent: File[] = [];
    const queue = new UploadQueue(async (file) => {
      sent.push(file);
      return { result: processedFile(file.name) };
    });
    await queue.add([file('a.jpg'), file('b.jpg')], ignored);
    const covered = file('a.jpg');
    queue.replace(idOf(queue, 'a.jpg'), covered);
    queue.send(idOf(queue, 'a.jpg'));
    await queue.whenSettled();
    expect(sent).toEqual([covered]);
    expect(sent[0]).toBe(covered);
    expect(names(queue)).toEqual(['a.jpg ready', 'b.jpg held']);
  });

  it('files change places, and the thumbnail stays what it is', async () => {
    const queue = new UploadQueue(instantly);
    await queue.add([file('a.jpg'), file('b.jpg')], ignored);
    queue.moveTo(idOf(queue, 'b.jpg'), 0);
    queue.moveTo(idOf(queue, 'b.jpg'), -1);
    queue.moveTo(idOf(queue, 'b.jpg'), 2);
    expect(names(queue)).toEqual(['b.jpg held', 'a.jpg held']);
    expect(thumbnail(queue)).toBe('a.jpg');
  });
});

describe('build files', () => {
  it('are counted by themselves, wait for no review, and leave images their places', async () => {
    const queue = new UploadQueue(() => new Promise(() => {}));
    const many = Array.from({ length: 11 }, (_, index) => file(`${index}.svg`, 'image/svg+xml'));
    const refused = vi.fn();
    await queue.add(many, refused, true);
    expect(refused.mock.calls).toEqual([
      [{ title: 'Too many files', text: '10.svg: A solution can have at most 10 build files.' }],
    ]);
    await queue.add([file('a.jpg'), file('b.jpg')], ignored);
    queue.moveTo(idOf(queue, 'b.jpg'), 0);
    expect(names(queue).slice(0, 4)).toEqual([
      'b.jpg held',
      'a.jpg held',
      '0.svg uploading',
      '1.svg waiting',
    ]);
    expect(thumbnail(queue)).toBe('a.jpg');
  });

  it('that were chosen among the images are taken from there, with the bytes that they have', async () => {
    const sent: [string, string][] = [];
    const queue = new UploadQueue(async ({ name }, _onSent, _signal, kind) => {
      sent.push([name, kind]);
      return { buildFile: { url: `/${name}`, type: 'stl', leftOut: null }, name, size: 8 };
    });
    const refused = vi.fn();
    await queue.add(
      [file('socket.STL', 'model/stl', 'solid'), file('notes.txt', 'text/plain', 'x')],
      refused,
    );
    const only = 'Only JPEG, PNG, and WebP images are accepted.';
    expect(refused.mock.calls).toEqual([
      [{ title: 'Invalid Image Format', text: `socket.STL: ${only} Add it under “Build files”.` }],
      [{ title: 'Invalid Image Format', text: `notes.txt: ${only}` }],
    ]);
    expect(queue.read().items.map(({ isMisplaced = false }) => isMisplaced)).toEqual([true, false]);
    await queue.takeAsBuildFile(idOf(queue, 'socket.STL'), refused);
    await queue.whenSettled();
    expect(sent).toEqual([['socket.STL', 'build-file']]);
    expect(names(queue)).toEqual(['notes.txt refused', 'socket.STL ready']);
  });

  it('that the server has let go are sent again from the device', async () => {
    const queue = new UploadQueue(async () => ({
      buildFile: { url: '/jaw', type: 'stl', leftOut: null },
      name: 'jaw.stl',
      size: 3,
    }));
    await queue.add([file('jaw.stl', '')], ignored, true);
    await queue.whenSettled();
    const { items } = queue.read();
    expect(items).toMatchObject([{ state: 'ready', size: 3, buildFile: { url: '/jaw' } }]);
    const later = new UploadQueue(() => new Promise(() => {}));
    const old = items.map((item) => ({ ...item, readyAt: 0 }));
    const kept = new Map(items.map(({ id }) => [id, file('jaw.stl', '')]));
    later.restore({ items: old, thumbnailId: null }, kept);
    expect(later.read().items).toMatchObject([{ state: 'uploading', size: 8, buildFile: null }]);
  });
});

describe('the thumbnail', () => {
  it('is the first image, not the first file', async () => {
    const queue = new UploadQueue(instantly);
    await queue.add(
      [
        file('clip.mp4', 'video/mp4', '\0\0\0\x20ftyp'),
        file('x.gif', 'image/gif', 'GIF'),
        file('a.jpg'),
        file('b.jpg'),
      ],
      ignored,
    );
    expect(thumbnail(queue)).toBe('a.jpg');
  });

  it('is what the member picks, whatever is removed before it', async () => {
    const queue = new UploadQueue(instantly);
    await queue.add([file('a.jpg'), file('b.jpg'), file('c.jpg')], ignored);
    queue.chooseThumbnail(idOf(queue, 'c.jpg'));
    queue.remove(idOf(queue, 'a.jpg'));
    expect(thumbnail(queue)).toBe('c.jpg');
  });

  it('is cleared with the image it is, until there is a first image again', async () => {
    const queue = new UploadQueue(instantly);
    await queue.add([file('a.jpg'), file('b.jpg')], ignored);
    queue.remove(idOf(queue, 'a.jpg'));
    expect(thumbnail(queue)).toBeNull();
    await queue.add([file('c.jpg')], ignored);
    expect(thumbnail(queue)).toBeNull();
    queue.remove(idOf(queue, 'b.jpg'));
    queue.remove(idOf(queue, 'c.jpg'));
    await queue.add([file('d.jpg')], ignored);
    expect(thumbnail(queue)).toBe('d.jpg');
  });
});
