import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58 } from '@scure/base';
import { AuthError } from '../errors.ts';
import type { Chain } from './message.ts';

/** Wallets count from 27, as Bitcoin did, or from zero. */
const RECOVERY = new Map([
  [27, 0],
  [28, 1],
  [0, 0],
  [1, 1],
]);

/**
 * Whether the wallet with this address signed this text.
 *
 * @throws AuthError validation_failed when the signature is malformed
 */
export function signedBy(chain: Chain, address: string, text: string, signature: string): boolean {
  return chain === 'ethereum' ? byEthereum(address, text, signature) : bySolana(address, text, signature);
}

/** EIP-191: the address is the hash of the key that made the signature. */
function byEthereum(address: string, text: string, signature: string): boolean {
  if (!/^(?:0x)?[\da-f]{130}$/i.test(signature)) {
    throw new AuthError(
      'validation_failed',
      'signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string',
    );
  }
  const bytes = Buffer.from(signature.replace(/^0x/i, ''), 'hex');
  const recovery = RECOVERY.get(bytes[64] ?? -1);
  if (recovery === undefined) return false;
  const messageBytes = Buffer.from(text);
  const digest = keccak_256(
    Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${messageBytes.length}`), messageBytes]),
  );
  try {
    const key = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact')
      .addRecoveryBit(recovery)
      .recoverPublicKey(digest)
      .toBytes(false);
    const hash = keccak_256(key.subarray(1));
    return `0x${Buffer.from(hash.subarray(-20)).toString('hex')}` === address;
  } catch {
    return false;
  }
}

/** The address is the key. Strict: keys for which any signature is valid are refused. */
function bySolana(address: string, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64');
  if (!/^[\w+/-]{86}(?:==)?$/.test(signature) || bytes.length !== 64) {
    throw new AuthError(
      'validation_failed',
      'signature must be 64 bytes encoded as base64 with or without padding',
    );
  }
  try {
    const key = base58.decode(address);
    return key.length === 32 && ed25519.verify(bytes, Buffer.from(text), key, { zip215: false });
  } catch {
    return false;
  }
}
