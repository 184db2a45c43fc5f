import {
  FORMAT,
  MANIFEST,
  type Manifest,
  type PackedSolution,
  pathOf,
  type Signed,
  scriptOf,
} from './format.ts';

/** Why a pack is not shown; a sentence for its reader. */
export class PackError extends Error {}

export interface Pack {
  manifest: Manifest;
  solutions: PackedSolution[];
  /** SHA-256 of the key, by which its fingerprint is made. */
  keyHash: string;
  /** False where this browser cannot check who signed it. */
  isSignatureChecked: boolean;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));

/** The texts of files of data by the scripts that brought them. */
const texts = new WeakMap<Element, string>();

function load(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const end = () => {
      script.remove();
      const text = texts.get(script);
      if (text === undefined) reject(new PackError(`The file ${path} is missing, changed or damaged.`));
      else resolve(text);
    };
    script.onload = end;
    script.onerror = end;
    script.src = path;
    document.head.append(script);
  });
}

/** The text of a file of data, once it is what the manifest says. @throws PackError */
export async function readData(part: 'data' | 'images', hash: string): Promise<string> {
  const path = pathOf(part, hash);
  const text = await load(path);
  if ((await sha256(scriptOf(text))) !== hash)
    throw new PackError(`The file ${path} was changed or is damaged.`);
  return text;
}

async function isSigned({ body, signature }: Signed, { key }: Manifest): Promise<boolean | undefined> {
  let imported: CryptoKey;
  try {
    imported = await crypto.subtle.importKey('raw', fromBase64Url(key), 'Ed25519', false, ['verify']);
  } catch (error) {
    // A browser from before 2025 knows no such keys.
    if (error instanceof DOMException && error.name === 'NotSupportedError') return undefined;
    return false;
  }
  return crypto.subtle.verify('Ed25519', imported, fromBase64Url(signature), bytesOf(body));
}

/** Reads the whole pack but its images. @throws PackError where a byte of it was changed */
export async function readPack(): Promise<Pack> {
  // What the files of data call. Each is a program, which runs before it can be compared: none may take another's place here.
  Object.defineProperty(window, 'limbPack', {
    value: (text: unknown) => {
      const script = document.currentScript;
      if (script && !texts.has(script)) texts.set(script, String(text));
    },
  });
  if (!globalThis.crypto?.subtle)
    throw new PackError('This browser cannot check the pack. Open it with another browser, or a newer one.');
  let signed: Signed;
  let manifest: Manifest;
  let isChecked: boolean | undefined;
  try {
    signed = JSON.parse(await load(MANIFEST));
    manifest = JSON.parse(signed.body);
    isChecked = await isSigned(signed, manifest);
  } catch {
    throw new PackError(`The file ${MANIFEST} is missing, changed or damaged.`);
  }
  if (isChecked === false)
    throw new PackError(`The file ${MANIFEST} was changed: it isn’t signed by the site that it names.`);
  if (manifest.format !== FORMAT)
    throw new PackError('This pack mixes files of two versions. Download the whole pack again.');
  const groups = await Promise.all(manifest.data.map((hash) => readData('data', hash)));
  const solutions = groups.flatMap((group): PackedSolution[] => JSON.parse(group));
  solutions.sort((a, b) => b.approvedAt.localeCompare(a.approvedAt) || a.id.localeCompare(b.id));
  return { manifest, solutions, keyHash: await sha256(manifest.key), isSignatureChecked: isChecked ?? false };
}

/** When the newest pack was made that this browser has opened, by its key. */
const newestKey = ({ key }: Manifest) => `field-pack ${key}`;

/** The time of a newer pack of the same site that was opened here before; undefined where there is none. */
export function newerBefore(manifest: Manifest): string | undefined {
  try {
    const newest = localStorage.getItem(newestKey(manifest)) ?? '';
    if (newest > manifest.madeAt) return newest;
    localStorage.setItem(newestKey(manifest), manifest.madeAt);
  } catch {
    // A browser that keeps nothing for pages from a disk has opened none.
  }
  return undefined;
}
