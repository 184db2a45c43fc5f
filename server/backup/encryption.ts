import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

// Loaded when a backup is encrypted or opened: a site without a key needs none of it.
const loadAge = () => import('age-encryption');

const AGE = 'age-encryption.org/';

/** The fault of a backup, in one sentence for the operator. */
export class BackupError extends Error {}

/**
 * @param key a passphrase, an age1… recipient or an AGE-SECRET-KEY-…; without a key the output is not
 * encrypted
 */
export async function encrypted(content: AsyncIterable<unknown>, key: string | undefined): Promise<Readable> {
  if (!key) return Readable.from(content);
  const { Encrypter, identityToRecipient } = await loadAge();
  const encrypter = new Encrypter();
  if (key.startsWith('age1')) encrypter.addRecipient(key);
  else if (key.startsWith('AGE-SECRET-KEY-')) encrypter.addRecipient(await identityToRecipient(key));
  else encrypter.setPassphrase(key);
  const stream = await encrypter.encrypt(webStream(Readable.from(content)));
  return Readable.fromWeb(stream as ReadableStream<Uint8Array>);
}

/**
 * @param key the key of the encryption; with a key, an unencrypted file is refused
 * @throws BackupError when it does not open the file
 */
export async function decrypted(file: string, key: string | undefined): Promise<Readable> {
  const [head] = (await createReadStream(file, { end: AGE.length - 1 }).toArray()) as Buffer[];
  const bytes = createReadStream(file);
  if (head?.toString() !== AGE) {
    // Only an encrypted file proves that its author knew the key.
    if (key)
      throw new BackupError(
        `The backup ${file} is not encrypted, so anyone may have made or changed it. To restore it anyway, unset BACKUP_KEY.`,
      );
    return bytes;
  }
  if (!key) throw new BackupError(`The backup ${file} is encrypted; set BACKUP_KEY to its key.`);
  if (key.startsWith('age1'))
    throw new BackupError(
      `BACKUP_KEY is the public key, which only encrypts; set it to the AGE-SECRET-KEY-… that belongs to it.`,
    );
  const { Decrypter } = await loadAge();
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
