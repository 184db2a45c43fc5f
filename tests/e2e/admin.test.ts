// @module-tag whole

import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { phonePicture } from '../media/files.ts';
import { shareSolution } from '../solution.ts';
import { expectAccessible } from './every-page/page-checks.ts';
import { intercept, openSite, PASSWORD, refuse, signIn, signInByForm, tickAll } from './site.ts';
import {
  chooseMore,
  confirmSecondStep,
  download,
  expectFocus,
  follow,
  open,
  press,
  reload,
  says,
  signOut,
  toast,
} from './steps.ts';

const site = openSite();
const people = { admin: '', moderator: '', member: '', author: '' };
let admin: Page;
let moderator: Page;

const { insert } = site;
const solution = (title: string) => shareSolution(site.service(), { user_id: people.author, title });
const report = (content_type: string, content_id: string, reason: string) =>
  insert('content_reports', { reporter_id: people.member, content_type, content_id, reason });

beforeAll(async () => {
  for (const [who, name, role] of [
    ['admin', 'Ruth', 'admin'],
    ['moderator', 'Henrik', 'moderator'],
    ['member', 'Amara', undefined],
    ['author', 'Grace', undefined],
  ] as const)
    people[who] = (await site.member(name, role)).id;
  admin = await site.person();
  moderator = await site.person();
  await signIn(admin, 'ruth@clinic.example');
  await signIn(moderator, 'henrik@clinic.example');
});

describe('the dashboard', () => {
  it('is for moderators; visitors sign in first, others are sent home', async () => {
    const visitor = await site.visit('/admin?tab=reports');
    await visitor.waitForURL('/auth');
    await signInByForm(visitor, 'amara@clinic.example');
    await toast(visitor, 'Access Denied');
    await visitor.getByText("You don't have permission to access this page").waitFor();
    await visitor.waitForURL('/');
  });

  it('opens with storage, keeps the tab in the address, and shows users to admins alone', async () => {
    await open(moderator, '/admin?tab=users', { heading: 'Storage used' });
    const tabs = (page: Page) => page.getByRole('tab').allTextContents();
    expect((await tabs(moderator)).map((tab) => tab.replace(/\d+$/, ''))).toEqual([
      'Storage Dashboard',
      'Review queue',
      'Pending Solutions',
      'Resource Suggestions',
      'Content Reports',
      'Removal requests',
      'Trial reports',
      'Registrations',
    ]);
    await moderator.getByRole('tab', { name: 'Content Reports' }).click();
    await moderator.waitForURL('/admin?tab=reports');
    await moderator.getByText('No reports to review').waitFor();
    await moderator.goBack();
    await moderator.getByRole('heading', { name: 'Storage used' }).waitFor();
    expect(await moderator.getByRole('button', { name: 'Seed Demo Data' }).count()).toBe(0);
    await admin.goto('/admin');
    await admin.getByRole('tab', { name: 'User Management' }).waitFor();
    // On phones the list at the side is a select.
    const phone = await site.visit('/admin', { as: 'ruth@clinic.example', width: 360 });
    await phone.getByRole('combobox', { name: 'Section' }).selectOption('User Management');
    await phone.waitForURL('/admin?tab=users');
    await phone.getByLabel('Search by name or username').waitFor();
    // The section that was chosen last opens again.
    await phone.goto('/admin');
    await phone.getByLabel('Search by name or username').waitFor();
    await phone.context().close();
  });

  it('says above every section what waits, with the time that is left of the most urgent, and leads to it', async () => {
    await open(moderator, '/admin', 'Nothing to review');
    const id = await solution('A cuff that closes with one hand');
    const topic = await insert('forum_topics', { user_id: people.author, title: 'Closing cuffs' });
    const reported = await insert('content_reports', {
      reporter_id: people.author,
      content_type: 'topic',
      content_id: topic,
      reason: 'A name is in it.',
    });
    await moderator.getByRole('link', { name: '2 waiting: the oldest report has 23 hours left.' }).click();
    await moderator.waitForURL(`/admin?tab=queue&item=${reported}`);
    const entries = moderator.getByRole('navigation', { name: 'Waiting for review' }).getByRole('listitem');
    await entries.nth(1).waitFor();
    expect(await entries.allTextContents()).toEqual([
      expect.stringMatching(/^Report 23 hours leftClosing cuffs/),
      expect.stringMatching(/^Solution.*A cuff that closes with one hand/),
    ]);
    for (const [table, row] of Object.entries({
      content_reports: reported,
      forum_topics: topic,
      solutions: id,
    }))
      await site.remove(table, { id: row });
  });

  it('urges its staff to set up two-step sign-in until they have', async () => {
    const { page } = await site.joins('Sigrid', { role: 'moderator', at: '/admin' });
    const urged = page.getByText('Two-step sign-in is off');
    await urged.waitFor();
    await follow(page.getByRole('main'), 'set it up', { url: '/settings#two-step' });
    const section = page.getByRole('region', { name: 'Two-step sign-in' });
    await expect
      .poll(async () => (await section.boundingBox())?.y ?? Number.POSITIVE_INFINITY)
      .toBeLessThan(900);
    await press(section, 'Set up two-step sign-in');
    const dialog = page.getByRole('dialog', { name: 'Set up two-step sign-in' });
    await confirmSecondStep(dialog);
    await press(page, 'I’ve saved them');
    await open(page, '/admin', { heading: 'Storage used' });
    expect(await urged.count()).toBe(0);
  });

  it('shows nothing of members any more once its moderator has signed out in another tab', async () => {
    const { email } = await site.member('Wilma', 'moderator');
    const id = await solution('A socket of someone who trusts us');
    const page = await site.visit('/admin?tab=queue', { as: email });
    await page.getByRole('heading', { name: 'A socket of someone who trusts us' }).waitFor();
    await page.getByText('Grace Test').first().waitFor();
    const tab = await page.context().newPage();
    await tab.goto('/');
    await signOut(tab);
    const ended = page.getByRole('dialog', { name: 'You’ve been signed out' });
    await ended.waitFor();
    const visibleText = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('body *')]
          .filter((element) => element.checkVisibility({ visibilityProperty: true }))
          .flatMap((element) => [...element.childNodes])
          .flatMap((node) => (node instanceof Text ? node.data : []))
          .join(' '),
      );
    expect(await visibleText()).toContain('You’ve been signed out');
    // Elements whose colours fade are hidden at the end of the fade.
    await expect.poll(visibleText).not.toMatch(/Grace|trusts us/);
    // Going on without signing in leaves nothing of it in the page either.
    await press(ended, 'Continue without signing in', { url: '/auth' });
    expect(await page.content()).not.toMatch(/Grace Test|trusts us/);
    await site.remove('solutions', { id });
  });

  it('adds demo content for admins, or says why not', async () => {
    const seed = admin.getByRole('button', { name: 'Seed Demo Data' });
    const path = '**/functions/v1/seed-demo-data';
    const confirm = await intercept(admin, path, (route) =>
      route.fulfill({ status: 403, json: { message: 'Please confirm your second step first.' } }),
    );
    await seed.click();
    await toast(admin, 'Failed to seed demo data');
    await admin.getByText('Please confirm your second step first.').waitFor();
    confirm();
    const restore = await intercept(admin, path, (route) => route.fulfill({ json: { solutions: 0 } }));
    await seed.click();
    await toast(admin, 'Demo data added');
    restore();
  });
});

