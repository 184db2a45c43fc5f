import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JWK } from 'jose';
import {
  FORMAT,
  MANIFEST,
  type Manifest,
  type PackedSolution,
  pathOf,
  type Signed,
  scriptOf,
  textOf,
} from '#app/finding/field-pack/format.ts';
import { readImages, readSite, readSolutions, type Source } from './contents.ts';
import { checkFiles, PackProblem, putData, readManifest, sha256, writePack } from './folder.ts';

/** What the page of a pack is made of, which the build has put here. */
const VIEWER = 'build/client/field-pack';

/** What stands in `index.html`: no address, no style and no script of another place, whatever a text says. */
const indexPage = (name: string) => `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src file: 'self'; style-src file: 'self'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>${name.replace(/[&<]/g, (letter) => (letter === '&' ? '&amp;' : '&lt;'))}</title>
<link rel="stylesheet" href="viewer.css">
<script defer src="viewer.js"></script>
</head>
<body><noscript>This page needs JavaScript, which this browser has off.</noscript></body>
</html>
`;

export interface Made {
  manifest: Manifest;
  written: number;
  size: number;
}

/**
 * Makes a field pack, or brings one up to date, of what every visitor of the site can see.
 *
 * @param root the folder of the program
 * @param key the private key of the site
 * @param madeAt the moment of which the pack is
 * @throws PackProblem for a pack that was changed, is newer than this moment or is another site's, which then stays as it is
 */
export async function makePack(
  folder: string,
  source: Source,
  key: JWK,
  root: string,
  madeAt = new Date().toISOString(),
): Promise<Made> {
  const before = readManifest(folder);
  const own = key.x ?? '';
  if (before) {
    if (before.key !== own)
      throw new PackProblem(`${folder} is the field pack of another site, ${before.siteUrl}.`);
    if (Date.parse(before.madeAt) > Date.now())
      throw new PackProblem(
        `${folder} is newer than this moment: it was made at ${before.madeAt}. Nothing was written.`,
      );
    // The page itself is written again where it differs.
    checkFiles(folder, { ...before, page: {} });
  }
  const earlier = before ? imagesIn(folder, before) : undefined;
  let writtenData = 0;
  const add = (part: 'data' | 'images', text: string) => {
    const script = scriptOf(text);
    const hash = sha256(script);
    writtenData += putData(folder, pathOf(part, hash), script);
    return hash;
  };
  const used = new Set<string>();
  const data: string[] = [];
  const site = await readSite(source);
  let group: PackedSolution[] = [];
  const endGroup = () => {
    if (group.length > 0) data.push(add('data', JSON.stringify(group)));
    group = [];
  };
  let solutions = 0;
  // They come by their ids.
  for await (const { solution, sources } of readSolutions(source, madeAt)) {
    solutions += 1;
    const kept = earlier?.get(solution.id);
    let images: PackedSolution['images'] = null;
    if (kept && JSON.stringify(kept.sources) === JSON.stringify(sources)) {
      images = kept;
    } else if (sources.length > 0) {
      images = { sha256: add('images', await readImages(source, sources)), sources };
    }
    if (images) used.add(images.sha256);
    // A change of one solution writes those whose ids begin alike.
    if (group[0]?.id.slice(0, 3) !== solution.id.slice(0, 3)) endGroup();
    group.push({ ...solution, images });
  }
  endGroup();
  const pages: Record<string, string | Buffer> = { 'index.html': indexPage(site.name) };
  for (const name of ['viewer.js', 'viewer.css']) pages[name] = readFileSync(join(root, VIEWER, name));
  const manifest: Manifest = {
    format: FORMAT,
    ...site,
    siteUrl: source.siteUrl,
    key: own,
    madeAt,
    solutions,
    page: Object.fromEntries(Object.entries(pages).map(([name, content]) => [name, sha256(content)])),
    data: data.sort(),
    images: [...used].sort(),
  };
  const body = JSON.stringify(manifest);
  const signature = sign(
    null,
    Buffer.from(body),
    createPrivateKey({ key: { ...key }, format: 'jwk' }),
  ).toString('base64url');
  const signed = scriptOf(JSON.stringify({ body, signature } satisfies Signed));
  const { written, size } = writePack(
    folder,
    manifest,
    signed,
    (path) => pages[path] ?? readFileSync(join(folder, path)),
  );
  return { manifest, written: writtenData + written, size };
}

/** The images of the solutions of a pack, by their ids. */
function imagesIn(folder: string, { data }: Manifest): Map<string, PackedSolution['images']> {
  const found = new Map<string, PackedSolution['images']>();
  for (const hash of data) {
    const text = textOf(readFileSync(join(folder, pathOf('data', hash)), 'utf8')) ?? '[]';
    const group: PackedSolution[] = JSON.parse(text);
    for (const { id, images } of group) found.set(id, images);
  }
  return found;
}

/** Brings one pack up to date from a newer one of the same site, such as that on a stick. @throws PackProblem as makePack does */
export function copyPack(folder: string, from: string): Made {
  const newer = readManifest(from);
  if (!newer) throw new PackProblem(`There is no field pack in ${from}.`);
  checkFiles(from, newer);
  const before = readManifest(folder);
  if (before && before.key !== newer.key)
    throw new PackProblem(`${from} is of another site than ${folder}. Nothing was written.`);
  if (before && Date.parse(newer.madeAt) < Date.parse(before.madeAt))
    throw new PackProblem(
      `${from} was made at ${newer.madeAt} and is older than ${folder}, which was made at ${before.madeAt}. Nothing was written.`,
    );
  const signed = readFileSync(join(from, MANIFEST), 'utf8');
  const sizes = writePack(folder, newer, signed, (path) => readFileSync(join(from, path)));
  return { manifest: newer, ...sizes };
}
