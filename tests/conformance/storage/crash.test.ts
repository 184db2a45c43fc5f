// @module-tag whole

import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Upload } from 'tus-js-client';
import { afterAll, expect, it } from 'vitest';
import { type BackendProcess, startBackendProcess } from '../../backend-process.ts';
import { seededRandom } from '../../seeded-random.ts';
import { openStorage } from './fixtures.ts';

const ROUNDS = 4;
const WORKERS = 6;
const SEED = 20_261_121;
const KB = 1024;

const shelf = await openStorage();
afterAll(() => shelf.stop());

/** A file whose every part carries the file's id and length. */
function content(id: string, kilobytes: number): Buffer {
  return Buffer.alloc(kilobytes * KB, `${id}/${kilobytes}|`.padEnd(64, '.'));
}
function checkWhole(bytes: Buffer): string {
  const [id = '', kilobytes = '0'] = bytes.toString('latin1', 0, 64).split('|')[0]?.split('/') ?? [];
  expect(bytes.equals(content(id, Number(kilobytes))), `the file of ${id} is whole`).toBe(true);
  return id;
}

/**
 * Names and their known contents: the content's id, nothing, or, after a crash in the middle, one of several.
 */
type Known = Map<string, Set<string | undefined>>;

/** One client's life until the server dies under it: every step is recorded before and after. */
class Client {
  readonly #storage: ReturnType<SupabaseClient['storage']['from']>;
  readonly #url: string;
  readonly #name: string;
  readonly #roll: (below: number) => number;
  readonly #expectedStates: Known;
  readonly #tick: () => void;

  constructor(
    url: string,
    name: string,
    roll: (below: number) => number,
    expectedStates: Known,
    tick: () => void,
  ) {
    this.#url = url;
    this.#storage = createClient(url, shelf.backend.serviceRoleKey).storage.from('open');
    this.#name = name;
    this.#roll = roll;
    this.#expectedStates = expectedStates;
    this.#tick = tick;
  }

  async live(): Promise<void> {
    for (let step = 0; ; step++) {
      const here = [...this.#expectedStates].filter(
        ([name, states]) =>
          name.startsWith(this.#name.split('-')[0] ?? '') && states.size === 1 && !states.has(undefined),
      );
      const [name, states] = here[this.#roll(Math.max(1, here.length))] ?? [];
      const id = `${this.#name}-${step}`;
      const [state] = states ?? [];
      const what = this.#roll(8);
      if (!name || !state || what < 4) await this.#write(name && what === 0 ? name : id, id);
      else if (what === 4) await this.#read(name, state);
      else if (what === 5) await this.#step([[name, undefined]], () => this.#storage.remove([name]));
      else if (what === 6) await this.#step([[id, state]], () => this.#storage.copy(name, id));
      else
        await this.#step(
          [
            [name, undefined],
            [id, state],
          ],
          () => this.#storage.move(name, id),
        );
    }
  }

  async #write(name: string, id: string): Promise<void> {
    const bytes = content(id, 16 + this.#roll(240));
    const way = this.#roll(3);
    await this.#step([[name, id]], async () => {
      if (way === 0) return this.#storage.upload(name, this.#stream(bytes), { upsert: true, duplex: 'half' });
      if (way === 1)
        return this.#storage.upload(name, new Blob([bytes as Buffer<ArrayBuffer>]), { upsert: true });
      return this.#resumable(name, bytes);
    });
  }

  /** Before the response either may be true, after it only the new state. */
  async #step(
    changes: [string, string | undefined][],
    act: () => Promise<{ error: unknown }>,
  ): Promise<void> {
    for (const [name, state] of changes) {
      const before = this.#expectedStates.get(name) ?? new Set([undefined]);
      this.#expectedStates.set(name, new Set([...before, state]));
    }
    const { error } = await act();
    if (error) throw error;
    for (const [name, state] of changes) this.#expectedStates.set(name, new Set([state]));
    this.#tick();
  }

  async #read(name: string, id: string): Promise<void> {
    const { data, error } = await this.#storage.download(name);
    if (error) throw error;
    expect(checkWhole(Buffer.from(await data.arrayBuffer()))).toBe(id);
    this.#tick();
  }

  #stream(bytes: Buffer): ReadableStream {
    let sent = 0;
    return new ReadableStream({
      pull: (controller) => {
        if (sent >= bytes.length) return controller.close();
        controller.enqueue(bytes.subarray(sent, sent + 16 * KB));
        sent += 16 * KB;
        this.#tick();
      },
    });
  }

  #resumable(objectName: string, bytes: Buffer): Promise<{ error: unknown }> {
    return new Promise((resolve) => {
      new Upload(bytes, {
        endpoint: `${this.#url}/storage/v1/upload/resumable`,
        headers: { authorization: `Bearer ${shelf.backend.serviceRoleKey}`, 'x-upsert': 'true' },
        chunkSize: 50 * KB,
        retryDelays: [],
        metadata: { bucketName: 'open', objectName },
        onChunkComplete: this.#tick,
        onSuccess: () => resolve({ error: null }),
        onError: (error) => resolve({ error }),
      }).start();
    });
  }
}