describe('the storage dashboard', () => {
  const figure = (name: string) =>
    admin.locator('dl > div').filter({ hasText: name }).locator('dd').first().textContent();

  it('counts every file, solution and view', { tags: 'system/admin-storage' }, async () => {
    const { storage } = site.service();
    for (const name of ['full.webp', 'card.webp']) {
      const { error } = await storage
        .from('solution-media')
        .upload(`${people.author}/first/${name}`, new Uint8Array(2048), { contentType: 'image/webp' });
      expect(error).toBeNull();
    }
    await solution('Waiting to be counted');
    await open(admin, '/admin', '4 KB of 1 GB');
    expect(await figure('Files in solution-media')).toBe('2');
    expect(await figure('Projected days remaining')).toBe('365+');
    expect(Number(await figure('Page views this month'))).toBeGreaterThanOrEqual(0);
    await admin.getByRole('row', { name: /Pending 1 100%/ }).waitFor();
    await admin.getByText('full.webp (not attached to a solution)', { exact: true }).first().waitFor();
    await admin.locator('summary', { hasText: 'Storage by kind as a table' }).click();
    await admin.getByRole('row', { name: /Full size 2 KB 50 %/ }).waitFor();
    await expectAccessible(admin, 'storage');
  });

  it('says that files could not be moved or removed, until it is tried again', async () => {
    await insert('media_jobs', { object_names: ['solution-media/a/b/full.webp'], attempts: 12 });
    await admin.goto('/admin?tab=storage');
    const banner = admin.getByText('The files of one decision could not be moved or removed.');
    await banner.waitFor();
    await expectAccessible(admin, 'files that were given up');
    await press(admin, 'Try again');
    await banner.waitFor({ state: 'detached' });
    const { count } = await site
      .service()
      .from('media_jobs')
      .select('id', { count: 'exact', head: true })
      .gt('attempts', 1);
    expect(count).toBe(0);
  });

  it('pages through folders, warns from 70 % and is critical from 90 %', async () => {
    let megabyte = 1024 ** 2;
    const file = (index: number) => ({
      id: String(index),
      name: `${index}.webp`,
      created_at: new Date().toISOString(),
      metadata: { size: megabyte },
    });
    const list = '**/storage/v1/object/list/solution-media';
    const restoreList = await intercept(admin, list, (route) => {
      const { prefix, offset, limit } = route.request().postDataJSON();
      expect(limit).toBe(1000);
      if (!prefix) return route.fulfill({ json: [{ id: null, name: 'many', metadata: null }] });
      if (prefix === 'many') {
        const deeper = offset === 0 ? [] : [{ id: null, name: 'deep', metadata: null }];
        const files = Array.from({ length: offset === 0 ? 1000 : 4 }, (_, index) => file(offset + index));
        return route.fulfill({ json: [...files, ...deeper] });
      }
      return route.fulfill({ json: [file(9000)] });
    });
    megabyte *= 0.75;
    await reload(admin, { toast: 'Storage Warning' });
    await admin.getByText('Storage is 73% full.').waitFor();
    expect(await figure('Files in solution-media')).toBe('1,005');
    await admin.getByText(/About 2 days left at the current rate. The Pro tier holds 100.GB./).waitFor();
    megabyte = 1024 ** 2;
    await reload(admin, { toast: 'Storage Critical' });
    await admin.getByText('Storage is 98% full.').waitFor();
    restoreList();
    const restore = await refuse(admin, '/object/list/solution-media', 'POST');
    await reload(admin, { toast: 'Failed to load storage statistics' });
    restore();
    await press(admin, 'Try again', '4 KB of 1 GB');
  });
});

