import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  createReadStream,
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { buildSite } from '#server/build.ts';
import { VERSION } from '#server/version.mjs';
import { debianArchitecture, makeDebianPackage } from './debian.ts';
import { type Component, stageRelease } from './stage.ts';

// One archive of the site for a platform, which needs neither npm nor a compiler nor a network: `npm run package`, or
// `npm run package -- linux-arm64`. Beside it lie its checksum, the list of what is in it (CycloneDX), and, where dpkg-deb
// is there, the same as a Debian package.

const root = resolve(import.meta.dirname, '../..');
const HERE = `${process.platform}-${process.arch}`;
const platform = process.argv[2] ?? HERE;
const name = `limb-commons-${VERSION}-${platform}`;
const folder = join(root, 'dist');
/** Where a Debian package can be made, and of use. */
const architecture =
  spawnSync('dpkg-deb', ['--version']).status === 0 ? debianArchitecture(platform) : undefined;
const unfinished = join(folder, `unfinished-${process.pid}`);
/** The time of every file in the archive, so that the same sources give the same bytes. */
const madeAt = new Date(
  spawnSync('git', ['log', '-1', '--format=%cI'], { cwd: root, encoding: 'utf8' }).stdout.trim() ||
    Date.now(),
);

function* entriesOf(path: string): Generator<string> {
  for (const entry of readdirSync(join(unfinished, path), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* entriesOf(inner);
    else yield inner;
  }
}

/** The packages of another platform, as npm installs them there. */
function installFor(target: string): string {
  const [os, cpu] = target.split('-');
  const installed = join(unfinished, 'installed');
  mkdirSync(installed);
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    if (existsSync(join(root, file))) cpSync(join(root, file), join(installed, file));
  const options = ['--omit=dev', `--os=${os}`, `--cpu=${cpu}`, '--libc=glibc', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['ci', '--loglevel=error', ...options], {
    cwd: installed,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`The packages for ${target} could not be installed; npm says why above.`);
  return installed;
}

async function writeArchive(file: string): Promise<void> {
  const archive = pack();
  const compress = spawn('xz', ['-6', '--threads=0'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(compress, 'exit');
  const written = Promise.all([
    pipeline(archive, compress.stdin),
    pipeline(compress.stdout, createWriteStream(file)),
    ended,
  ]);
  for (const path of entriesOf(name)) {
    const stat = lstatSync(join(unfinished, path));
    const common = { name: path, mtime: madeAt };
    if (stat.isSymbolicLink())
      archive.entry({ ...common, type: 'symlink', linkname: readlinkSync(join(unfinished, path)) });
    else {
      // Whoever unpacks it may run it, and only its owner may change it.
      const mode = stat.mode & 0o100 ? 0o755 : 0o644;
      const entry = archive.entry({ ...common, mode, size: stat.size });
      await pipeline(createReadStream(join(unfinished, path)), entry);
    }
  }
  archive.finalize();
  const [, , [status]] = await written;
  if (status !== 0) throw new Error('The archive could not be compressed; xz says why above.');
}

/** In the form of CycloneDX 1.6, with the hashes by which npm checked each package. */
function billOfMaterials(components: Component[]) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const site = { type: 'application', 'bom-ref': 'limb-commons', name: 'limb-commons', version: VERSION };
  const refOf = ({ path }: Component) =>
    path.replace(/^node_modules\//, '').replaceAll('/node_modules/', ' > ');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: madeAt.toISOString(),
      component: { ...site, licenses: [{ license: { id: 'MIT' } }] },
    },
    components: components.map((component) => ({
      type: 'library',
      'bom-ref': refOf(component),
      name: component.name,
      version: component.version,
      purl: `pkg:npm/${component.name.replace('@', '%40')}@${component.version}`,
      licenses: component.license ? [{ expression: component.license }] : [],
      hashes: [lock[component.path]?.integrity ?? '']
        .filter((integrity: string) => integrity.startsWith('sha512-'))
        .map((integrity: string) => ({
          alg: 'SHA-512',
          content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex'),
        })),
    })),
    dependencies: [{ ref: 'limb-commons', dependsOn: components.map(refOf) }],
  };
}

const progress = (step: string) => console.error(`${step} …`);
const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const platforms = Object.keys(optionalDependencies).map((each) => each.replace(/^node-(bin-)?/, ''));
if (!platforms.includes(platform)) {
  console.error(`There is no Node for ${platform}; choose one of ${platforms.join(', ')}.`);
  process.exit(1);
}
if (spawnSync('xz', ['--version']).status !== 0) {
  console.error(
    'The archive is compressed by xz, which was not found; install it (Debian: xz-utils) and try again.',
  );
  process.exit(1);
}
try {
  await buildSite(progress);
  mkdirSync(unfinished, { recursive: true });
  const installed = platform === HERE ? root : installFor(platform);
  progress('Collecting what the site loads');
  const components = await stageRelease(root, installed, join(unfinished, name));
  progress('Compressing');
  const archive = join(unfinished, `${name}.tar.xz`);
  await writeArchive(archive);
  const hash = createHash('sha256');
  await pipeline(createReadStream(archive), hash);
  writeFileSync(`${archive}.sha256`, `${hash.digest('hex')}  ${name}.tar.xz\n`);
  const materials = `${name}.cdx.json`;
  writeFileSync(join(unfinished, materials), `${JSON.stringify(billOfMaterials(components), null, 1)}\n`);
  const made = [materials, `${name}.tar.xz.sha256`, `${name}.tar.xz`];
  if (architecture) {
    progress('Making the Debian package');
    const debian = `limb-commons_${VERSION}_${architecture}.deb`;
    const work = join(unfinished, 'debian');
    makeDebianPackage(join(root, 'deploy'), join(unfinished, name), work, join(unfinished, debian), {
      version: VERSION,
      architecture,
    });
    made.push(debian);
  }
  for (const file of made) renameSync(join(unfinished, file), join(folder, file));
  const megabytes = Math.round(statSync(join(folder, `${name}.tar.xz`)).size / 1e6);
  console.log(`${join(folder, `${name}.tar.xz`)}: ${megabytes} MB with ${components.length} packages.`);
} finally {
  rmSync(unfinished, { recursive: true, force: true });
}
