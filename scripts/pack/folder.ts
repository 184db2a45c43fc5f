import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  FORMAT,
  isData,
  isFileOfPack,
  MANIFEST,
  type Manifest,
  type Signed,
  textOf,
} from '#app/finding/field-pack/format.ts';

/** Why a folder is not taken for a field pack; a sentence for who asked. */
export class PackProblem extends Error {}

export const sha256 = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** The public key of a manifest, as node knows it. */
const publicKey = (key: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });

/** The manifest of a pack; undefined in a folder that is empty or does not exist yet. @throws where it was changed */
export function readManifest(folder: string): Manifest | undefined {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return undefined;
  if (!existsSync(join(folder, MANIFEST)))
    throw new PackProblem(`${folder} holds other files and no field pack. Name an empty folder.`);
  const changed = new PackProblem(
    `${join(folder, MANIFEST)} was changed or is damaged. Nothing was written.`,
  );
  try {
    const { body, signature }: Signed = JSON.parse(
      textOf(readFileSync(join(folder, MANIFEST), 'utf8')) ?? '',
    );
    const manifest: Manifest = JSON.parse(body);
    if (!verify(null, Buffer.from(body), publicKey(manifest.key), Buffer.from(signature, 'base64url')))
      throw changed;
    if (!Object.keys(manifest.files).every(isFileOfPack)) throw changed;
    if (manifest.format !== FORMAT)
      throw new PackProblem(
        `${folder} was made by another version of the program, which has to bring it up to date.`,
      );
    return manifest;
  } catch (error) {
    throw error instanceof PackProblem ? error : changed;
  }
}

/** @throws where a file of a pack is missing, is not as the manifest says, or is one that the manifest does not name */
export function checkFiles(folder: string, manifest: Manifest): void {
  for (const [path, { sha256: expected, size }] of Object.entries(manifest.files)) {
    const file = join(folder, path);
    if (!existsSync(file)) throw new PackProblem(`${file} is missing. Nothing was written.`);
    if (statSync(file).size !== size || sha256(readFileSync(file)) !== expected)
      throw new PackProblem(`${file} was changed or is damaged. Nothing was written.`);
  }
}

/** Writes a file whole or not at all. */
function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, content, { flush: true });
  renameSync(`${file}.new`, file);
}

/**
 * Makes a folder into the pack of a manifest. New files come first, then the manifest, and last what it no longer names goes: cut off
 * anywhere, the folder is the pack from before or the new one, and the next try ends it.
 *
 * @param contentOf the content of a file of the new pack
 * @returns the bytes written
 */
export function writePack(
  folder: string,
  manifest: Manifest,
  signed: string,
  contentOf: (path: string) => string | Uint8Array,
): number {
  let bytes = 0;
  const put = (path: string, content: string | Uint8Array) => {
    write(join(folder, path), content);
    bytes += Buffer.byteLength(content);
  };
  const paths = Object.entries(manifest.files);
  const isThere = (path: string, expected: string) =>
    existsSync(join(folder, path)) && sha256(readFileSync(join(folder, path))) === expected;
  for (const [path, { sha256: expected }] of paths) if (!isThere(path, expected)) put(path, contentOf(path));
  put(MANIFEST, signed);
  for (const part of ['data', 'images']) {
    if (!existsSync(join(folder, part))) continue;
    for (const name of readdirSync(join(folder, part))) {
      const path = `${part}/${name}`;
      if (isData(path.replace(/\.new$/, '')) && !Object.hasOwn(manifest.files, path))
        rmSync(join(folder, path));
    }
  }
  return bytes;
}