describe('pending solutions', () => {
  it('are approved or rejected with a reason, and say what failed', {
    tags: 'system/admin-solutions',
  }, async () => {
    const rejected = await solution('Holder for a cello bow');
    await open(moderator, '/admin?tab=solutions', { heading: 'Waiting to be counted' });
    await moderator.keyboard.press('Alt+ArrowDown');
    await moderator.getByRole('heading', { name: 'Holder for a cello bow' }).waitFor();
    await moderator.keyboard.press('Alt+ArrowUp');
    await moderator.getByRole('heading', { name: 'Waiting to be counted' }).waitFor();
    // The second moderator gets a message.
    await admin.goto('/admin?tab=solutions');
    await press(admin, /Waiting to be counted/, /is already reviewing this/);
    await press(moderator, 'Approve', 'Please complete the checklist before you approve');
    await tickAll(moderator);
    const restore = await refuse(moderator, '/rest/v1/solutions', 'PATCH');
    await press(moderator, 'Approve', { toast: 'Failed to approve solution' });
    restore();
    await press(moderator, 'Approve', { toast: 'Solution Approved' });
    // The second moderator is told who decided what, and goes on by a press; an own decision leads on by itself.
    await admin.getByText(/^This was approved by Henrik Test on/).waitFor();
    expect(await admin.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await expectAccessible(admin, 'a case that another moderator has decided');
    const decided = admin.url();
    await press(admin, 'Go on to what waits next', { heading: 'Holder for a cello bow' });
    await open(admin, decided, /^This was approved by Henrik Test on/);
    await admin.goto('/');

    await moderator.getByRole('heading', { name: 'Holder for a cello bow' }).waitFor();
    await press(moderator, /^Reject$/);
    const dialog = moderator.getByRole('dialog', { name: 'Reject Solution' });
    await dialog.getByLabel('Reason').fill('  ');
    await press(dialog, 'Reject Solution', 'Please provide a reason for rejection');
    await press(dialog, 'Person identifiable');
    expect(await dialog.getByLabel('Reason').inputValue()).toMatch(/^A person is identifiable/);
    await dialog.getByLabel('Reason').fill('A face is visible in picture 2.');
    const restoreReject = await refuse(moderator, '/rest/v1/solutions', 'PATCH');
    await press(dialog, 'Reject Solution', { toast: 'Failed to reject solution' });
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('A face is visible in picture 2.');
    restoreReject();
    // After the last solution, what waits of another kind.
    const other = await insert('resource_suggestions', {
      user_id: people.author,
      resource_name: 'What waits next',
      resource_url: 'https://www.ispoint.org/',
      description: 'The international society for prosthetics and orthotics.',
      category: 'Professional Organizations',
    });
    await press(dialog, 'Reject Solution', { toast: 'Solution Rejected' });
    await moderator.getByRole('heading', { name: 'What waits next' }).waitFor();
    await moderator.waitForURL(`/admin?tab=queue&item=${other}`);
    // What was withdrawn is not said to be decided.
    await site.remove('resource_suggestions', { id: other });
    await reload(moderator, 'It may have been withdrawn since.');
    await open(moderator, '/admin?tab=solutions', 'No solutions to review');
    const data = await site.rows('solutions', 'status,rejection_reason', { id: rejected });
    expect(data).toEqual([{ status: 'rejected', rejection_reason: 'A face is visible in picture 2.' }]);

    const restoreQueue = await refuse(moderator, '/rest/v1/review_queue', 'GET');
    await reload(moderator, { toast: 'Failed to load pending solutions' });
    restoreQueue();
  });
});

describe('the review queue', () => {
  it('shows what changed since the last submission, and is decided with the keyboard', async () => {
    const id = await solution('Handlebar adapter for a short forearm');
    const change = (fields: Record<string, unknown>) =>
      site.service().from('solutions').update(fields).eq('id', id).throwOnError();
    await change({ status: 'rejected', rejection_reason: 'Which handlebar?' });
    await change({
      status: 'pending',
      rejection_reason: null,
      title: 'Handlebar adapter for a racing bicycle',
    });
    await insert('resource_suggestions', {
      user_id: people.author,
      resource_name: 'A link of the queue',
      resource_url: 'https://www.ispoint.org/',
      description: 'The international society for prosthetics and orthotics.',
      category: 'Professional Organizations',
    });
    const phone = await site.visit('/admin?tab=queue', { as: 'henrik@clinic.example', width: 360 });
    await press(phone, /Handlebar adapter for a racing bicycle/);
    await phone.getByRole('heading', { name: 'Changed since the last submission' }).waitFor();
    await expectAccessible(phone, 'the review queue');
    await phone.getByRole('link', { name: 'Back to the list (2)' }).click();
    await phone.getByRole('button', { name: /A link of the queue/ }).waitFor();
    expect(await phone.getByRole('heading', { name: 'Changed since the last submission' }).count()).toBe(0);
    await phone.context().close();

    await moderator.goto('/admin?tab=queue');
    const changes = moderator.getByRole('region', { name: 'Changed since the last submission' });
    await changes.getByRole('deletion').waitFor();
    expect(await changes.getByRole('deletion').allTextContents()).toEqual([' removed: short forearm']);
    expect(await changes.getByRole('insertion').allTextContents()).toEqual([' added: racing bicycle']);
    await moderator.getByText('1 approved, 1 rejected').waitFor();

    // What opens is shown from its beginning, and said.
    await moderator.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await moderator.keyboard.press('Alt+ArrowDown');
    await moderator.getByRole('heading', { name: 'A link of the queue' }).waitFor();
    await expectFocus(moderator.getByRole('region', { name: 'A link of the queue' }));
    await moderator.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await moderator.keyboard.press('Alt+ArrowUp');
    await changes.waitFor();
    const title = moderator.getByRole('heading', { name: 'Handlebar adapter for a racing bicycle' });
    expect((await title.boundingBox())?.y).toBeGreaterThan(0);
    await moderator.keyboard.press('Alt+Enter');
    for (let question = 0; question < 4; question++) {
      await moderator.keyboard.press('Space');
      await moderator.keyboard.press('Tab');
    }
    // The author is quicker: the ticks were for another version.
    await change({ title: 'Handlebar adapter for a town bicycle' });
    await moderator.getByRole('button', { name: 'Approve' }).focus();
    await moderator.keyboard.press('Enter');
    await toast(moderator, 'Failed to approve solution');
    await moderator.getByText('This has changed since you opened it. Please review it again.').waitFor();
    await moderator.getByRole('heading', { name: 'Handlebar adapter for a town bicycle' }).waitFor();
    await tickAll(moderator);
    // A double click decides once, and complains of nothing.
    let decisions = 0;
    moderator.on('request', (request) => {
      if (request.method() === 'PATCH' && request.url().includes('/rest/v1/solutions')) decisions += 1;
    });
    await moderator.getByRole('button', { name: 'Approve' }).dblclick();
    await toast(moderator, 'Solution Approved');
    expect(decisions).toBe(1);
    const data = await site.rows('solution_reviews', 'checklist', { solution_id: id, decision: 'approved' });
    expect(data).toEqual([
      { checklist: { recognisable_person: true, identifiers: true, consent: true, claims: true } },
    ]);
    await admin.goto(`/solutions/${id}`);
    await admin.getByText('Versions and review history').click();
    await admin.getByText(/^Approved by Henrik Test/).waitFor();

    // The next item takes its place, and it comes and goes without a reload where another moderator decides.
    await moderator.getByRole('heading', { name: 'A link of the queue' }).waitFor();
    await expectFocus(moderator.getByRole('region', { name: 'A link of the queue' }));
    const late = await insert('resource_suggestions', {
      user_id: people.author,
      resource_name: 'A late link',
      resource_url: 'https://www.ispoint.org/',
      description: 'The international society for prosthetics and orthotics.',
      category: 'Professional Organizations',
    });
    await moderator.getByRole('button', { name: /A late link/ }).waitFor();
    await site.change('resource_suggestions', { id: late }, { status: 'approved' });
    await moderator.getByRole('button', { name: /A late link/ }).waitFor({ state: 'detached' });
    await press(moderator, /^Reject$/);
    const rejection = moderator.getByRole('dialog', { name: 'Reject resource' });
    await press(rejection, 'Reject', 'Please provide a reason');
    await rejection.getByLabel('Reason').fill('It is listed already.');
    await press(rejection, 'Reject', { toast: 'Resource Rejected' });
    await moderator.getByText('Nothing to review here').waitFor();
    await expectAccessible(moderator, 'an empty queue');
  });
});

describe('staff', () => {
  it('write notes on what waits and on members, which moderators alone see', async () => {
    const id = await solution('A ring for a trombone');
    await open(moderator, `/admin?tab=queue&item=${id}`, { heading: 'Staff notes' });
    const notes = moderator.getByRole('region', { name: 'Staff notes' });
    await press(notes, 'Add a note');
    await press(notes, 'Save note', 'A note cannot be empty');
    await notes.getByRole('textbox').fill('Asked for the angle by phone.');
    await expectAccessible(moderator, 'a note');
    await press(notes, 'Save note');
    await toast(moderator, 'Note saved');
    await says(notes, 'Asked for the angle by phone.', /^Henrik Test$/);
    // Above the title, in the list, and on the solution's own page, where it can be decided on as well.
    await moderator.getByRole('button', { name: /^Solution · 1 note .*A ring for a trombone/ }).waitFor();
    const isAbove = async (page: Page) => {
      const title = await page.getByRole('heading', { name: 'A ring for a trombone' }).boundingBox();
      const note = await page.getByText('Asked for the angle by phone.').boundingBox();
      return title !== null && note !== null && note.y < title.y;
    };
    expect(await isAbove(moderator)).toBe(true);
    const second = await site.visit(`/solutions/${id}`, { as: 'ruth@clinic.example' });
    await says(second, 'Asked for the angle by phone.');
    expect(await isAbove(second)).toBe(true);
    await second.getByRole('button', { name: 'Approve' }).waitFor();
    await expectAccessible(second, 'a waiting solution with a note');
    await second.context().close();

    await open(admin, '/admin?tab=users', { title: /./ });
    await press(admin, 'Change Grace Test');
    await admin.getByRole('menuitem', { name: 'Notes' }).click();
    const dialog = admin.getByRole('dialog', { name: 'Notes on Grace Test' });
    await says(dialog, 'Asked for the angle by phone.', /On a solution: A ring for a trombone/);
    await press(dialog, 'Add a note');
    await dialog.getByRole('textbox').fill('Teaches in Leeds.');
    await press(dialog, 'Save note');
    await dialog.getByText('On the member').waitFor();
    const phone = await site.visit(`/admin?tab=queue&item=${id}`, {
      as: 'henrik@clinic.example',
      width: 360,
    });
    const onPhone = phone.getByRole('region', { name: 'Staff notes' });
    await says(onPhone, 'Teaches in Leeds.', 'Asked for the angle by phone.');
    expect(await onPhone.getByRole('button', { name: /^Remove/ }).count()).toBe(1);
    await expectAccessible(phone, 'notes on a phone');
    await press(onPhone, 'Remove note by Henrik Test');
    await press(phone.getByRole('dialog'), 'Remove');
    await toast(phone, 'Note removed');
    await onPhone.getByText('Asked for the angle by phone.').waitFor({ state: 'detached' });
    const logged = await site.rows('audit_events', 'action', { target_type: 'staff_note' });
    expect(logged.map(({ action }) => action).toSorted()).toEqual([
      'staff_note_removed',
      'staff_note_written',
      'staff_note_written',
    ]);
    const author = await site.visit(`/solutions/${id}`, { as: 'grace@clinic.example' });
    await author.getByRole('heading', { level: 1, name: 'A ring for a trombone' }).waitFor();
    expect(await author.content()).not.toContain('Leeds');
    await site.remove('solutions', { id });
  });

  it('go unnamed to authors where the site wants that, on every page that tells of a decision', async () => {
    const id = await solution('A clamp for a cello');
    await site
      .service()
      .from('site_settings')
      .update({ names_moderators: true })
      .eq('only_row', true)
      .throwOnError();
    await open(admin, '/admin?tab=settings', { heading: 'Invite someone' });
    await admin.getByRole('switch', { name: 'Show authors the names of moderators' }).click();
    await press(admin, 'Save Changes');
    await toast(admin, 'Settings saved');
    await open(moderator, `/admin?tab=queue&item=${id}`, { heading: 'A clamp for a cello' });
    await press(moderator, /^Reject$/);
    await moderator.getByRole('dialog').getByRole('textbox').fill('A label shows a name.');
    await press(moderator.getByRole('dialog'), /^Reject/);
    await toast(moderator, 'Solution Rejected');
    const author = await site.visit(`/solutions/${id}`, { as: 'grace@clinic.example' });
    await author.locator('summary', { hasText: /review history/i }).click();
    await author.getByText(/Rejected by a moderator/).waitFor();
    for (const [at, text] of [
      [`/solutions/${id}`, 'A label shows a name.'],
      ['/notifications', 'Changes requested'],
      ['/messages/unknown', 'A moderator'],
    ] as const) {
      await author.goto(at);
      await author.getByText(text).first().waitFor();
      expect(await author.getByText('Henrik').count(), at).toBe(0);
      expect(await author.content(), at).not.toContain(people.moderator);
    }
    await expectAccessible(author, 'a decision in messages');
    const second = await site.visit(`/solutions/${id}`, { as: 'ruth@clinic.example' });
    await second.locator('summary', { hasText: /review history/i }).click();
    await second.getByText(/Rejected by Henrik Test/).waitFor();
    await site
      .service()
      .from('site_settings')
      .update({ names_moderators: true })
      .eq('only_row', true)
      .throwOnError();
  });
});

describe('resource suggestions', () => {
  const suggest = (resource_name: string) =>
    insert('resource_suggestions', {
      user_id: people.member,
      resource_name,
      resource_url: 'https://www.ispoint.org/',
      description: 'The international society for prosthetics and orthotics.',
      category: 'Professional Organizations',
    });

  it('are approved or rejected, and say what failed', { tags: 'system/admin-resources' }, async () => {
    const [first, second] = [await suggest('ISPO'), await suggest('Buy my feet')];
    await open(moderator, '/admin?tab=resources', { heading: 'ISPO' });
    await expectAccessible(moderator, 'suggestions');
    const restore = await refuse(moderator, '/rest/v1/resource_suggestions', 'PATCH');
    await press(moderator, 'Approve', { toast: 'Failed to approve resource suggestion' });
    await press(moderator, /^Resource .*Buy my feet/);
    await moderator.getByRole('heading', { name: 'Buy my feet' }).waitFor();
    const rejection = moderator.getByRole('dialog', { name: 'Reject resource' });
    await press(moderator, /^Reject$/);
    await rejection.getByLabel('Reason').fill('It is an advertisement.');
    await press(rejection, 'Reject', { toast: 'Failed to reject resource suggestion' });
    await press(rejection, 'Cancel');
    restore();
    await press(moderator, /^Resource .*ISPO/);
    // The second click of a double click falls on the next suggestion, and decides nothing there.
    await moderator.getByRole('heading', { name: 'ISPO' }).waitFor();
    await moderator.getByRole('button', { name: 'Approve' }).dblclick();
    await toast(moderator, 'Resource Approved');
    await moderator.getByRole('heading', { name: 'Buy my feet' }).waitFor();
    await press(moderator, /^Reject$/);
    await rejection.getByLabel('Reason').fill('It is an advertisement.');
    await press(rejection, 'Reject', { toast: 'Resource Rejected' });
    await moderator.getByText('No suggestions to review').waitFor();
    const suggested = await site.rows('resource_suggestions', 'id,status', { user_id: people.member });
    expect(suggested.toSorted((one, other) => (one.status < other.status ? -1 : 1))).toEqual([
      { id: first, status: 'approved' },
      { id: second, status: 'rejected' },
    ]);
    const restoreQueue = await refuse(moderator, '/rest/v1/review_queue', 'GET');
    await reload(moderator, { toast: 'Failed to load resource suggestions' });
    restoreQueue();
  });
});

describe('content reports', () => {
  const long = 'This reply names a patient and goes on for more than fifty characters.';
  const topic = (title: string) => insert('forum_topics', { title, user_id: people.author });
  /** The case of the report with this reason, opened. */
  const openReport = async (reason: string) => {
    await press(moderator, new RegExp(`^Report .*: ${reason}`));
    const article = moderator.getByRole('article', { name: `Report: ${reason}` });
    await article.waitFor();
    return article;
  };

  it('are answered or dismissed; a private message is opened on purpose', {
    tags: 'system/admin-reports',
  }, async () => {
    const within = await topic('Suspension for short limbs');
    await report(
      'post',
      await insert('forum_posts', { topic_id: within, user_id: people.author, content: long }),
      'Names a patient',
    );
    await report('topic', within, 'Off topic');
    await report(
      'message',
      await insert('messages', {
        sender_id: people.author,
        recipient_id: people.member,
        content: 'Cheap feet!',
      }),
      'Spam',
    );
    await moderator.goto('/admin?tab=reports');
    const named = await openReport('Names a patient');
    // The whole text once, and where it stands.
    const content = named.getByRole('region', { name: 'Reported content' });
    await content.getByText(long).waitFor();
    expect(await content.getByText(long.slice(0, 50)).count()).toBe(1);
    await named.getByRole('link', { name: 'Suspension for short limbs' }).waitFor();
    await expectAccessible(moderator, 'reports');

    const off = await openReport('Off topic');
    const restoreDismiss = await refuse(moderator, '/rest/v1/content_reports', 'PATCH');
    await off.waitFor();
    await press(moderator, 'Dismiss');
    const dismissal = moderator.getByRole('dialog', { name: 'Dismiss report' });
    await press(dismissal, 'Dismiss', { toast: 'Failed to dismiss report' });
    restoreDismiss();
    await press(dismissal, 'Dismiss', { toast: 'Report Dismissed' });

    const spam = await openReport('Spam');
    await press(spam, 'Read Message', 'Cheap feet!');
    await press(moderator, 'Respond');
    const dialog = moderator.getByRole('dialog', { name: 'Respond to Report' });
    const send = dialog.getByRole('button', { name: 'Send response' });
    await send.click();
    await dialog.getByText('Please provide a response').waitFor();
    await dialog.getByLabel('Response').fill('Thank you, we have written to them.');
    const restoreUpdate = await refuse(moderator, '/rest/v1/content_reports', 'PATCH');
    await send.click();
    await toast(moderator, 'Failed to update report');
    restoreUpdate();
    await send.click();
    await toast(moderator, 'Report Resolved');
    const data = await site.rows('messages', 'content', { subject: 'About your report: Private message' });
    expect(data).toEqual([{ content: 'Thank you, we have written to them.' }]);

    await moderator.getByRole('article', { name: 'Report: Names a patient' }).waitFor();
    const restorePosts = await refuse(moderator, '/rest/v1/forum_posts', 'GET');
    await reload(moderator, { toast: 'Failed to fetch content details' });
    const restoreReports = await refuse(moderator, '/rest/v1/content_reports', 'GET');
    await reload(moderator, { toast: 'Failed to load content reports' });
    restorePosts();
    restoreReports();
  });

  it('lead to the deletion of content, step by step, and its author is told', async () => {
    const deleted = await topic('Buy my feet');
    await report('topic', deleted, 'An advertisement');
    await moderator.goto('/admin?tab=reports');
    const remove = async (reason: string, message: string) => {
      await openReport(reason);
      await chooseMore(moderator, 'Delete Content');
      const dialog = moderator.getByRole('dialog', { name: 'Delete Content' });
      if (message) await dialog.getByLabel(/Message to/).fill(message);
      await press(dialog, 'Delete Content');
    };
    const restore = await refuse(moderator, '/rest/v1/forum_topics', 'DELETE');
    await remove('An advertisement', 'No advertisements, please.');
    await toast(moderator, 'Failed to delete content: please try again');
    restore();
    const restoreReport = await refuse(moderator, '/rest/v1/content_reports', 'PATCH');
    await press(moderator.getByRole('dialog'), 'Delete Content');
    await toast(moderator, 'Content deleted but failed to update report status');
    restoreReport();
    await (await openReport('An advertisement')).getByText('This content has been deleted').waitFor();
    await remove('An advertisement', '');
    await toast(moderator, 'Content Deleted');
    const subject = 'Your forum topic was removed';
    expect(await site.rows('messages', 'content', { subject })).toEqual([
      { content: 'No advertisements, please.' },
    ]);

    // A failed notification of the author is not the moderator's concern.
    const restoreMessages = await refuse(moderator, '/rest/v1/messages', 'POST');
    await remove('Names a patient', 'Please leave names out.');
    await moderator.getByText('No reports to review').waitFor();
    restoreMessages();
    const data = await site.rows('notifications', 'forum_topic_id', {
      user_id: people.author,
      type: 'content_deleted',
    });
    expect(data).toHaveLength(2);
    expect(data?.filter(({ forum_topic_id }) => forum_topic_id)).toHaveLength(1);
    const waiting = await site.service().from('content_reports').select('id').eq('status', 'pending');
    expect(waiting.data).toEqual([]);
    // What was decided has reached the reporter, by name.
    const reporter = await site.visit('/notifications', { as: 'amara@clinic.example' });
    await reporter.getByText(/Henrik Test\s*closed your report/).waitFor();
    await reporter
      .getByRole('link', { name: /Henrik Test\s*answered your report/ })
      .first()
      .click();
    await reporter.waitForURL('/reports');
    await reporter.getByText('Thank you, we have written to them.').waitFor();
    await says(reporter, 'Closed, no action needed', 'Listed on Resources', 'It is an advertisement.');
    await expectAccessible(reporter, 'a member’s own reports and suggestions');
  });

  it('lead to the deletion of a solution, whose address says why', async () => {
    const hook = { user_id: people.author, title: 'A hook that slips', status: 'approved' };
    const id = await shareSolution(site.service(), hook);
    await report('solution', id, 'It slipped under load');
    await moderator.goto('/admin?tab=reports');
    await openReport('It slipped under load');
    await chooseMore(moderator, 'Add a safety notice');
    const notice = moderator.getByRole('dialog', { name: 'Safety notice' });
    await notice.getByLabel('What do readers need to know?').fill('It opens under load.');
    await press(notice, 'Publish notice', { toast: 'Safety notice published' });
    await chooseMore(moderator, 'Delete Content');
    const dialog = moderator.getByRole('dialog', { name: 'Delete Content' });
    await dialog.getByLabel(/^Reason/).selectOption('It may not be safe');
    await press(dialog, 'Delete Content', { toast: 'Content Deleted' });
    await open(moderator, `/solutions/${id}`, 'because it may not be safe');
  });
});

describe('a sanction', () => {
  it('follows from a report, is told on every page, can be answered, and is lifted', async () => {
    await report('profile', people.author, 'Pretends to work here');
    await moderator.goto('/admin?tab=reports');
    await press(moderator, 'Sanction Grace Test');
    const dialog = moderator.getByRole('dialog', { name: 'Sanction Grace Test' });
    await dialog.getByText('No sanctions so far').waitFor();
    expect(await dialog.getByRole('radio').count()).toBe(2);
    await dialog.getByLabel(/^Suspension/).check();
    await press(dialog, /^Sanction$/, 'Please provide a reason');
    await dialog.getByLabel('Reason').fill('Please use your own clinic.');
    await expectAccessible(moderator, 'sanction');
    await press(dialog, /^Sanction$/, { toast: 'Member suspended' });

    const grace = await site.visit('/about', { as: 'grace@clinic.example' });
    await says(grace, /^You are suspended until/, 'Reason: Please use your own clinic.');
    await follow(grace, 'Reply to the moderator', { url: `/messages/${people.moderator}` });

    await admin.goto('/admin?tab=users');
    await press(admin, 'Change Grace Test');
    await admin.getByRole('menuitem', { name: 'Sanction' }).click();
    const earlier = admin.getByRole('list', { name: 'Earlier sanctions' });
    await press(earlier, 'Lift', { toast: 'Sanction lifted' });
    await earlier.getByText(/, lifted /).waitFor();
    await grace.goto('/messages');
    await grace.getByText('This no longer holds. You can take part as before.').last().waitFor();
    await grace.waitForLoadState('networkidle');
    expect(await grace.getByRole('link', { name: 'Reply to the moderator' }).count()).toBe(0);
  });
});

describe('the audit log', () => {
  it('is for admins, filtered by action and day, and downloaded', async () => {
    await open(moderator, '/admin?tab=audit', { heading: 'Storage used' });
    await admin.goto('/admin?tab=audit');
    const entries = admin.getByRole('list', { name: 'Audit log' }).getByRole('listitem');
    await entries.filter({ hasText: 'Report resolved by Henrik Test' }).first().waitFor();
    await expectAccessible(admin, 'audit log');
    // In the words of the screens, and by title where it is still there.
    await entries
      .filter({ hasText: 'Safety notice written' })
      .filter({ hasText: 'Use with caution' })
      .waitFor();
    await entries
      .filter({ hasText: 'Solution approved' })
      .getByRole('link', { name: 'Handlebar adapter for a town bicycle' })
      .waitFor();
    // What another moderator does is added while the log is open.
    await site.insert('user_roles', { user_id: people.author, role: 'moderator' });
    await entries
      .filter({ hasText: 'Role granted' })
      .filter({ hasText: 'member Grace Test' })
      .first()
      .waitFor();
    await site.remove('user_roles', { user_id: people.author });
    await entries.filter({ hasText: 'Role removed' }).first().waitFor();
    await admin.getByLabel('Action').selectOption('Reported message read');
    await entries.filter({ hasText: 'Report resolved' }).first().waitFor({ state: 'detached' });
    expect(await entries.count()).toBe(1);
    const csv = (await download(admin, 'Download CSV')).toString();
    expect(csv.trim().split('\r\n')).toHaveLength(2);
    expect(csv).toContain('Henrik Test,reported_message_read,message,');
    await admin.getByLabel('From').fill('2099-01-01');
    await admin.getByText('No entries match these filters').waitFor();
  });
});

describe('user management', () => {
  const row = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: name });

  it('makes and removes moderators, live for all; admins have no such buttons', {
    tags: ['system/admin-users', 'system/roles'],
  }, async () => {
    const second = await site.visit('/admin?tab=users', {
      as: 'ruth@clinic.example',
      width: 360,
      colorScheme: 'dark',
    });
    await admin.goto('/admin?tab=users');
    await row(admin, 'Amara Test').waitFor();
    expect(await row(admin, 'Ruth Test').getByRole('button').count()).toBe(0);
    const search = admin.getByLabel('Search by name or username');
    await search.fill('AMAR');
    await admin.getByText('1 member', { exact: true }).waitFor();
    await search.fill('100%');
    await admin.getByText('No member has “100%” in their name or username').waitFor();
    await search.fill('amara');

    const choose = async (item: string) => {
      await press(admin, 'Change Amara Test');
      await admin.getByRole('menuitem', { name: item }).click();
    };
    await choose('Make Moderator');
    const making = admin.getByRole('dialog', { name: 'Make Moderator' });
    await making.getByText('Amara Test will be able to review').waitFor();
    await press(making, 'Make Moderator');
    await toast(admin, 'User promoted to moderator');
    await row(second, 'Amara Test').getByText('Moderator', { exact: true }).waitFor();
    await expectAccessible(second, 'users on a phone in the dark');

    const amara = await site.visit('/admin', { as: 'amara@clinic.example' });
    await amara.getByRole('heading', { name: 'Storage used' }).waitFor();
    await choose('Remove Moderator');
    await press(admin.getByRole('dialog', { name: 'Remove Moderator Role' }), 'Remove role');
    await toast(admin, 'Moderator role removed');
    await toast(amara, 'Access Revoked');
    await amara.waitForURL('/');
    await row(second, 'Amara Test').getByText('User', { exact: true }).waitFor();
  });

  it('lets a moderator step down, who is then sent home', async () => {
    await moderator.goto('/admin');
    await press(moderator, 'Step down as moderator');
    await press(moderator.getByRole('dialog', { name: 'Remove Moderator Role' }), 'Remove role');
    await toast(moderator, 'Moderator role removed');
    await toast(moderator, 'Access Revoked');
    await moderator.waitForURL('/');
  });
});

