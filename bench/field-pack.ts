import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import sharp from 'sharp';
import { pathOf } from '#app/finding/field-pack/format.ts';
import { readOffer } from '#server/field-pack.ts';
import { makeOffer } from '../scripts/pack/offer.ts';
import { openDatabase, root } from './parts/database.ts';
import { startSubject } from './parts/start.ts';

// The size of a field pack of N solutions with IMAGES images each, beside the 80 MB that it may have for a thousand, and what is
// written and downloaded after ten of them have changed in text and images, beside the 2 % of the whole that it may be.
const SOLUTIONS = Number(process.env.N ?? 1000);
const IMAGES = Number(process.env.IMAGES ?? 3);
const CHANGED = 10;
const MOST = 80e6 * (SOLUTIONS / 1000);
/** The most of a pack of a thousand that ten changes may write or make visitors download; a smaller one has fewer beside them. */
const MOST_CHANGED = 0.02 * (1000 / SOLUTIONS);
const holds = (ratio: number) =>
  `${ratio.toFixed(2)} of what it may have, which ${ratio <= 1 ? 'holds' : 'is too much'}`;
const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(2)} %`;

const database = await openDatabase(SOLUTIONS);
const backend = await startSubject('backend', database);
const folder = mkdtempSync(join(tmpdir(), 'limb-commons-bench-pack-'));

/** As detailed as a photograph: grain of three sizes over a slope of colours, in another colour for each. */
async function photograph(): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = randomBytes(3);
  const grain = (width: number, alpha: number) =>
    sharp(randomBytes(width * width * 3), { raw: { width, height: width, channels: 3 } })
      .resize(800, 600, { kernel: 'cubic' })
      .ensureAlpha(alpha)
      .png()
      .toBuffer();
  const layers = await Promise.all([grain(6, 0.8), grain(40, 0.3), grain(300, 0.12)]);
  const background = { r, g, b };
  return sharp({ create: { width: 800, height: 600, channels: 3, background } })
    .composite(layers.map((input) => ({ input })))
    .webp({ quality: 84 })
    .toBuffer();
}

const photographs = await Promise.all(Array.from({ length: 50 }, photograph));

/** Another part of one of them for each address. */
function partOf(path: string): Promise<Buffer> {
  const seed = createHash('md5').update(path).digest();
  return sharp(photographs[seed.readUInt16BE() % photographs.length])
    .extract({ left: seed.readUInt16BE(2) % 100, top: seed.readUInt16BE(4) % 75, width: 700, height: 525 })
    .webp({ quality: 84, effort: 0 })
    .toBuffer();
}

/** Answers for the files, which are not there, and hands on everything else. */
const front = createServer(async (request, response) => {
  const path = request.url ?? '';
  if (path.startsWith('/storage/')) return response.end(await partOf(path));
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = Object.fromEntries(
    ['apikey', 'authorization', 'accept', 'content-type', 'accept-profile', 'content-profile'].flatMap(
      (name) => (request.headers[name] ? [[name, String(request.headers[name])]] : []),
    ),
  );
  const body = request.method === 'GET' ? null : Buffer.concat(chunks);
  const answer = await fetch(`http://127.0.0.1:${backend.hello.port}${path}`, {
    method: request.method ?? 'GET',
    headers,
    body,
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
  return response.end(await answer.bytes());
});
await new Promise<void>((listening) => front.listen(0, '127.0.0.1', listening));

try {
  const { client } = database;
  const media = (which: string) => `
    insert into public.solution_media (solution_id, position, media_url, compressed_url, thumbnail_url, media_type)
    select s.id, n, f, f, f, 'image' from public.solutions s cross join generate_series(0, ${IMAGES - 1}) n,
      lateral (select '/storage/v1/object/public/solution-media/' || md5(s.id::text || n || clock_timestamp()) || '.webp' as f) file where ${which}`;
  const text = `(select string_agg(md5(s.id::text || n) || ' ' || case n % 3 when 0 then 'socket' else 'liner' end, ' ') from generate_series(1, 40) n)`;
  await client.query(`
    set session_replication_role = replica;
    delete from public.solution_media;
    update public.solutions s set licence = 'CC BY 4.0', approved_at = s.created_at, description = left(${text}, 1900);
    ${media("s.status = 'approved'")}`);
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const key = await exportJWK(privateKey);
  const address = front.address();
  const source = {
    apiUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    anonKey: backend.hello.anonKey ?? '',
    serviceRoleKey: backend.hello.serviceRoleKey ?? '',
    siteUrl: 'https://limbs.example.org',
    fetch,
  };
  const make = async () => {
    const start = performance.now();
    const made = await makeOffer(folder, source, key, root, () => true);
    if (!made) throw new Error('No pack was made.');
    return { ...made, seconds: (performance.now() - start) / 1000 };
  };
  const first = await make();
  const { images } = first.manifest;
  const ofImages = images.reduce(
    (sum, hash) => sum + statSync(join(folder, 'field-pack/pack', pathOf('images', hash))).size,
    0,
  );
  console.log(
    `${first.manifest.solutions} solutions with ${IMAGES} images: ${(first.size / 1e6).toFixed(1)} MB, ${holds(first.size / MOST)}; ` +
      `${(ofImages / images.length / IMAGES / 1000).toFixed(1)} kB an image; made in ${first.seconds.toFixed(0)} s`,
  );
  const same = await make();
  console.log(`without a change ${percent(same.written, same.size)} written in ${same.seconds.toFixed(0)} s`);
  await client.query(`
    create temporary table changed as select id from public.solutions where status = 'approved' order by md5(id::text) limit ${CHANGED};
    delete from public.solution_media where solution_id in (select id from changed);
    update public.solutions set description = description || ' changed' where id in (select id from changed);
    ${media('s.id in (select id from changed)')}`);
  const update = await make();
  console.log(
    `after ${CHANGED} changes ${percent(update.written, update.size)} written, ${holds(update.written / update.size / MOST_CHANGED)}; in ${update.seconds.toFixed(0)} s`,
  );
  const offer = readOffer(folder);
  const [smallest] = offer?.updates ?? [];
  if (!offer || !smallest) throw new Error('No update is offered.');
  console.log(
    `its download is ${percent(smallest.size, offer.whole.size)} of that of the whole, ${(offer.whole.size / 1e6).toFixed(1)} MB: ${holds(smallest.size / offer.whole.size / MOST_CHANGED)}`,
  );
} finally {
  front.close();
  backend.child.kill();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
