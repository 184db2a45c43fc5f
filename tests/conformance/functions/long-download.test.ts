// @module-tag whole

import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import type { SupabaseClient } from '@supabase/supabase-js';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { withAuth } from '../../backend.ts';
import { shareSolution } from '../../solution.ts';
import { BACKGROUND_TIMEOUT_MS } from '../../timeouts.ts';
import { operator, type Person, person } from '../auth/fixtures.ts';
import { ownBackend } from '../own-backend.ts';
import { openFiles } from './open-files.ts';

/* Downloads on a line so slow that the member's token is over before they are. */

const TOKEN_SECONDS = 3;
const FILE_BYTES = 12_000_000;
/** The most bytes that a system lets the sockets of both sides hold of a download that is not read, where it says so. */
const HELD_BYTES = ['tcp_rmem', 'tcp_wmem']
  .map((name) => `/proc/sys/net/ipv4/${name}`)
  .map((file) => (existsSync(file) ? Number(readFileSync(file, 'utf8').split(/\s+/)[2]) : 5_000_000))
  .reduce((sum, bytes) => sum + bytes);
/** So many that the last one is not begun before more is read. */
const FILES = 2 + Math.ceil(HELD_BYTES / FILE_BYTES);

const { backend, database } = await ownBackend({}, withAuth({ jwt_expiry: TOKEN_SECONDS }));
const service: SupabaseClient = operator(backend);

/** A case for members with large images, of which nothing can be compressed. */
async function largeCase(author: string, title: string): Promise<{ id: string; files: Buffer[] }> {
  const id = await shareSolution(service, {
    user_id: author,
    licence: 'CC BY 4.0',
    audience: 'members',
    status: 'approved',
    title,
  });
  const files = Array.from({ length: FILES }, () => randomBytes(FILE_BYTES));
  for (const [position, bytes] of files.entries()) {
    const name = `${author}/${randomUUID()}.webp`;
    const { error } = await service.storage
      .from('pending-media')
      .upload(name, bytes, { contentType: 'image/webp' });
    if (error) throw error;
    const url = `/storage/v1/object/authenticated/pending-media/${name}`;
    await database.query(`set session_replication_role = replica`);
    await database.query(
      `insert into public.solution_media (solution_id, position, media_url, compressed_url, thumbnail_url, media_type)
       values ($1, $2, $3, $3, $3, 'image')`,
      [id, position + 10, url],
    );
    await database.query(`set session_replication_role = origin`);
  }
  return { id, files };
}