describe('the settings of the site', () => {
  const set = (settings: Record<string, unknown>) =>
    site.change('site_settings', { only_row: true }, settings);
  const saved = 'Settings saved';

  it('give it a name, a welcome and a colour, which every page has from then on', async () => {
    const visitor = await site.visit('/about');
    await open(admin, '/admin?tab=settings', { heading: 'Invite someone' });
    const name = admin.getByLabel('Name of the site');
    await name.fill(' ');
    await press(admin, 'Save Changes');
    await admin.getByText('Enter a name').waitFor();
    await name.fill('Leeds & Limbs');
    await admin.getByLabel('Accent colour').fill('purple');
    await press(admin, 'Save Changes');
    await admin.getByText('Write a colour as # and six digits of 0-9 and a-f').waitFor();
    await admin.getByLabel('Accent colour').fill('#7B2D8B');
    await admin.getByLabel('Welcome text').fill('Ask us anything.');
    // What is typed is not lost by a look at another section.
    await admin.getByRole('tab', { name: 'Audit log' }).click();
    await admin.getByRole('tab', { name: 'Settings' }).click();
    await press(admin, 'Save Changes');
    await toast(admin, saved);
    await expect
      .poll(async () => {
        await visitor.goto('/about');
        return visitor.title();
      })
      .toBe('About · Leeds & Limbs');
    await visitor.getByRole('heading', { name: 'About Leeds & Limbs' }).waitFor();
    await visitor.getByText('Leeds & Limbs is for people who make').waitFor();
    const read = async (path: string) => (await visitor.request.get(path)).text();
    for (const path of ['/', '/terms-of-service', '/browse.atom', '/forum.atom', '/offline'])
      await expect.poll(() => read(path), { message: path }).toContain('Leeds &amp; Limbs');
    await expect.poll(() => read('/manifest.webmanifest')).toContain('"name":"Leeds & Limbs"');
    expect(await read('/about')).not.toContain('Limb Commons');
    await admin.getByRole('tab', { name: 'Audit log' }).click();
    await admin.getByText('site name: Leeds & Limbs').waitFor();
    await visitor.goto('/');
    await visitor.getByText('Ask us anything.').waitFor();
    const button = visitor.getByRole('button', { name: 'Explore Solutions' });
    expect(await button.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe('rgb(113, 64, 123)');
    await expectAccessible(visitor, 'the home page in another colour');
    for (const path of ['/manifest.webmanifest', '/offline'])
      await expect.poll(() => read(path), { message: path }).toContain('#71407b');
    const bar = visitor.locator('meta[name="theme-color"]').first();
    expect(await bar.getAttribute('content')).toBe('#71407b');
    const edge = async () => {
      const card = await (await visitor.request.get('/preview.png')).body();
      return sharp(card).extract({ left: 4, top: 4, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
    };
    await expect.poll(async () => [...(await edge())]).toEqual([113, 64, 123]);
    // An email of the authentication service, and one of the site's own; each with its colour for a dark mail program as well.
    const { email } = await site.member('Nadia');
    await site.service().auth.resetPasswordForEmail(email);
    await open(admin, '/admin?tab=settings', { heading: 'Invite someone' });
    await admin.getByRole('form', { name: 'Invitation' }).getByLabel('Email').fill('nadia@elsewhere.example');
    await admin.getByRole('form', { name: 'Invitation' }).getByRole('button').click();
    for (const address of [email, 'nadia@elsewhere.example'])
      for (const style of ['background: #71407b; color: #ffffff', '.go { background: #e39bf2 !important'])
        expect((await site.mailTo(address)).html).toContain(style);
    await press(admin, 'Withdraw the invitation to nadia@elsewhere.example');
    await press(admin.getByRole('dialog'), 'Withdraw', { toast: 'Invitation withdrawn' });
    await set({ site_name: 'Limb Commons', welcome_text: '', accent_colour: '' });
  });

  it('give it a logo, which every page has in the place of the sign until it is removed', async () => {
    await open(admin, '/admin?tab=settings', { heading: 'Logo' });
    const choose = (name: string, mimeType: string, buffer: Buffer) =>
      admin.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
    await choose('notes.png', 'image/png', Buffer.from('no image'));
    await toast(admin, 'Failed to change the logo');
    await choose('logo.png', 'image/png', await phonePicture('png'));
    await toast(admin, 'Logo changed');
    await admin.getByRole('img', { name: 'Logo of the site' }).waitFor();
    await expectAccessible(admin, 'the logo among the settings');
    const visitor = await site.visit('/about');
    const home = visitor.getByRole('banner').getByRole('link', { name: 'Limb Commons' });
    await expect
      .poll(async () => {
        await visitor.goto('/about');
        return home.locator('img').count();
      })
      .toBe(1);
    const src = await home.locator('img').getAttribute('src');
    expect(src).toMatch(/\/avatars\/site\/\d+\.webp$/);
    expect(await visitor.getByRole('contentinfo').locator('img').getAttribute('src')).toBe(src);
    expect(await visitor.locator('link[rel=icon]').getAttribute('href')).toBe(src);
    const manifest = async () => (await visitor.request.get('/manifest.webmanifest')).json();
    await expect.poll(async () => (await manifest()).icons).toMatchObject([{ src }]);
    const sign = async () => {
      const card = await (await visitor.request.get('/preview.png')).body();
      return [...(await sharp(card).extract({ left: 995, top: 315, width: 1, height: 1 }).raw().toBuffer())];
    };
    // The picture, which is blue there, in the place of the drawing.
    await expect.poll(sign).toEqual([32, 96, 160].map((part) => expect.closeTo(part, -1)));
    await press(admin, 'Remove logo');
    await toast(admin, 'Logo removed');
    await expect
      .poll(async () => {
        await visitor.goto('/about');
        return home.locator('img').count();
      })
      .toBe(0);
    await admin.getByRole('tab', { name: 'Audit log' }).click();
    await admin.getByText('logo url:').first().waitFor();
  });

  it('say who can sign up, on the page where people do', async () => {
    await open(admin, '/admin?tab=settings', { heading: 'Invite someone' });
    await admin.getByLabel('Allowed email domains').fill('clinic');
    await press(admin, 'Save Changes');
    await admin.getByText('“clinic” is not a domain. Enter one such as clinic.example').waitFor();
    await admin.getByLabel('Allowed email domains').fill('@Clinic.example, nhs.example');
    await press(admin, 'Save Changes');
    await expect
      .poll(() => site.rows('site_settings', 'email_domains', { only_row: true }))
      .toEqual([{ email_domains: ['clinic.example', 'nhs.example'] }]);
    // From the top, where the header lies over no field.
    await admin.evaluate(() => scrollTo(0, 0));
    await expectAccessible(admin, 'the settings of the site');
    const signUp = async () => {
      const visitor = await site.visit('/auth?tab=sign-up#email=kofi%40elsewhere.example');
      await visitor.getByRole('tab', { name: 'Sign Up', selected: true }).waitFor();
      return visitor;
    };
    await (await signUp()).getByText('Use an address at clinic.example or nhs.example.').waitFor();
    // The toast of the change before may still be there.
    const stored = async () => (await site.rows('site_settings', 'sign_up', { only_row: true }))[0]?.sign_up;
    await admin.getByLabel('No one can sign up').check();
    await press(admin, 'Save Changes');
    await expect.poll(stored).toBe('closed');
    await (await signUp()).getByText('New accounts can’t be created at the moment.').waitFor();
    await admin.getByLabel('Only people you have invited can sign up').check();
    await press(admin, 'Save Changes');
    await expect.poll(stored).toBe('invite');
    const invitee = await signUp();
    await invitee.getByText('Joining is by invitation only.').waitFor();
    // The address of an invitation is there already, and stays when another tab is chosen.
    for (const tab of ['Sign In', 'Sign Up']) {
      await invitee.getByRole('tab', { name: tab }).click();
      await expect.poll(() => invitee.getByLabel('Email').inputValue()).toBe('kofi@elsewhere.example');
    }
    await admin.getByRole('form', { name: 'Invitation' }).getByLabel('Email').fill('kofi@elsewhere.example');
    await press(admin, 'Send invitation');
    await toast(admin, 'Invitation sent');
    const invited = admin.getByRole('list', { name: 'Pending invitations' });
    await invited.getByText('kofi@elsewhere.example', { exact: true }).waitFor();
    await invited.getByText(/Valid until \w+\s\d+,\s\d+/).waitFor();
    await press(invited, 'Withdraw the invitation to kofi@elsewhere.example');
    await press(admin.getByRole('dialog'), 'Withdraw');
    await toast(admin, 'Invitation withdrawn');
    await invited.waitFor({ state: 'detached' });
    await set({ sign_up: 'open', email_domains: [] });
  });

  it('keep moderators without a second step from the dashboard where they ask for one', async () => {
    await open(admin, '/admin?tab=settings', { heading: 'Invite someone' });
    await admin.getByRole('switch', { name: 'Require two-step sign-in' }).click();
    await press(admin, 'Save Changes');
    await toast(admin, 'Failed to save settings');
    await admin.getByText('Set up two-step sign-in for your own account first').waitFor();
    await set({ staff_second_step: true });
    const { page } = await site.joins('Signe', { role: 'moderator', at: '/admin' });
    await page.getByText('Moderators and admins of this site need two-step sign-in.').waitFor();
    await follow(page.getByRole('main'), 'Set up two-step sign-in', { url: '/settings#two-step' });
    await set({ staff_second_step: false });
  });

  it('show no points where they are off', async () => {
    await set({ show_points: false });
    const { page } = await site.joins('Pia', { at: '/profile' });
    await page.getByRole('heading', { name: 'My Solutions' }).waitFor();
    expect(await page.getByText(/points/i).count()).toBe(0);
    for (const [at, title] of [
      ['/about', /^About/],
      ['/developers', /./],
      ['/settings', 'Settings'],
      ['/notifications', 'Notifications'],
    ] as const) {
      await open(page, at, { title });
      expect(await page.getByText(/\bpoints and badges\b|\bbadges and points\b/i).count(), at).toBe(0);
    }
    await open(page, '/privacy-policy', { title: 'Privacy Policy' });
    await says(page, /points and badges \(this site doesn’t show them\)/, /workplace, and what you have/);
    await set({ show_points: true });
    await page.goto('/profile');
    await page.getByRole('heading', { name: 'How to earn points' }).waitFor();
  });

  it('add, change and retire registers', async () => {
    await open(admin, '/admin?tab=settings', { heading: 'Registers' });
    await press(admin, 'Add a register');
    const dialog = admin.getByRole('dialog', { name: 'Add a register' });
    await press(dialog, 'Save');
    await dialog.getByText('Use 2 to 12 letters, beginning with a capital').waitFor();
    for (const [label, text] of [
      ['Short name', 'HPR'],
      ['Name', 'Helsepersonellregisteret'],
      ['Country', 'Norway'],
      ['Professions', 'All licensed health professions'],
      ['Address of its public search', 'https://register.example/hpr'],
    ] as const)
      await dialog.getByLabel(label, { exact: true }).fill(text);
    await press(dialog, 'Save');
    await toast(admin, 'Register added');
    await press(admin, 'Retire HPR');
    const asked = admin.getByRole('dialog', { name: 'Retire HPR' });
    await asked.getByText('keeps their registration and badge').waitFor();
    await press(asked, 'Retire');
    await toast(admin, 'Register retired');
    await press(admin, 'Offer again HPR');
    await toast(admin, 'Register offered again');
    await site.remove('registers', { code: 'HPR' });
  });

  it('disable a member’s account, and enable it again', async () => {
    const { email } = await site.member('Dora');
    await admin.goto('/admin?tab=users');
    await press(admin, 'Change Dora Test');
    await admin.getByRole('menuitem', { name: 'Account' }).click();
    const dialog = admin.getByRole('dialog', { name: 'Account of Dora Test' });
    await press(dialog, 'Disable account');
    await press(admin.getByRole('dialog', { name: 'Disable the account of Dora Test' }), 'Disable account');
    await toast(admin, 'Account disabled');
    const visitor = await site.visit('/auth');
    await visitor.getByLabel('Email').fill(email);
    await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press(visitor, /^Sign In$/);
    await visitor.getByText('This account can’t sign in.').waitFor();
    await press(dialog, 'Enable account');
    await toast(admin, 'Account enabled');
    await signInByForm(visitor, email);
    await visitor.waitForURL('/');
  });
});
