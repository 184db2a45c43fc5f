// @module-tag whole

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { phoneFilm, phonePicture } from '../media/files.ts';
import { textCube } from '../media/models.ts';
import { freePort, type Run, start } from '../operation/site.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openSite, signInByForm } from './site.ts';
import { press } from './steps.ts';

// The embedded backend of one site stands in for a Supabase project; the site under test has none.
const project = openSite();

describe('a site that has a Supabase project in the place of the embedded backend', () => {
  const directory = temporaryFolder('outgrown');
  let site: Run;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    site = await start({
      DATA_DIR: directory,
      PORT: port,
      SUPABASE_URL: project.url(),
      SUPABASE_ANON_KEY: project.instance().anonKey,
      SUPABASE_SERVICE_ROLE_KEY: project.instance().serviceRoleKey,
    });
  });
  afterAll(async () => {
    site.process.kill('SIGTERM');
    await site.exited;
  });

  it('renders, signs in and processes uploads against the project', async () => {
    const { email } = await project.member('Amara');
    const page = await project.person();
    await page.goto(`${url}/auth`);
    await signInByForm(page, email);
    await page.goto(`${url}/upload`);
    await page
      .locator('input[type=file][multiple]')
      .setInputFiles({ name: 'bench.jpg', mimeType: 'image/jpeg', buffer: await phonePicture('jpeg') });
    const title = 'A case on a project of its own';
    await page.getByLabel('Title', { exact: true }).fill(title);
    await page
      .getByLabel('Description', { exact: true })
      .fill('Fifty characters and more, so that the form lets it through.');
    await page.getByLabel('Function in mind').selectOption('Walking');
    for (const answer of ['Partial Foot', 'Passive', 'Low-cost (<$500)'])
      await page.getByLabel(answer).check();
    await page.getByLabel('Adults').check();
    await page.getByLabel('No person is shown or recognisable').check();
    await press(page, 'Submit for review', 'Solution Submitted!');

    await project.service().from('solutions').update({ status: 'approved' }).eq('title', title);
    const html = await (await fetch(`${url}/browse`)).text();
    expect(html).toContain(title);
    const [, path] = /href="(\/solutions\/[0-9a-f-]+)"/.exec(html) ?? [];
    const card = await fetch(`${url}${path}/card.png`);
    expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/png']);
    // The files follow the decision, moved by whichever host comes first.
    await expect
      .poll(
        async () =>
          (await project.service().from('solution_media').select('media_url').single()).data?.media_url,
      )
      .toContain('/public/solution-media/');
  });

  it('answers a call of each function', async () => {
    const [member, admin] = [await project.member('Nadia'), await project.member('Ines', 'admin')];
    const calling = async (who: { email: string }) => {
      const { data } = await (await project.client(who.email)).auth.getSession();
      const token = data.session?.access_token ?? '';
      return async (name: string, body?: FormData | string) => {
        const answer = await fetch(`${url}/functions/v1/${name}`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            ...(typeof body === 'string' && { 'content-type': 'application/json' }),
          },
          ...(body && { body }),
        });
        return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
      };
    };
    const form = (content: Buffer, name: string, type: string, by = member) => {
      const sent = new FormData();
      sent.set('userId', by.id);
      sent.set('file', new File([new Uint8Array(content)], name, { type }));
      return sent;
    };
    const asMember = await calling(member);
    const asAdmin = await calling(admin);
    const picture = await phonePicture('jpeg');
    const json = ({ bytes }: { bytes: Uint8Array }) => JSON.parse(Buffer.from(bytes).toString());
    const storage = project.service().storage;
    const calls: Record<string, () => Promise<{ status: number }>> = {
      'begin-media-upload': () => asMember('begin-media-upload'),
      'process-avatar-upload': async () => {
        const answer = await asMember('process-avatar-upload', form(picture, 'me.jpg', 'image/jpeg'));
        await project.change('profiles', { id: member.id }, { avatar_url: json(answer).avatarUrl });
        return answer;
      },
      'process-logo-upload': () =>
        asAdmin('process-logo-upload', form(picture, 'us.jpg', 'image/jpeg', admin)),
      'process-file-upload': () =>
        asMember('process-file-upload', form(Buffer.from(textCube()), 'cube.stl', 'model/stl')),
      'process-media-upload': async () => {
        const { path, token } = json(await asMember('begin-media-upload'));
        await storage
          .from('incoming-media')
          .uploadToSignedUrl(path, token, await phoneFilm(), { contentType: 'video/mp4' });
        return asMember('process-media-upload', JSON.stringify({ path, name: 'clip.mp4' }));
      },
      // What the member has uploaded before, whole and as it is stored.
      'export-data': async () => {
        const answer = await asMember('export-data');
        const files = Object.entries(unzipSync(answer.bytes)).filter(([name]) => name !== 'data.json');
        expect(files.map(([name]) => name.split('/')[1]).sort()).toEqual(
          expect.arrayContaining(['avatars', 'pending-media']),
        );
        for (const [name, content] of files) {
          const [, bucket = '', ...path] = name.split('/');
          const { data } = await storage.from(bucket).download(path.join('/'));
          expect(Buffer.from(content)).toEqual(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer()));
        }
        return answer;
      },
      // The files of a solution lie there.
      'download-solutions': async () => {
        const [published] = await project.rows('solutions', 'id', { status: 'approved' });
        const answer = await fetch(`${url}/functions/v1/download-solutions?solution=${published?.id}`);
        expect(Object.keys(unzipSync(new Uint8Array(await answer.arrayBuffer())))).toContain('images/1.webp');
        return answer;
      },
      'process-media-jobs': () => asAdmin('process-media-jobs'),
      'seed-demo-data': () => asAdmin('seed-demo-data'),
    };
    // The site itself alone calls this one, every few seconds.
    const scheduled = 'process-mail-jobs';
    expect([...Object.keys(calls), scheduled].sort()).toEqual(
      readdirSync('supabase/functions').filter((name) =>
        existsSync(join('supabase/functions', name, 'index.ts')),
      ),
    );
    for (const [name, call] of Object.entries(calls))
      expect([name, (await call()).status]).toEqual([name, 200]);
    expect(site.output()).not.toContain('a scheduled function failed');
  });

  it('serves no services of its own but the functions', async () => {
    expect((await fetch(`${url}/rest/v1/solutions`)).status).toBe(404);
    expect((await fetch(`${url}/auth/v1/settings`)).status).toBe(404);
    expect((await fetch(`${url}/functions/v1/process-media-jobs`, { method: 'POST' })).status).toBe(401);
  });

  it('is watched as any other, and keeps its record there', async () => {
    const read = async (path: string) => (await fetch(url + path)).text();
    expect(site.output()).toContain(`is kept instead of sent; read it at ${url}/mail`);
    expect(await read('/readyz')).toBe('ok\n');
    const metrics = await read('/metrics');
    expect(metrics).toContain('limb_ready 1\n');
    expect(metrics).toContain('limb_queues_readable 1\n');
    expect(metrics).not.toContain('limb_database_connections{');
    await expect.poll(() => read('/status')).toContain('Measuring began on');
  });
});
