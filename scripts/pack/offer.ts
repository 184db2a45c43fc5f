import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { JWK } from 'jose';
import { z } from 'zod';
import { filesOf, fingerprintOf, MANIFEST, type Manifest } from '#app/finding/field-pack/format.ts';
import type { Offer } from '#app/finding/field-pack/offer.ts';
import { type Api, placesIn, readOffer, readState } from '#server/field-pack.ts';
import { bytesOf, type ZipEntry, zipOf } from '../../supabase/functions/zip.ts';
import type { Source } from './contents.ts';
import { PackProblem, readManifest, sha256, writeWhole } from './folder.ts';
import { type Made, makePack } from './make.ts';
import { takePlace } from './place.ts';

const DAY_MS = 86_400_000;
/** The ages of packs, in days, from which on an update is made for them; the last is the oldest that has one. */
const UPDATED_DAYS = [0, 7, 30, 90];
/** An update that is larger than this part of the whole saves little. */
const MAX_UPDATE = 0.5;
/** The folder in an archive: an update that is unpacked beside it writes over the files of the pack. */
const FOLDER = 'field-pack';

/** What each making of the pack has changed, as paths in it. The oldest comes first. */
const stepsSchema = z.array(
  z.object({ madeAt: z.string(), added: z.array(z.string()), removed: z.array(z.string()) }),
);
type Steps = z.infer<typeof stepsSchema>;

/**
 * Brings the pack that the site offers up to date, and makes the archives in which visitors take it: the whole, and what has changed
 * since packs of a day, a week and longer. A pack that cannot be continued, such as one of another release, is made from the beginning.
 *
 * @param isWanted asked of the moment of the one that is offered once no other process makes one; undefined where there is none
 * @returns undefined where it is not
 * @throws where the site cannot be read
 */
export async function makeOffer(
  dataDir: string,
  source: Source & Api,
  key: JWK,
  root: string,
  isWanted: (madeAt: string | undefined) => boolean,
): Promise<Made | undefined> {
  const { folder } = placesIn(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Two are not made over each other.
  const giveBack = await takePlace(join(folder, 'makers'), 'operator/pack.ts');
  try {
    return isWanted(readOffer(dataDir)?.madeAt) ? await makeAlone(dataDir, source, key, root) : undefined;
  } finally {
    giveBack();
  }
}

async function makeAlone(dataDir: string, source: Source & Api, key: JWK, root: string): Promise<Made> {
  const { folder, archives, offer } = placesIn(dataDir);
  const pack = join(folder, 'pack');
  const stepsFile = join(folder, 'steps.json');
  mkdirSync(archives, { recursive: true });
  // What goes while the pack is made is noticed by it afterwards.
  const madeAt = new Date().toISOString();
  const state = await readState(source, madeAt);
  const make = async () => ({
    before: readManifest(pack),
    made: await makePack(pack, source, key, root, madeAt),
  });
  const { before, made } = await make().catch((error: unknown) => {
    if (!(error instanceof PackProblem)) throw error;
    rmSync(pack, { recursive: true, force: true });
    return make();
  });
  const { manifest } = made;
  const known = existsSync(stepsFile) ? stepsSchema.parse(JSON.parse(readFileSync(stepsFile, 'utf8'))) : [];
  const steps = stepsUpTo(manifest, before, known);
  writeWhole(stepsFile, JSON.stringify(steps));

  const zip = async (since: string[], paths: string[], emptied: string[]) => {
    const name = [FOLDER, manifest.madeAt, ...since.slice(0, 1)].map(stampOf).join('-');
    const file = join(archives, `${name}.zip`);
    const entries = entriesOf(pack, manifest, paths, emptied);
    await pipeline(zipOf(entries), createWriteStream(`${file}.new`, { flush: true }));
    renameSync(`${file}.new`, file);
    return { name: `${name}.zip`, size: statSync(file).size };
  };
  const files = filesOf(manifest);
  const whole = await zip([], Object.keys(files), []);
  const updates: Offer['updates'] = [];
  for (const { since, later } of basesOf(steps)) {
    const touched = (how: 'added' | 'removed') => [...new Set(later.flatMap((step) => step[how]))];
    const update = await zip(
      since,
      touched('added').filter((path) => Object.hasOwn(files, path)),
      touched('removed').filter((path) => !Object.hasOwn(files, path)),
    );
    if (update.size <= whole.size * MAX_UPDATE) updates.push({ ...update, since });
  }
  const fingerprint = fingerprintOf(sha256(manifest.key));
  const offered: Offer = { madeAt, state, solutions: manifest.solutions, key: fingerprint, whole, updates };
  writeWhole(offer, JSON.stringify(offered));
  const kept = [whole, ...updates].map(({ name }) => name);
  for (const name of readdirSync(archives)) if (!kept.includes(name)) rmSync(join(archives, name));
  return made;
}

/** A moment as a part of a name of a file. */
const stampOf = (moment: string): string => moment.replace(/\.\d+Z$/, 'Z').replaceAll(':', '');

const daysSince = (madeAt: string): number => (Date.now() - Date.parse(madeAt)) / DAY_MS;

/** With the step to this pack; only that where the last one is not of the pack that it was made from. */
function stepsUpTo(manifest: Manifest, before: Manifest | undefined, known: Steps): Steps {
  const files = filesOf(manifest);
  const earlier = before ? filesOf(before) : {};
  const oldest = Math.max(...UPDATED_DAYS);
  return [
    ...(known.at(-1)?.madeAt === before?.madeAt ? known : []).filter(
      ({ madeAt }) => daysSince(madeAt) <= oldest,
    ),
    {
      madeAt: manifest.madeAt,
      added: Object.keys(files).filter((path) => files[path] !== earlier[path]),
      removed: Object.keys(earlier).filter((path) => !Object.hasOwn(files, path)),
    },
  ];
}

/** The updates that are made: for packs of which moments, and the steps that lead from the oldest of these to this one. */
function basesOf(steps: Steps): { since: string[]; later: Steps }[] {
  const earlier = steps.slice(0, -1);
  const youngest = UPDATED_DAYS.map((days) =>
    earlier.findLastIndex(({ madeAt }) => daysSince(madeAt) >= days),
  );
  const bases = [...new Set([...youngest, 0])].filter((base) => earlier[base]).sort((a, b) => b - a);
  return bases.map((base, index) => ({
    since: earlier.slice(base, bases[index - 1]).map(({ madeAt }) => madeAt),
    later: steps.slice(base + 1),
  }));
}

/** The files of an archive, one after the other as it is written, and in place of those that are to go empty ones: unpacking removes none. */
function* entriesOf(
  pack: string,
  { madeAt }: Manifest,
  paths: string[],
  emptied: string[],
): Generator<ZipEntry> {
  const entry = (path: string, open: ZipEntry['open']) => ({
    name: `${FOLDER}/${path}`,
    lastModified: new Date(madeAt),
    open,
  });
  const stored = (path: string) => entry(path, (start) => createReadStream(join(pack, path), { start }));
  for (const path of [MANIFEST, ...paths]) yield stored(path);
  for (const path of emptied) yield entry(path, () => bytesOf(''));
}
