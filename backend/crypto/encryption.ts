import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts small texts in the database, so that access to the database alone does not reveal them. */
export interface Encryption {
  /** @param owner the row that the text belongs to; a sealed text moved to another owner cannot be read */
  encrypt(text: string, owner: string): string;
  /** Text that was never sealed, for example after a move from another service, is returned as it is. */
  decrypt(sealed: string, owner: string): string;
}

const PREFIX = 'aes-256-gcm:';
const NONCE = 12;
const TAG = 16;

/** @param key base64url of 32 bytes */
export function createEncryption(key: string): Encryption {
  const secret = Buffer.from(key, 'base64url');
  return {
    encrypt(text, owner) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(owner));
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url');
    },
    decrypt(sealed, owner) {
      if (!sealed.startsWith(PREFIX)) return sealed;
      const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, NONCE), {
        authTagLength: TAG,
      })
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
      return decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