/** A download by form of which nothing more is read than has already come, until `rest` is called. */
async function begin(field: string, id: string, { client }: Person) {
  await client.auth.refreshSession();
  const token = (await client.auth.getSession()).data.session?.access_token ?? '';
  const body = new URLSearchParams({ [field]: id, access_token: token }).toString();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(
      `${backend.url}/functions/v1/download-solutions`,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(body),
        },
      },
      resolve,
    )
      .once('error', reject)
      .end(body);
  });
  response.pause();
  const headers = { apikey: backend.anonKey, authorization: `Bearer ${token}` };
  const isOver = async () =>
    (await fetch(`${backend.url}/rest/v1/solutions?select=id&limit=1`, { headers })).status === 401;
  return {
    status: response.statusCode,
    leave: () => void response.destroy(),
    tokenIsOver: () => expect.poll(isOver, { timeout: BACKGROUND_TIMEOUT_MS }).toBe(true),
    async rest(): Promise<Buffer> {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}

const collect = async ({ client, id }: Person, solutions: string[]): Promise<string> => {
  const { data } = await client
    .from('collections')
    .insert({ title: 'For the bench', user_id: id })
    .select('id')
    .single()
    .throwOnError();
  for (const solution_id of solutions)
    await client
      .from('collection_items')
      .insert({ collection_id: data.id, user_id: id, solution_id })
      .throwOnError();
  return data.id;
};
const sizesOf = (zip: Buffer, ending: string) =>
  Object.entries(unzipSync(zip)).flatMap(([name, bytes]) => (name.endsWith(ending) ? [bytes.length] : []));

it('goes on when the token of its member is over: a solution, and solutions of a collection that were not begun', async () => {
  const author = await person(backend, database);
  const first = await largeCase(author.id, 'A first large case');
  const second = await largeCase(author.id, 'A second large case');
  const reader = await person(backend, database);
  const collection = await collect(reader, [first.id, second.id]);
  const single = await begin('solution', first.id, reader);
  const several = await begin('collection', collection, reader);
  expect([single.status, several.status]).toEqual([200, 200]);
  await single.tokenIsOver();
  await several.tokenIsOver();

  const files = unzipSync(await single.rest());
  for (const [index, bytes] of first.files.entries())
    expect(bytes.equals(files[`images/${index + 1}.webp`] ?? new Uint8Array())).toBe(true);
  expect(sizesOf(await several.rest(), '.webp')).toEqual(Array(2 * FILES).fill(FILE_BYTES));
});

it('ends for what its member no longer sees: nothing of it comes, or the download breaks off', async () => {
  const author = await person(backend, database);
  const first = await largeCase(author.id, 'A large case that stays');
  const second = await largeCase(author.id, 'A large case to be withdrawn');
  const [reader, banned] = [await person(backend, database), await person(backend, database)];
  const [kept, lost] = [
    await collect(reader, [first.id, second.id]),
    await collect(banned, [first.id, second.id]),
  ];
  const several = await begin('collection', kept, reader);
  const narrowed = await begin('collection', lost, banned);
  const single = await begin('solution', second.id, reader);
  await several.tokenIsOver();
  await narrowed.tokenIsOver();
  await database.query("insert into public.sanctions (user_id, kind, reason) values ($1, 'ban', 'Spam.')", [
    banned.id,
  ]);
  await database.query('delete from public.solutions where id = $1', [second.id]);

  const names = Object.keys(unzipSync(await several.rest()));
  expect(names.filter((name) => name.startsWith('001 ') && name.endsWith('.webp'))).toHaveLength(FILES);
  expect(names.filter((name) => name.startsWith('002 '))).toEqual([]);
  const begun = Object.keys(unzipSync(await narrowed.rest()));
  expect(begun.filter((name) => name.startsWith('001 ') && name.endsWith('.webp')).length).toBeLessThan(
    FILES,
  );
  expect(begun.filter((name) => name.startsWith('002 '))).toEqual([]);
  await expect(single.rest()).rejects.toThrow('aborted');
});

const stored = `${backend.dataDir}/files`;

it('is one of so many of a member, and leaves nothing open when its reader goes', async () => {
  const author = await person(backend, database);
  const first = await largeCase(author.id, 'A large case that is left');
  const reader = await person(backend, database);
  const collection = await collect(reader, [first.id]);
  const begun = await Promise.all([
    begin('solution', first.id, reader),
    begin('collection', collection, reader),
    begin('collection', collection, reader),
  ]);
  expect(begun.map(({ status }) => status)).toEqual([200, 200, 200]);
  const refused = await begin('solution', first.id, reader);
  expect(refused.status).toBe(429);
  refused.leave();
  expect((await begin('solution', first.id, author)).leave()).toBeUndefined();
  await expect.poll(() => openFiles(stored).length).toBeGreaterThan(0);
  for (const { leave } of begun) leave();
  await expect
    .poll(() => [openFiles(stored), Object.entries(backend.held.counts()).filter(([, count]) => count > 0)])
    .toEqual([[], []]);
  const again = await begin('solution', first.id, reader);
  expect(again.status).toBe(200);
  again.leave();
});

it('from its last byte on reads none of its files', async () => {
  const author = await person(backend, database);
  const { id, files } = await largeCase(author.id, 'A large case of which one byte is wanted');
  const token = (await author.client.auth.getSession()).data.session?.access_token ?? '';
  const ask = (headers: Record<string, string>) =>
    fetch(`${backend.url}/functions/v1/download-solutions`, {
      method: 'POST',
      body: new URLSearchParams({ solution: id, access_token: token }),
      headers,
    });
  const whole = await ask({});
  const length = Number(whole.headers.get('content-length'));
  expect(length).toBeGreaterThan(files.length * FILE_BYTES);
  await whole.body?.cancel();
  rmSync(stored, { recursive: true });
  const last = await ask({ range: `bytes=${length - 1}-` });
  expect([last.status, (await last.arrayBuffer()).byteLength]).toEqual([206, 1]);
});
