import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption';

const AGE = 'age-encryption.org/';

/** What is wrong with a backup, in one sentence for the operator. */
export class BackupError extends Error {}

/**
 * @param key a passphrase, an age1… recipient or an AGE-SECRET-KEY-…; nothing is encrypted without
 */
export async function encrypted(content: AsyncIterable<unknown>, key: string | undefined): Promise<Readable> {
  if (!key) return Readable.from(content);
  const encrypter = new Encrypter();
  if (key.startsWith('age1')) encrypter.addRecipient(key);
  else if (key.startsWith('AGE-SECRET-KEY-')) encrypter.addRecipient(await identityToRecipient(key));
  else encrypter.setPassphrase(key);
  const stream = await encrypter.encrypt(webStream(Readable.from(content)));
  return Readable.fromWeb(stream as ReadableStream<Uint8Array>);
}

/**
 * @param key that was encrypted with; what is not encrypted is refused with one
 * @throws BackupError when it does not open the file
 */
export async function decrypted(file: string, key: string | undefined): Promise<Readable> {
  const [head] = (await createReadStream(file, { end: AGE.length - 1 }).toArray()) as Buffer[];
  const bytes = createReadStream(file);
  if (head?.toString() !== AGE) {
    // Only what is encrypted shows that whoever made it knew the key.
    if (key)
      throw new BackupError(
        `The backup ${file} is not encrypted, so anybody may have made or changed it; to restore it all the same, unset BACKUP_KEY.`,
      );
    return bytes;
  }
  if (!key) throw new BackupError(`The backup ${file} is encrypted; set BACKUP_KEY to its key.`);
  if (key.startsWith('age1'))
    throw new BackupError(
      `BACKUP_KEY is the public key, which only encrypts; set it to the AGE-SECRET-KEY-… that belongs to it.`,
    );
  const decrypter = new Decrypter();
  if (key.startsWith('AGE-SECRET-KEY-')) decrypter.addIdentity(key);
  else decrypter.addPassphrase(key);
  try {
    const stream = await decrypter.decrypt(webStream(bytes));
    return Readable.fromWeb(stream as ReadableStream<Uint8Array>);
  } catch (cause) {
    bytes.destroy();
    throw new BackupError(`BACKUP_KEY does not open the backup ${file}.`, { cause });
  }
}

const webStream = (stream: Readable) => Readable.toWeb(stream) as globalThis.ReadableStream<Uint8Array>;
