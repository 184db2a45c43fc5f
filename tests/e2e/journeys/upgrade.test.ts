// @module-tag whole

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { copySources } from '../../operation/site.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { files, fill, jpeg, rowsOf, submit, titleOf } from '../share/form.ts';
import { openSite } from '../site.ts';
import { press } from '../steps.ts';

const root = resolve(import.meta.dirname, '../../..');
const directory = temporaryFolder('old-page');
const next = join(directory, 'next');
const site = openSite({ settings: {} });
const { solutions } = rowsOf(site);

/** Gives every script and style of a build another name, as a change of all of them would. */
function renameAssets(build: string): void {
  const assets = join(build, 'client/assets');
  const renamed = new Map(
    readdirSync(assets)
      .filter((name) => /\.(js|css)$/.test(name))
      .map((name) => [name, name.replace(/\.(js|css)$/, 'x.$1')]),
  );
  const names = new RegExp([...renamed.keys()].join('|').replaceAll('.', '\\.'), 'g');
  for (const folder of ['client', 'server'])
    for (const name of readdirSync(join(build, folder), { recursive: true, encoding: 'utf8' })) {
      const path = join(build, folder, name);
      // What was compressed before would be sent in its place.
      if (/\.(br|gz)$/.test(name)) rmSync(path);
      else if (/\.(js|css|json)$/.test(name)) {
        const text = readFileSync(path, 'utf8').replace(names, (found) => renamed.get(found) ?? found);
        rmSync(path);
        writeFileSync(
          path.replace(names, (found) => renamed.get(found) ?? found),
          text,
        );
      }
    }
}

beforeAll(() => {
  copySources(next);
  cpSync(join(root, 'build'), join(next, 'build'), { recursive: true });
  renameAssets(join(next, 'build'));
});

describe('a page that is open since before an upgrade', () => {
  it('sends what waited in it, keeps what is written, opens further dialogs and pages, and is new after a reload', async () => {
    const { id, page: waiting } = await site.joins('Patient', { at: '/upload' });
    await files(waiting).setInputFiles([await jpeg('bench.jpg')]);
    await fill(waiting, 'Sent after the upgrade');
    await waiting.context().setOffline(true);
    await submit(waiting);
    await waiting.getByRole('heading', { name: 'Waiting to be sent' }).waitFor();
    const solution = await site.publish(id, 'Read before the upgrade');
    const reader = await site.visit(`/solutions/${solution}`, { as: (await site.member('Reader')).email });
    await reader.getByRole('textbox', { name: 'Comment' }).fill('Half a thought');
    const writer = await site.visit('/upload?draft=new', { as: (await site.member('Writer')).email });
    await titleOf(writer).fill('Half a case');

    await site.replace(next);

    await waiting.context().setOffline(false);
    await expect.poll(async () => (await solutions('Sent after the upgrade')).length).toBe(1);

    // A dialog and a page that this page has not loaded yet, from the scripts of its own build.
    await press(reader, 'Save');
    await reader.getByRole('dialog').waitFor();
    await reader.keyboard.press('Escape');
    await reader.getByRole('link', { name: 'Forum', exact: true }).first().click();
    await reader.getByRole('heading', { level: 1, name: 'Forum' }).waitFor();
    await reader.goBack();
    await expect
      .poll(() => reader.getByRole('textbox', { name: 'Comment' }).inputValue())
      .toBe('Half a thought');
    const newScripts = () =>
      reader.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('x.js')).length,
      );

    await titleOf(writer).fill('Half a case, and more');
    await writer.reload();
    await expect.poll(() => titleOf(writer).inputValue()).toBe('Half a case, and more');
    await reader.reload();
    await expect
      .poll(() => reader.getByRole('textbox', { name: 'Comment' }).inputValue())
      .toBe('Half a thought');
    expect(await newScripts()).toBeGreaterThan(0);
  });
});
