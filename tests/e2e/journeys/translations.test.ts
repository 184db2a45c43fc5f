// @module-tag whole

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite, tickAll } from '../site.ts';
import { chooseMore, follow, open, press, says } from '../steps.ts';

const site = openSite();

const TITLE = 'A clamp that holds an oar';
const TEXTS = {
  'Safety notice in Spanish': 'No usar por encima de 60 kg.',
  'Title in Spanish': 'Una pinza que sujeta un remo',
  'Description in Spanish': 'Sujeta el remo. Se abre sola cuando la barca vuelca.',
  'Step 1 in Spanish': 'Corta la correa.',
};

let id: string;
let translator: Page;
let moderator: Page;

const spokenAs = (page: Page, text: string) =>
  page
    .getByRole('main')
    .getByText(text)
    .first()
    .evaluate((element) => element.closest('[lang]')?.getAttribute('lang'));

beforeAll(async () => {
  const author = await site.member('Odile');
  id = await site.publish(author.id, TITLE, {
    licence: 'CC BY 4.0',
    description: 'It holds the oar. It opens by itself when the boat turns over, so that nobody is held.',
  });
  await site.insert('solution_fabrication', { solution_id: id });
  await site.insert('solution_steps', { solution_id: id, position: 0, instruction: 'Cut the strap.' });
  const [version] = await site.rows('solution_versions', 'content', { solution_id: id });
  await site.change(
    'solution_versions',
    { solution_id: id },
    {
      content: {
        ...version.content,
        fabrication: {
          hours: null,
          tools: [],
          currency: null,
          parts: [],
          steps: [{ instruction: 'Cut the strap.', media_id: null }],
        },
      },
    },
  );
  await site.insert('safety_notices', {
    solution_id: id,
    user_id: author.id,
    kind: 'caution',
    content: 'Do not use above 60 kg.',
  });
  ({ page: translator } = await site.joins('Tomas', { at: `/solutions/${id}`, width: 360 }));
  ({ page: moderator } = await site.joins('Henrik', { role: 'moderator', at: '/admin?tab=queue' }));
});