/** Lets clients work until a random moment, then kills the server under them. */
async function round(roll: (below: number) => number, number: number, expectedStates: Known): Promise<void> {
  const backend: BackendProcess = await startBackendProcess({
    ...shelf.backend,
    databaseUrl: `${shelf.backend.databaseUrl}?application_name=killed`,
  });
  let remaining = 20 + roll(180);
  const killed = new Promise<void>((resolve, reject) => {
    const tick = () => {
      remaining -= 1;
      if (remaining === 0) backend.kill().then(resolve, reject);
    };
    for (let n = 0; n < WORKERS; n++) {
      const lives = new Client(
        backend.url,
        `w${n}-${number}`,
        seededRandom(SEED + number * 100 + n),
        expectedStates,
        tick,
      ).live();
      // Every client fails in the end; but one that saw a wrong state must be reported.
      lives.catch((error: Error) => {
        if (remaining > 0 || error.name === 'AssertionError') reject(error);
      });
    }
  });
  await killed;
  // Statements it had sent by then still complete in the database, and then the connection ends.
  await expect
    .poll(
      async () =>
        (await shelf.sql.query("select from pg_stat_activity where application_name = 'killed'")).rowCount,
    )
    .toBe(0);
}

interface Row {
  name: string;
  version: string;
  size: number;
}
const rows = async () =>
  (
    await shelf.sql.query<Row>(
      "select name, version, (metadata ->> 'size')::int as size from storage.objects where bucket_id = 'open'",
    )
  ).rows;
const folder = () => join(shelf.backend.dataDir, 'files');
const readStored = (version: string) => readFileSync(join(folder(), version.slice(0, 2), version));

/** Every row has its whole file, and every response that a client got is true. */
async function check(expectedStates: Known): Promise<void> {
  const found = new Map<string, string>();
  for (const { name, version, size } of await rows()) {
    const bytes = readStored(version);
    expect(bytes.length).toBe(size);
    found.set(name, checkWhole(bytes));
  }
  for (const [name, states] of expectedStates) expect([...states], name).toContain(found.get(name));
  for (const name of found.keys()) expect(expectedStates.has(name), name).toBe(true);
  for (const name of expectedStates.keys()) expectedStates.set(name, new Set([found.get(name)]));
}

it('keeps rows and files in agreement when it is killed at any moment', async () => {
  const roll = seededRandom(SEED);
  const expectedStates: Known = new Map();
  for (let number = 0; number < ROUNDS; number++) {
    await round(roll, number, expectedStates);
    await check(expectedStates);
  }
  expect(expectedStates.size).toBeGreaterThan(ROUNDS * WORKERS);

  // After an hour, and a day for unfinished uploads, the next start leaves exactly the files that rows name.
  await shelf.sql.query(
    "update storage.resumable_uploads set held_until = null, created_at = created_at - interval '25 h'",
  );
  const files = () =>
    readdirSync(folder(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const hourAgo = new Date(Date.now() - 3_600_000);
  for (const file of files()) utimesSync(join(file.parentPath, file.name), hourAgo, hourAgo);
  const expected = (await rows()).map(({ version }) => version).sort();
  expect(files().length).toBeGreaterThan(expected.length);
  const backend = await startBackendProcess(shelf.backend);
  await expect
    .poll(() =>
      files()
        .map(({ name }) => name)
        .sort(),
    )
    .toEqual(expected);
  await check(expectedStates);
  await backend.kill();
});
