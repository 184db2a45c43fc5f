// @module-tag whole

import { beforeAll, describe, expect, it } from 'vitest';
import { openSite, PASSWORD } from '../site.ts';
import { screenReader } from './screen-reader.ts';

const site = openSite({ demo: true });
const ids = { pictured: '', plain: '' };
let third: string;
const title = 'A strap for a reader';

let reader: Awaited<ReturnType<typeof screenReader>>;

beforeAll(async () => {
  const { id } = await site.member('Vera');
  ids.plain = await site.publish(id, title);
  const [image] = await site.rows('solution_media', 'solution_id, description, solutions!inner(status)', {
    'solutions.status': 'approved',
    media_type: 'image',
    position: 2,
  });
  ids.pictured = image.solution_id;
  third = image.description;
  reader = await screenReader(await site.person());
});

describe('a visitor with a keyboard and a screen reader', () => {
  it('searches from the home page', async () => {
    await reader.open('/');
    await reader.useToLand('link "Skip to main content"', 'main');
    await reader.write('searchbox "Search solutions"', 'strap for a reader');
    await reader.press('Enter');
    await reader.hears('Browse Solutions');
    await reader.lands('heading "Browse Solutions"');
    expect(await reader.tabTo('combobox "Search solutions"')).toContain('holds "strap for a reader"');
    await reader.use(`link "${title}`);
    await reader.lands(`heading "${title}"`);
  });

  it('filters by amputation level and hears how many solutions are left', async () => {
    await reader.open('/browse');
    await reader.use('link "Skip to main content"');
    expect(await reader.tabTo('radio "Match all"')).toContain(', checked');
    expect(await reader.tabTo('checkbox "Transtibial (Below Knee)')).toContain('not checked');
    await reader.press('Space');
    await reader.hears('solutions found');
    await reader.lands('checkbox "Transtibial (Below Knee)');
    expect(await reader.focused()).toContain(', checked');
    await reader.useToHear('link "Remove Transtibial (Below Knee)"', 'solutions found');
    expect(await reader.focused()).not.toBe('nothing');
  });

  it('steps through the gallery and the viewer, and comes back', async () => {
    await reader.open(`/solutions/${ids.pictured}`);
    expect(await reader.tabTo('link "Show full size: ')).not.toContain(third);
    await reader.press('ArrowRight');
    await reader.hears('2 of ');
    await reader.press('Enter');
    await reader.inDialog('');
    await reader.press('ArrowRight');
    await reader.hears(third);
    await reader.press('Escape');
    await reader.lands('link "Show full size: ');
  });

  it('copies the address of a solution', async () => {
    await reader.open(`/solutions/${ids.plain}`);
    await reader.useToOpen('button "Share"', 'Share this solution');
    expect(await reader.tabTo('textbox "Link"')).toContain(`/solutions/${ids.plain}"`);
    await reader.useToHear('button "Copy link"', 'Link copied');
    await reader.press('Escape');
    await reader.lands('button "Share"');
  });

  it('is led to sign in before a report, and back', async () => {
    const reader = await screenReader(await site.person());
    await reader.open(`/solutions/${ids.plain}`);
    await reader.use('button "More"');
    await reader.go('ArrowDown', 'menuitem "Report solution"');
    await reader.press('Enter');
    await reader.hears('Please sign in to report content');
    await reader.lands('heading "Sign in');
    await reader.write('textbox "Email"', 'vera@clinic.example');
    await reader.write('textbox "Password"', PASSWORD);
    await reader.press('Enter');
    await reader.hears('Welcome back!');
    await reader.lands(`heading "${title}"`);
  });

  it('chooses the dark theme', async () => {
    await reader.open('/contact');
    expect(await reader.back('radio "System"')).toContain(', checked');
    expect(await reader.go('ArrowLeft', 'radio "Dark"')).toContain(', checked');
    await expect
      .poll(() => reader.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme))
      .toBe('dark');
  });

  it('answers the question about statistics, and changes the answer', async () => {
    await reader.open('/about');
    await reader.tabTo('link "Cookie Policy"');
    await reader.useToLand('button "Reject statistics"', 'main');
    await reader.useToLand('link "Cookie settings"', 'heading "Cookies and page statistics"');
    await reader.useToLand('button "Accept statistics"', 'main');
  });

  it('asks for the removal of an image', async () => {
    await reader.open(`/solutions/${ids.pictured}`);
    await reader.use('button "More"');
    await reader.go('ArrowDown', 'menuitem "Request removal of an image"');
    await reader.press('Enter');
    await reader.lands('heading "');
    await reader.useToHear('button "Send request"', 'There is a problem');
    await reader.lands('alert');
    await reader.use('link "');
    expect(await reader.focused()).toContain('described');
    expect(await reader.tabTo('checkbox "All of them"')).toContain('not checked');
    await reader.press('Space');
    expect(await reader.focused()).toContain(', checked');
    await reader.tabTo('radio "I’m in the image"');
    await reader.press('Space');
    await reader.write('textbox "Is there anything we should know? optional"', 'That is my arm.');
    await reader.useToLand('button "Send request"', 'heading "');
    expect(reader.page.url()).toContain('/removal-request/');
  });
});