describe('a solution in another language', () => {
  it('is written text by text beside the original, the notice first, kept on the device, and refused incomplete', async () => {
    await chooseMore(translator, 'Translate', { heading: 'Translate a solution' });
    await translator.getByLabel('Language you translate into').selectOption('es');
    await translator.waitForURL(/language=es/);
    const first = translator.getByRole('textbox').first();
    expect(await first.getAttribute('lang')).toBe('es');
    await translator.getByLabel('Title in Spanish').fill(TEXTS['Title in Spanish']);
    await press(translator, 'Submit for review');
    await translator.getByRole('link', { name: 'Please translate: Safety notice' }).waitFor();
    await expectAccessible(translator, 'the form of a translation');
    await open(translator, `/solutions/${id}/translate?language=es`, 'Draft restored.');
    for (const [label, text] of Object.entries(TEXTS)) await translator.getByLabel(label).fill(text);
    await press(translator, 'Submit for review', { toast: 'Translation submitted' });
    await translator.waitForURL(`/solutions/${id}`);
    expect(await site.rows('solution_translations', 'language, version, status')).toEqual([
      { language: 'es', version: 1, status: 'pending' },
    ]);
  });

  it('is reviewed like a solution, before what has no notice', async () => {
    await open(moderator, '/admin?tab=queue', { heading: /^Translation of/ });
    await says(moderator, 'English into Spanish', TEXTS['Description in Spanish'], 'Do not use above 60 kg.');
    await expectAccessible(moderator, 'the review of a translation');
    await press(moderator, /^Decline$/);
    const dialog = moderator.getByRole('dialog', { name: 'Decline translation' });
    await dialog.getByRole('textbox').fill('“Vuelca” is too strong.');
    await press(dialog, 'Decline translation', { toast: 'Translation declined' });

    await open(translator, '/notifications', 'Changes requested to your translation');
    await follow(translator, /Changes requested to your translation/, { heading: 'Translate a solution' });
    await says(translator, '“Vuelca” is too strong.');
    const description = translator.getByLabel('Description in Spanish');
    await expect.poll(() => description.inputValue()).toBe(TEXTS['Description in Spanish']);
    await description.fill('Sujeta el remo. Se abre sola cuando la barca se da la vuelta.');
    await press(translator, 'Submit for review', { toast: 'Translation submitted' });

    await open(moderator, '/admin?tab=queue', { heading: /^Translation of/ });
    await tickAll(moderator);
    await press(moderator, 'Approve', { toast: 'Translation approved' });
  });

  it('is read by anyone without scripts, cited with its original, and found by its language', async () => {
    const reader = await site.visit(`/solutions/${id}`, { width: 360, javaScriptEnabled: false });
    await follow(reader, 'Español', { heading: TEXTS['Title in Spanish'] });
    await reader.getByText('Build this').last().click();
    // It is the page of the solution: with what others tried and said of it, and the way back to its own language.
    await says(
      reader,
      'Translated by Tomas Test',
      'Tried by others',
      'No usar por encima de 60 kg.',
      'Do not use above 60 kg.',
      'Corta la correa.',
    );
    await reader.getByRole('heading', { name: /^Discussion/ }).waitFor();
    for (const text of ['Una pinza que', 'No usar por', 'Sujeta el remo', 'Corta la correa'])
      expect(await spokenAs(reader, text)).toBe('es');
    expect(await reader.getByText('is out of date').count()).toBe(0);
    const data = await reader.locator('script[type="application/ld+json"]').textContent();
    expect(JSON.parse(data ?? '')).toMatchObject({
      inLanguage: 'es',
      dateModified: expect.stringMatching(/^20/),
      translationOfWork: { '@id': expect.stringContaining(`/solutions/${id}/versions/1`) },
      translator: { name: 'Tomas Test' },
    });
    const cited = reader.locator('meta[name="citation_title"]');
    expect(await cited.getAttribute('content')).toBe(TEXTS['Title in Spanish']);
    const address = `${site.url()}/solutions/${id}/translations/es`;
    const links = (await fetch(address)).headers.get('link');
    expect(links).toContain(`<${address}>; rel="cite-as"`);
    expect(links).toContain(`/solutions/${id}/versions/1/datacite.json>; rel="describedby"`);
    // Printed, the page leads back to itself.
    expect((await fetch(`${address}/qr.svg`)).headers.get('content-type')).toBe('image/svg+xml');
    const other = await site.visit(`/solutions/${id}/translations/es`);
    await expectAccessible(other, 'a translation');
    await press(other, 'Cite this translation', 'Cite this solution');
    await says(
      other,
      /Odile Test\. Una pinza que sujeta un remo \[A clamp that holds an oar\]\. Version 1\. Safety notice: Use with caution\. Translated into Spanish by Tomas Test\./,
    );

    await open(other, '/browse?filter=language%3Aes', '1 solutions found');
    await open(other, `/solutions/${id}/translations/xx`, { heading: 'Translation not found' });
    expect((await fetch(`${site.url()}/solutions/${id}/translations/fr`)).status).toBe(404);
  });

  it('is reported by itself, and a moderator reads the whole of it beside the reason', async () => {
    const { page } = await site.joins('Ines', { at: `/solutions/${id}/translations/es`, width: 360 });
    await press(page, 'Report translation');
    const dialog = page.getByRole('dialog', { name: 'Report translation' });
    await dialog.getByLabel('Reason').fill('It says 600 kg for 60 kg.');
    await expectAccessible(page, 'the report of a translation');
    await press(dialog, 'Submit report', { toast: 'Report submitted' });
    await moderator.goto('/admin?tab=queue');
    await says(moderator.getByRole('region', { name: 'Report', exact: true }), 'It says 600 kg for 60 kg.');
    const reported = moderator.getByRole('region', { name: 'Reported content' });
    await says(reported, 'Translation', /No usar por encima de 60 kg/);
    await press(moderator, 'Dismiss');
    await press(moderator.getByRole('dialog'), 'Dismiss', { toast: 'Report dismissed' });
  });

  it('says which sentences have changed since, and is brought up to date from there', async () => {
    const [version] = await site.rows('solution_versions', 'content', { solution_id: id });
    const description =
      'It holds the oar. It opens by a lever when the boat turns over, so that nobody is held.';
    await site
      .insert('solution_versions', {
        solution_id: id,
        version: 2,
        content: { ...version.content, description },
      })
      .catch(() => undefined);
    await site.change('solutions', { id }, { version: 2, description });
    await open(translator, `/solutions/${id}`, 'Español (version 1)');
    await open(translator, `/solutions/${id}/translations/es`, 'This translation is out of date.');
    await translator.getByText('Sentences that changed in the original').click();
    await translator.locator('ins', { hasText: 'It opens by a lever when the boat turns over' }).waitFor();
    // What has changed stands in its own language, with what was translated before one press away.
    expect(await spokenAs(translator, 'It holds the oar. It opens by a lever')).toBe('en');
    expect(await spokenAs(translator, TEXTS['Title in Spanish'])).toBe('es');
    await translator.getByText('Read the translation of version 1').click();
    await says(translator, 'Sujeta el remo. Se abre sola cuando la barca se da la vuelta.');
    await expectAccessible(translator, 'a translation that is out of date');
    await follow(
      translator,
      'Improve this translation',
      'The original has changed since this was translated.',
    );
    await expect
      .poll(() => translator.getByLabel('Title in Spanish').inputValue())
      .toBe(TEXTS['Title in Spanish']);
    await translator.getByLabel('Description in Spanish').fill('Sujeta el remo. Se abre con una palanca.');
    await press(translator, 'Submit for review', { toast: 'Translation submitted' });
    await says(translator, 'Español (version 1)');
    await open(moderator, '/admin?tab=queue', { heading: /^Translation of/ });
    await tickAll(moderator);
    await press(moderator, 'Approve', { toast: 'Translation approved' });
    await open(translator, `/solutions/${id}/translations/es`, 'Se abre con una palanca.');
    expect(await translator.getByText('is out of date').count()).toBe(0);
  });
});

it('a case whose licence forbids it is not translated by others', async () => {
  const author = await site.member('Rosa');
  const closed = await site.publish(author.id, 'A hook of my own', { licence: 'All rights reserved' });
  await open(translator, `/solutions/${closed}/translate`, 'does not let others translate them');
  expect(await translator.getByRole('textbox').count()).toBe(0);
});
