import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OFFER_PATH, type Offer, offerSchema } from '#app/finding/field-pack/offer.ts';
import type { Config } from '#backend/config.ts';
import type { Logger } from '#backend/log.ts';
import { isDue } from './backup/schedule.ts';
import { type Program, startProgram } from './program.ts';

const MINUTE_MS = 60_000;
/** The pause after one that could not be made. */
const RETRY_MS = 15 * MINUTE_MS;

/** Where the field pack lies that the site offers. */
export function placesIn(dataDir: string): { folder: string; archives: string; offer: string } {
  const folder = join(dataDir, 'field-pack');
  return { folder, archives: join(folder, 'archives'), offer: join(folder, 'offer.json') };
}

/** The pack that the site offers; undefined where there is none yet, or its description cannot be read. */
export function readOffer(dataDir: string): Offer | undefined {
  try {
    return offerSchema.parse(JSON.parse(readFileSync(placesIn(dataDir).offer, 'utf8')));
  } catch {
    return undefined;
  }
}

const archivesOf = ({ whole, updates }: Offer): string[] => [whole, ...updates].map(({ name }) => name);

/**
 * Whether an archive is one that the site offers. Others lie beside them while a pack is made, and are left where that was cut off: what
 * has been hidden since is not looked for in them.
 */
export function isOffered(dataDir: string, archive: string): boolean {
  const offer = readOffer(dataDir);
  return offer !== undefined && archivesOf(offer).includes(archive);
}

/** The API of the site, as it is reached with all rights. */
export interface Api {
  apiUrl: string;
  serviceRoleKey: string;
  fetch: typeof fetch;
}

/** What tells whether a pack of a moment may still be given; see the function of the database. @throws where it cannot be asked */
export async function readState(
  { apiUrl, serviceRoleKey, fetch: fetchApi }: Api,
  at: string,
): Promise<string> {
  const answer = await fetchApi(`${apiUrl}/rest/v1/rpc/field_pack_state`, {
    method: 'POST',
    headers: {
      apikey: serviceRoleKey,
      authorization: `Bearer ${serviceRoleKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ at }),
  });
  if (!answer.ok) throw new Error(`The state of the field pack could not be read: ${answer.status}`);
  return String(await answer.json());
}

/** A fetch by which pages also read what the site offers, which is on this disk and not in the database. */
export const withOffer =
  (dataDir: string, fetchApi: typeof fetch): typeof fetch =>
  async (input, init) => {
    if (!String(input).endsWith(OFFER_PATH)) return fetchApi(input, init);
    return Response.json(readOffer(dataDir) ?? null);
  };

/**
 * Brings the pack that the site offers up to date, when the site has started and from then on every so many hours. One in which
 * something was hidden or withdrawn, or for which a notice came, is no longer offered a minute later, and made again.
 *
 * @param program makes it
 * @returns a function that stops this
 */
export function scheduleFieldPack(
  { fieldPackEvery, dataDir }: Pick<Config, 'fieldPackEvery' | 'dataDir'>,
  api: Api,
  program: Program,
  log: Logger,
): () => Promise<void> {
  let running: ReturnType<typeof startProgram> | undefined;
  let making = Promise.resolve();
  let stopped = false;
  /** In the time of the monotonic clock. */
  let notBefore = 0;
  let round = Promise.resolve();
  if (fieldPackEvery === 0) withdrawOffer(dataDir, readOffer(dataDir));

  async function make(): Promise<void> {
    // Not once more where an operator has made it in the meantime.
    running = startProgram(program, ['--due']);
    const { code, problem } = await running.ended;
    running = undefined;
    if (stopped) return;
    if (code === 0) return log.info({}, 'field pack made');
    notBefore = performance.now() + RETRY_MS;
    log.error({ problem }, 'a field pack could not be made');
  }
  /** Also while one is made, which takes minutes. */
  async function runRound(): Promise<void> {
    const offer = readOffer(dataDir);
    const isOver = offer && (await readState(api, offer.madeAt)) !== offer.state;
    // The next one may have been made in the meantime.
    if (isOver && readOffer(dataDir)?.madeAt === offer.madeAt) withdrawOffer(dataDir, offer);
    const isWanted = fieldPackEvery > 0 && isDue(readOffer(dataDir)?.madeAt, fieldPackEvery);
    if (!stopped && !running && isWanted && performance.now() >= notBefore) making = make().catch(report);
  }
  const report = (error: unknown) => log.error({ err: error }, 'a field pack failed');
  const startRound = () => {
    round = round.then(runRound).catch(report);
  };
  startRound();
  const timer = setInterval(startRound, MINUTE_MS).unref();
  return async () => {
    clearInterval(timer);
    stopped = true;
    running?.stop();
    await Promise.all([round, making]);
  };
}

/** From now on it is not offered; the folder in which the pack is made remains. */
function withdrawOffer(dataDir: string, offer: Offer | undefined): void {
  const places = placesIn(dataDir);
  rmSync(places.offer, { force: true });
  for (const name of offer ? archivesOf(offer) : []) rmSync(join(places.archives, name), { force: true });
}
