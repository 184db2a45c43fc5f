import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** What an authenticator or a browser claims; what a test leaves out is true. */
interface Claims {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Whether the user gave a PIN, a finger or the like. */
  userVerified?: boolean;
  signCount?: number;
  userHandle?: string;
  /** Signs in the place of the authenticator's own key. */
  key?: KeyObject;
  type?: string;
}

interface CreationOptions {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
}

interface RequestOptions {
  challenge: string;
  rpId?: string;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const encoded = (data: Buffer) => data.toString('base64url');

/** An authenticator in software with one ES256 key, and the browser before it, which a page of `origin` asks. */
export function createAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let [signCount, userHandle] = [0, ''];

  const clientData = (type: string, challenge: string, claims: Claims) =>
    Buffer.from(
      JSON.stringify({
        type: claims.type ?? type,
        challenge: claims.challenge ?? challenge,
        origin: claims.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (rpId: string, claims: Claims, more: Buffer = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(claims.signCount ?? ++signCount);
    const flags = 0x01 | (claims.userVerified === false ? 0 : 0x04) | (more.length > 0 ? 0x40 : 0);
    return Buffer.concat([sha256(claims.rpId ?? rpId), Buffer.from([flags]), count, more]);
  };
  const coordinate = (part: 'x' | 'y') =>
    new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' })[part] ?? '', 'base64url'));

  return {
    id: encoded(id),
    /** What the browser sends back from `navigator.credentials.create()`. */
    create(options: CreationOptions, claims: Claims = {}) {
      userHandle = options.user.id;
      const coseKey = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinate('x')],
        [-3, coordinate('y')],
      ]);
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        isoCBOR.encode(coseKey),
      ]);
      const authData = authenticatorData(options.rp.id ?? '', claims, attested);
      const attestation = isoCBOR.encode(
        new Map<string, string | Map<string, string> | Uint8Array>([
          ['fmt', 'none'],
          ['attStmt', new Map<string, string>()],
          ['authData', new Uint8Array(authData)],
        ]),
      );
      return {
        id: encoded(id),
        rawId: encoded(id),
        type: 'public-key' as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: encoded(clientData('webauthn.create', options.challenge, claims)),
          attestationObject: encoded(Buffer.from(attestation)),
          transports: ['internal' as const],
        },
      };
    },
    /** What the browser sends back from `navigator.credentials.get()`. */
    get(options: RequestOptions, claims: Claims = {}) {
      const client = clientData('webauthn.get', options.challenge, claims);
      const authData = authenticatorData(options.rpId ?? '', claims);
      const signature = createSign('sha256')
        .update(Buffer.concat([authData, sha256(client)]))
        .sign(claims.key ?? privateKey);
      return {
        id: encoded(id),
        rawId: encoded(id),
        type: 'public-key' as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: encoded(client),
          authenticatorData: encoded(authData),
          signature: encoded(signature),
          userHandle: claims.userHandle ?? userHandle,
        },
      };
    },
  };
}
