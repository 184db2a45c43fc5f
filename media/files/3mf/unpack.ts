import { buffer } from 'node:stream/consumers';
import { openPromise, type ZipFile } from 'yauzl';
import { LIMITS } from '../../limits.ts';
import { FileProblem } from '../problem.ts';

/**
 * The reason why a 3MF is refused.
 *
 * @param reason ends the sentence that begins with “This 3MF”
 */
export const problem = (reason: string) => new FileProblem(`This 3MF ${reason}`);

/** What describes the model: its relations, its meshes, and what slicers note about their parts. */
const KEPT = /^_rels\/\.rels$|\.model$|^Metadata\/(?:Slic3r_PE_model|model_settings)\.config$/i;

interface Unpacked {
  /** By name; those of `KEPT`. */
  entries: Map<string, Uint8Array>;
  /** The names of the others. */
  others: string[];
}

/** Only what describes the model is unpacked, and never beyond the size that was checked before. */
export async function unpack(path: string): Promise<Unpacked> {
  const archive = await openPromise(path).catch(() => {
    throw problem('cannot be unpacked. It may be damaged: export it again.');
  });
  try {
    return await readEntries(archive);
  } catch (error) {
    if (error instanceof FileProblem) throw error;
    throw /(?:absolute|relative) path/.test(String(error))
      ? problem('refers to something outside it.')
      : problem('cannot be unpacked. It may be damaged: export it again.');
  } finally {
    archive.close();
  }
}

async function readEntries(archive: ZipFile): Promise<Unpacked> {
  const unpacked: Unpacked = { entries: new Map(), others: [] };
  let total = 0;
  for await (const entry of archive.eachEntry()) {
    if (!KEPT.test(entry.fileName)) {
      if (unpacked.others.push(entry.fileName) > MAX_OTHERS) throw tooMany();
      continue;
    }
    total += entry.uncompressedSize;
    if (total > LIMITS.unpackedBytes) throw problem('is too large when unpacked.');
    if (unpacked.entries.size === LIMITS.parts) throw tooMany();
    if (entry.isEncrypted()) throw encrypted();
    const bytes = await buffer(await archive.openReadStreamPromise(entry));
    if (bytes.toString('latin1', 0, SECURE.length) === SECURE) throw encrypted();
    unpacked.entries.set(entry.fileName, bytes);
  }
  return unpacked;
}

/** Begins each part that the Secure Content extension has encrypted. */
const SECURE = '%3McF';
const encrypted = () => problem('is encrypted. Save it without encryption and choose it again.');

/** Images, textures and settings; a print project of many plates has some for each. */
const MAX_OTHERS = 5000;
const tooMany = () => problem(`holds more than ${LIMITS.parts} models, or too many other files.`);
