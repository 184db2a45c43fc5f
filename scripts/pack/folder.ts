import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import {
  FORMAT,
  filesOf,
  isData,
  MANIFEST,
  type Manifest,
  type Signed,
  textOf,
} from '#app/finding/field-pack/format.ts';
import { replaceFileSync } from '#backend/files/replace-file.mjs';

/** Why a folder is not taken for a field pack; a sentence for who asked. */
export class PackProblem extends Error {}

export const sha256 = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

const hashes = z.array(z.string().regex(/^[0-9a-f]{64}$/));
const namesSchema = z.object({
  page: z.strictObject({ 'index.html': z.string(), 'viewer.js': z.string(), 'viewer.css': z.string() }),
  data: hashes,
  images: hashes,
});

/** The public key of a manifest, as node knows it. */
const publicKey = (key: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });

/** What a first run that was cut off may have left. */
const PARTS = ['data', 'images', 'index.html', 'viewer.js', 'viewer.css'];

/** The manifest of a pack; undefined in a folder that has none yet. @throws where it was changed */
export function readManifest(folder: string): Manifest | undefined {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (!names.includes(MANIFEST)) {
    if (names.every((name) => [...PARTS, MANIFEST].includes(name.replace(/\.new$/, '')))) return undefined;
    throw new PackProblem(`${folder} holds other files and no field pack. Name an empty folder.`);
  }
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
    if (manifest.format !== FORMAT)
      throw new PackProblem(
        `${folder} was made by another version of the program, which has to bring it up to date.`,
      );
    // They become paths, whoever signed it.
    if (!namesSchema.safeParse(manifest).success) throw changed;
    return manifest;
  } catch (error) {
    throw error instanceof PackProblem ? error : changed;
  }
}

/** @throws where a file of a pack is missing, or is not as the manifest says */
export function checkFiles(folder: string, manifest: Manifest): void {
  for (const [path, expected] of Object.entries(filesOf(manifest))) {
    const file = join(folder, path);
    if (!existsSync(file)) throw new PackProblem(`${file} is missing. Nothing was written.`);
    if (sha256(readFileSync(file)) !== expected)
      throw new PackProblem(`${file} was changed or is damaged. Nothing was written.`);
  }
}

/** Writes a file whole or not at all. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  replaceFileSync(file, content, 0o666);
}

const isThere = (file: string, expected: string) =>
  existsSync(file) && sha256(readFileSync(file)) === expected;

/** Writes a file of data as soon as it is made, which no manifest names yet. @returns the bytes written; none where it is there */
export function putData(folder: string, path: string, content: string): number {
  if (isThere(join(folder, path), sha256(content))) return 0;
  writeWhole(join(folder, path), content);
  return Buffer.byteLength(content);
}

/**
 * Makes a folder into the pack of a manifest. New files come first, then the manifest, and last what it no longer names goes: cut off
 * anywhere, the folder is the pack from before or the new one, and the next try ends it.
 *
 * @param contentOf the content of a file of the new pack
 * @returns the bytes written, and those of the whole
 */
export function writePack(
  folder: string,
  manifest: Manifest,
  signed: string,
  contentOf: (path: string) => string | Uint8Array,
): { written: number; size: number } {
  let written = 0;
  const put = (path: string, content: string | Uint8Array) => {
    writeWhole(join(folder, path), content);
    written += Buffer.byteLength(content);
  };
  const files = filesOf(manifest);
  for (const [path, expected] of Object.entries(files))
    if (!isThere(join(folder, path), expected)) put(path, contentOf(path));
  put(MANIFEST, signed);
  for (const part of ['data', 'images']) {
    if (!existsSync(join(folder, part))) continue;
    for (const name of readdirSync(join(folder, part))) {
      const path = `${part}/${name}`;
      if (isData(path.replace(/\.new$/, '')) && !Object.hasOwn(files, path)) rmSync(join(folder, path));
    }
  }
  const size = [MANIFEST, ...Object.keys(files)].reduce(
    (sum, path) => sum + statSync(join(folder, path)).size,
    0,
  );
  return { written, size };
}
