// @module-tag whole

import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdirSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#backend/config.ts';
import { findInMail } from '#server/doctor/mail.ts';
import { startMailServer } from '../mail-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { TIMEOUT_MS } from '../timeouts.ts';
import { startedOnce } from './first-start.ts';
import { freePort, run, start } from './site.ts';

const root = resolve(import.meta.dirname, '../..');
const directory = temporaryFolder('doctor');

async function findings(settings: Record<string, string>, args: string[] = [], cwd?: string) {
  const doctor = run('doctor', settings, args, cwd === undefined ? {} : { cwd });
  const { code } = await doctor.exited;
  const said = (level: string) =>
    [...doctor.output().matchAll(new RegExp(`^${level}  (.*)$`, 'gm'))].map(([, text]) => text);
  return { code, problems: said('PROBLEM'), warnings: said('WARNING'), output: doctor.output() };
}
const containing = (texts: string[]) => texts.map((text) => expect.stringContaining(text));

describe('the doctor', () => {
  it('says what keeps a site from starting', async () => {
    const { code, problems } = await findings({ NODE_ENV: 'production', PORT: 'many' });
    expect([code, problems]).toEqual([2, containing(['PORT'])]);
  });

  it('says in a sentence what is wrong with the words of the command, and how they go', async () => {
    const usage = 'Usage: npm run doctor -- [--mail ADDRESS]\n';
    const { code, output } = await findings({}, ['--post']);
    expect([code, output]).toEqual([1, `Unknown option '--post'.\n${usage}`]);
    const asked = await findings({}, ['--help']);
    expect([asked.code, asked.output]).toEqual([0, usage]);
  });

  it('finds placeholders and what contradicts itself in the settings of a site for the public', async () => {
    const { code, problems, warnings } = await findings({
      NODE_ENV: 'production',
      SITE_URL: 'http://limbs.example.org',
      SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
      HOST: '0.0.0.0',
      TRUST_PROXY: 'true',
      DATA_DIR: join(directory, 'none'),
    });
    expect(code).toBe(2);
    expect(problems).toEqual(
      containing([
        'SITE_URL is http://limbs.example.org, so that passwords cross the network unencrypted',
        'is a placeholder',
        'There is no site in',
        'No site runs on',
        'cannot be used',
        'There are no backups',
      ]),
    );
    expect(warnings).toEqual(
      expect.arrayContaining(
        containing([
          'no address for members',
          'past the proxy',
          'do not say who operates the site',
          'support@limbs.example.org, which is a placeholder',
        ]),
      ),
    );
  });

  it('finds what a running site has neglected, and nothing of it once that is mended', async () => {
    const dataDir = join(directory, 'data');
    await startedOnce(dataDir, true);
    const port = await freePort();
    const settings = { DATA_DIR: dataDir, PORT: port };
    const site = await start(settings);
    try {
      const neglected = await findings(settings);
      expect(neglected.code).toBe(1);
      expect(neglected.problems).toEqual([]);
      expect(neglected.warnings).toEqual(
        expect.arrayContaining(
          containing([
            'This is an evaluation',
            'There are no backups',
            '2 of 2 moderators and administrators sign in without a second step',
          ]),
        ),
      );
      const backups = join(directory, 'backups');
      mkdirSync(backups);
      const withBackups = { ...settings, BACKUP_DIR: backups, BACKUP_KEY: 'a long walk by the sea' };
      const young = await findings(withBackups);
      expect(young.problems).toEqual([]);
      expect(young.output).toContain('NOTE  No backup has been made yet');
      utimesSync(join(dataDir, 'instance.json'), new Date(0), new Date(0));
      expect((await findings(withBackups)).problems).toEqual(containing(['No backup has been made yet']));
      await run('backup', withBackups, [join(backups, 'site.tar.age')]).exited;
      const unproven = await findings(withBackups);
      expect(unproven.warnings).toEqual(
        expect.arrayContaining(containing(['No backup has been restored yet'])),
      );
      expect(unproven.output).not.toContain('There are no backups');
      expect(unproven.output).not.toContain('not encrypted');
      const restored = run('restore', { ...withBackups, DATA_DIR: join(directory, 'restored') }, [
        join(backups, 'site.tar.age'),
      ]);
      expect((await restored.exited).code).toBe(0);
      expect((await findings(withBackups)).output).not.toContain('restored');
    } finally {
      site.process.kill('SIGINT');
      await site.exited;
    }
  });
});

describe('the doctor on email', () => {
  const config = (settings: Record<string, string>) =>
    readConfig(root, {
      NODE_ENV: 'production',
      SITE_URL: 'https://limbs.test',
      MAIL_FROM: 'Limbs <a@limbs.test>',
      ...settings,
    });

  it('sends a test when asked to', async () => {
    const server = startMailServer();
    await server.open();
    const sent = await findInMail(config({ SMTP_URL: server.address() }), 'operator@limbs.test');
    await server.shut();
    expect(sent).toContainEqual(
      expect.objectContaining({ level: 'note', says: 'A test was sent to operator@limbs.test.' }),
    );
    expect(server.received).toEqual([expect.stringContaining('To: operator@limbs.test')]);
  });

  it('tells a refused sign-in from a server that is not there', async () => {
    const server = createServer((socket) => {
      socket.write('220 ready\r\n');
      socket.on('data', (line) => {
        const isHello = /^EHLO/.test(line.toString());
        socket.write(isHello ? '250-here\r\n250 AUTH PLAIN\r\n' : '535 wrong password\r\n');
      });
      socket.on('error', () => undefined);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const [refused] = await findInMail(config({ SMTP_URL: `smtp://me:secret@127.0.0.1:${port}` }), undefined);
    expect(refused?.says).toContain('refuses the sign-in');
    expect(refused?.says).not.toContain('secret');
    server.close();
    const [gone] = await findInMail(config({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` }), undefined);
    expect(gone?.says).toContain('cannot be used');
  });

  it('looks for the records by which others believe a domain’s mail', async () => {
    /** Answers questions for texts with the given one, and says of all else that there is none. */
    const names = (text: string | undefined) => {
      const socket = createSocket('udp4');
      socket.on('message', (question, { port, address }) => {
        const end = question.indexOf(0, 12) + 5;
        const isText = question.readUInt16BE(end - 4) === 16 && text !== undefined;
        const head = Buffer.concat([
          question.subarray(0, 2),
          Buffer.from([0x81, 0x80, 0, 1, 0, isText ? 1 : 0, 0, 0, 0, 0]),
        ]);
        const value = Buffer.from(text ?? '');
        const record = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 9, 0, value.length + 1, value.length]);
        const parts = [head, question.subarray(12, end), ...(isText ? [record, value] : [])];
        socket.send(Buffer.concat(parts), port, address);
      });
      return socket;
    };
    const saidWith = async (text: string | undefined) => {
      const socket = names(text);
      socket.bind(0, '127.0.0.1');
      await once(socket, 'listening');
      const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
      resolver.setServers([`127.0.0.1:${socket.address().port}`]);
      const server = startMailServer();
      await server.open();
      const found = await findInMail(config({ SMTP_URL: server.address() }), undefined, resolver);
      await server.shut();
      socket.close();
      return found.map(({ says }) => says);
    };
    expect(await saidWith(undefined)).toEqual(
      containing(['no MX record', 'no SPF record', 'no DMARC policy']),
    );
    expect(await saidWith('v=spf1 a -all')).toEqual(containing(['no MX record', 'no DMARC policy']));
  });
});
