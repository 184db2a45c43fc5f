// @module-tag whole

import pg from 'pg';
import { expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { openSite } from '../site.ts';
import { press } from '../steps.ts';

const site = openSite();
const ID = '0000-0002-1825-0097';
const URL_OF_ID = `https://orcid.org/${ID}`;

/** As signing in with ORCID leaves it. */
async function connectOrcid(userId: string) {
  const database = new pg.Client({ connectionString: site.instance().databaseUrl });
  await database.connect();
  await database.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     values ($1, $2, $3, 'orcid', now(), now(), now())`,
    [ID, userId, { sub: ID, iss: 'https://orcid.org' }],
  );
  await database.end();
}

it('a member who signs in with ORCID shows the iD, machines cite it, and all of it goes when it is disconnected', async () => {
  const { id, page } = await site.joins('Ines', { at: '/settings', width: 360 });
  const solution = await site.publish(id, 'A strap that a child closes');
  const signIns = page.getByRole('region', { name: 'Ways to sign in' });
  const shown = page.getByRole('switch', { name: 'Show my ORCID iD' });
  await page.getByRole('heading', { name: 'Delete account' }).waitFor();
  expect(await shown.count()).toBe(0);
  await connectOrcid(id);
  await page.reload();
  await shown.waitFor();
  expect(await shown.getAttribute('aria-checked')).toBe('false');

  const cited = async () => {
    const html = await (await fetch(`${site.url()}/solutions/${solution}`)).text();
    const record = await fetch(`${site.url()}/solutions/${solution}/versions/1/datacite.json`);
    const profile = await (await fetch(`${site.url()}/members/ines`)).text();
    return [html, await record.text(), profile].map((text) => text.includes(URL_OF_ID));
  };
  expect(await cited()).toEqual([false, false, false]);
  await shown.click();
  await expect.poll(() => shown.getAttribute('aria-checked')).toBe('true');
  await expectAccessible(page, '/settings');
  await expect.poll(cited).toEqual([true, true, true]);

  const reader = await site.visit(`/solutions/${solution}`, { width: 360 });
  expect(await reader.locator('meta[name="citation_author_orcid"]').getAttribute('content')).toBe(URL_OF_ID);
  const article = JSON.parse(
    (await reader.locator('script[type="application/ld+json"]').textContent()) ?? '',
  );
  expect(article.author).toMatchObject({ '@type': 'Person', '@id': URL_OF_ID, sameAs: URL_OF_ID });
  await reader.goto('/members/ines');
  const link = reader.getByRole('link', { name: `ORCID iD ${URL_OF_ID}` });
  expect(await link.getAttribute('href')).toBe(URL_OF_ID);
  await expectAccessible(reader, '/members/ines');

  await press(signIns, 'Disconnect orcid');
  await shown.waitFor({ state: 'detached' });
  await expect.poll(cited).toEqual([false, false, false]);
});
