// @module-tag whole

import { readdirSync, readlinkSync } from 'node:fs';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BackendProcess, startBackendProcess } from '../../backend-process.ts';
import { openStorage, type StorageFixture } from './fixtures.ts';

const MB = 1024 * 1024;
const LARGE = 160 * MB;
/** Far below the size of one file, and far above the noise of buffers and garbage collection. */
const GROWTH = 96 * MB;

let shelf: StorageFixture;
let backend: BackendProcess;
let service: SupabaseClient;
beforeAll(async () => {
  shelf = await openStorage();
  backend = await startBackendProcess(shelf.backend, { FILE_SIZE_LIMIT: String(LARGE) });
  service = createClient(backend.url, shelf.backend.serviceRoleKey);
});
afterAll(async () => {
  await backend.kill();
  await shelf.stop();
});

const block = Buffer.alloc(MB, 'limb');
/** Bytes that come one megabyte at a time. */
function* blocks(bytes: number) {
  for (let sent = 0; sent < bytes; sent += MB) yield block;
}
const stream = (bytes: number) => Readable.toWeb(Readable.from(blocks(bytes))) as ReadableStream;
const tus = (bytes: number, name: string) =>
  new Promise<void>((resolve, reject) => {
    new Upload(Readable.from(blocks(bytes)), {
      endpoint: `${backend.url}/storage/v1/upload/resumable`,
      headers: { authorization: `Bearer ${shelf.backend.serviceRoleKey}` },
      uploadSize: bytes,
      chunkSize: 16 * MB,
      retryDelays: [],
      metadata: { bucketName: 'open', objectName: name },
      onSuccess: () => resolve(),
      onError: reject,
    }).start();
  });
async function download(name: string): Promise<number> {
  const response = await fetch(`${backend.url}/storage/v1/object/public/open/${name}`);
  let size = 0;
  for await (const chunk of response.body ?? []) size += chunk.length;
  return size;
}

/** Every way a file takes through the service. */
async function pass(bytes: number, name: string): Promise<void> {
  const open = service.storage.from('open');
  const raw = await open.upload(`${name}.raw`, stream(bytes), { duplex: 'half', upsert: true });
  expect(raw.error).toBeNull();
  await tus(bytes, `${name}.tus`);
  expect((await open.copy(`${name}.tus`, `${name}.copy`)).error).toBeNull();
  for (const way of ['raw', 'tus', 'copy']) expect(await download(`${name}.${way}`)).toBe(bytes);
}

it('takes no more memory for large files than for small ones', async () => {
  await pass(4 * MB, 'small');
  const before = await backend.mostMemory();
  await pass(LARGE, 'large');
  const form = new FormData();
  form.append('', new Blob(Array.from({ length: 100 }, () => block)));
  expect((await service.storage.from('open').upload('large.form', form)).error).toBeNull();
  expect((await backend.mostMemory()) - before).toBeLessThan(GROWTH);
});

it('waits for slow readers and writers, holding next to nothing for them', async () => {
  await service.storage.from('open').upload('slow.bin', stream(LARGE), { duplex: 'half', upsert: true });
  const before = await backend.mostMemory();
  const stalled = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const response = await fetch(`${backend.url}/storage/v1/object/public/open/slow.bin`);
      const reader = response.body?.getReader();
      expect((await reader?.read())?.done).toBe(false);
      return reader;
    }),
  );
  // A stalled upload, during which all other clients are served as usual.
  const writer = request(`${backend.url}/storage/v1/object/open/slow-writer.bin`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shelf.backend.serviceRoleKey}`, 'content-length': 2 * MB },
  });
  writer.once('error', () => undefined);
  writer.write(block);
  expect(await download('slow.bin')).toBe(LARGE);
  expect((await backend.mostMemory()) - before).toBeLessThan(GROWTH);
  await expect.poll(() => unfinished().length).toBe(1);
  // Both disconnect, and no trace of either stays.
  writer.destroy();
  await Promise.all(stalled.map((reader) => reader?.cancel()));
  await expect.poll(() => [unfinished(), openFiles()]).toEqual([[], []]);
  expect((await service.storage.from('open').exists('slow-writer.bin')).data).toBe(false);
});

const unfinished = () => {
  const folder = `${shelf.backend.dataDir}/files/unfinished`;
  return readdirSync(folder);
};
/** Stored files that the process holds open, where the system reports them. */
function openFiles(): string[] {
  const folder = `/proc/${backend.pid}/fd`;
  if (process.platform !== 'linux') return [];
  return readdirSync(folder)
    .map((name) => {
      try {
        return readlinkSync(`${folder}/${name}`);
      } catch {
        return '';
      }
    })
    .filter((path) => path.startsWith(shelf.backend.dataDir));
}
