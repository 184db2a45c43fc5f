import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, type Pack, pack } from 'tar-stream';
import { BackupError, decrypted, encrypted } from './encryption.ts';

/** The last part of every archive, in the format of `sha256sum`: without it the archive is not complete. */
const CHECKSUMS_FILE = 'SHA256SUMS';
/** The suffix of archives that are compressed as a whole. */
const COMPRESSED = /\.tar\.gz(\.age)?$/;

export type AddPart = (name: string, content: Buffer | { body: Readable; size: number }) => Promise<void>;

/**
 * Writes an archive whose parts are streamed, and puts it in its place once it is complete and on disk.
 *
 * @param file compressed when its name says so
 * @param key BACKUP_KEY; the archive is a plain tar without
 * @returns its parts and their hashes
 */
export async function writeArchive(
  file: string,
  key: string | undefined,
  fill: (add: AddPart) => Promise<void>,
): Promise<Map<string, string>> {
  const sums = new Map<string, string>();
  const tar = pack();
  const unfinished = `${file}.unfinished`;
  const add: AddPart = async (name, content) => {
    const { body, size } = Buffer.isBuffer(content)
      ? { body: Readable.from([content]), size: content.length }
      : content;
    const hash = createHash('sha256');
    try {
      await pipeline(body, hashing(hash), tar.entry({ name, size, mode: 0o600 }));
    } finally {
      // An archive that could not be written any further takes no entry.
      body.destroy();
    }
    sums.set(name, hash.digest('hex'));
  };
  const fillAndEnd = async () => {
    try {
      await fill(add);
      await add(CHECKSUMS_FILE, Buffer.from([...sums].map(([name, sum]) => `${sum}  ${name}\n`).join('')));
      tar.finalize();
    } catch (error) {
      tar.destroy();
      throw error;
    }
  };
  try {
    const filled = fillAndEnd();
    const written = pipeline(
      await encrypted(COMPRESSED.test(file) ? compressed(tar) : tar, key),
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
    ).catch((error) => {
      tar.destroy();
      throw error;
    });
    // The stream that failed first has the reason; the other only noticed.
    const [first] = (await Promise.allSettled([written, filled])).filter(
      (outcome) => outcome.status === 'rejected',
    );
    await filled;
    if (first) throw first.reason;
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return sums;
}

/** The parts of an archive in their order; each must be read to its end before the next is requested. */
export async function* readArchive(
  file: string,
  key: string | undefined,
): AsyncGenerator<{ name: string; body: Readable }> {
  const tar = extract();
  const source = await decrypted(file, key);
  // An error here also breaks the reading below.
  (COMPRESSED.test(file) ? pipeline(source, createGunzip(), tar) : pipeline(source, tar)).catch(
    () => undefined,
  );
  try {
    for await (const entry of tar) yield { name: entry.header.name, body: Readable.from(entry) };
  } finally {
    source.destroy();
    tar.destroy();
  }
}

/**
 * Reads an archive from end to end and compares every part with its hash.
 *
 * @param contentNames names of parts whose content is returned; they should be small
 * @throws BackupError when it cannot be opened, breaks off or differs, naming the part
 */
export async function verifyArchive(
  file: string,
  key: string | undefined,
  contentNames: string[],
): Promise<Map<string, Buffer>> {
  const sums = new Map<string, string>();
  const contents = new Map<string, Buffer>();
  let reading = 'its beginning';
  try {
    for await (const { name, body } of readArchive(file, key)) {
      reading = name;
      const pieces: Buffer[] = [];
      const hash = createHash('sha256');
      for await (const piece of body) {
        hash.update(piece);
        if (name === CHECKSUMS_FILE || contentNames.includes(name)) pieces.push(piece);
      }
      if (pieces.length > 0) contents.set(name, Buffer.concat(pieces));
      if (name !== CHECKSUMS_FILE) sums.set(name, hash.digest('hex'));
    }
  } catch (cause) {
    if (cause instanceof BackupError) throw cause;
    throw new BackupError(`The backup ${file} is damaged or not whole, at ${reading}.`, { cause });
  }
  const listed = contents.get(CHECKSUMS_FILE)?.toString().trimEnd().split('\n');
  if (!listed) throw new BackupError(`The backup ${file} is not whole: it breaks off after ${reading}.`);
  for (const line of listed) {
    const [sum = '', name = ''] = line.split('  ');
    if (sums.get(name) !== sum)
      throw new BackupError(
        `The backup ${file} is damaged: ${name} is ${sums.has(name) ? 'not what was backed up' : 'missing'}.`,
      );
    sums.delete(name);
  }
  for (const name of sums.keys())
    throw new BackupError(`The backup ${file} is damaged: ${name} does not belong in it.`);
  return contents;
}

function compressed(tar: Pack): Readable {
  const gzip = createGzip({ level: 1 });
  // An error here also breaks the reading of its output.
  pipeline(tar, gzip).catch(() => undefined);
  return gzip;
}

/** Passes on the bytes that it hashes. */
export const hashing = (hash: ReturnType<typeof createHash>) =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
