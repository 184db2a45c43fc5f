import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const ARCHITECTURES: Record<string, string> = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };

/** The name of the platform at Debian; undefined where there is no Debian. */
export const debianArchitecture = (platform: string): string | undefined => ARCHITECTURES[platform];

/**
 * Makes a Debian package of a release, with an account, a service and a file of settings.
 *
 * @param deploy the folder with the service and Debian's scripts
 * @param release a staged release, which is moved
 * @param folder for work, beside it
 * @param file of the package
 */
export function makeDebianPackage(
  deploy: string,
  release: string,
  folder: string,
  file: string,
  { version, architecture }: { version: string; architecture: string },
): void {
  const place = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    return join(folder, path);
  };
  const write = (path: string, text: string, mode = 0o644) => {
    writeFileSync(place(path), text);
    chmodSync(join(folder, path), mode);
  };
  const read = (name: string) => readFileSync(join(deploy, name), 'utf8');
  renameSync(release, place('usr/lib/limb-commons'));
  cpSync(join(deploy, 'limb-commons.service'), place('usr/lib/systemd/system/limb-commons.service'));
  write('usr/bin/limb-commons', read('debian/limb-commons'), 0o755);
  const settings = readFileSync(join(folder, 'usr/lib/limb-commons/.env.example'), 'utf8');
  write(
    'etc/limb-commons/limb-commons.env',
    settings
      .replace(/^NODE_ENV=$/m, 'NODE_ENV=production')
      .replace(/^BACKUP_DIR=$/m, 'BACKUP_DIR=/var/backups/limb-commons'),
    0o640,
  );
  write('DEBIAN/conffiles', '/etc/limb-commons/limb-commons.env\n');
  const bytes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
  write(
    'DEBIAN/control',
    read('debian/control')
      .replace('VERSION', version)
      .replace('ARCHITECTURE', architecture)
      .replace('SIZE', String(Math.ceil(bytes / 1024))),
  );
  for (const script of ['postinst', 'prerm', 'postrm'])
    write(`DEBIAN/${script}`, read(`debian/${script}`), 0o755);
  // The packages of the site have modes of their own.
  spawnSync('chmod', ['-R', 'u+rwX,go=rX', join(folder, 'usr')]);
  const { status } = spawnSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', folder, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The Debian package could not be made; dpkg-deb says why above.');
}
