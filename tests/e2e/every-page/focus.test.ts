// @module-tag whole

import { readdirSync, readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { phonePicture } from '../../media/files.ts';
import { shareSolution } from '../../solution.ts';
import { TRIAL } from '../rows.ts';
import { openSite, signIn } from '../site.ts';
import { confirmSecondStep, expectFocus } from '../steps.ts';

const site = openSite({ demo: true });
const ids = { solution: '', pictured: '', pending: '', topic: '', author: '' };
const walked = new Set<string>();
let admin: Page;
let author: Page;

const comment = (content: string) =>
  site.insert('comments', { solution_id: ids.solution, user_id: ids.author, content });
const report = (reporter_id: string, content_type: string, content_id: string) =>
  site.insert('content_reports', { reporter_id, content_type, content_id, reason: 'Names a patient' });
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return at === document.body
      ? 'nothing'
      : `${at?.tagName}: ${at?.textContent?.trim().replaceAll(/\s+/g, ' ')}`;
  });
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const more = /^More$/;
/** What a reply with an image has in its row. */
const WITH_IMAGE = {
  images: [
    {
      media_url: '/x.webp',
      compressed_url: '/x.webp',
      thumbnail_url: '/x.webp',
      width: 4,
      height: 3,
      description: null,
    },
  ],
  image_consent: 'no_identifiable_person',
};
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();

/** The file of a dialog, the button that opens it, the dialog, and the entry of a menu between the two. */
type Walk = [
  file: string,
  opener: string | RegExp | Locator,
  dialog: string | RegExp | Locator,
  between?: string,
];

/** Dialogs are left by each of them in turn, in the next run perhaps the other way round. */
const WAYS_OUT = Math.random() < 0.5 ? ['Escape', 'Close'] : ['Close', 'Escape'];
let opened = 0;

/** Opens dialogs of the page by key, checks that each has the focus, leaves it, and checks that the focus is back. */
async function walkHere(page: Page, ...walks: Walk[]) {
  for (const [file, openerName, name, between] of walks) {
    walked.add(file);
    const isName = (one: string | RegExp | Locator): one is string | RegExp =>
      typeof one === 'string' || one instanceof RegExp;
    const opener = isName(openerName) ? button(page, openerName) : openerName;
    const dialog = isName(name) ? dialogOf(page, name) : name;
    const close = WAYS_OUT[opened++ % 2];
    await opener.focus();
    await page.keyboard.press('Enter');
    if (between) await page.getByRole('menuitem', { name: between, exact: true }).press('Enter');
    await dialog.waitFor();
    await expect.poll(() => dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
    // Enter may end nothing that was not read.
    const destroys = '.button-danger, .text-red-ink';
    expect(
      await page.evaluate((red) => document.activeElement?.matches(red), destroys),
      `${file} begins at what destroys`,
    ).toBe(false);
    if (close === 'Escape') await page.keyboard.press('Escape');
    else
      await dialog
        .getByRole('button', { name: /^(Close|I have kept them)$/ })
        .first()
        .press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expectFocus(opener, `${file}, left by ${close}`);
  }
}

async function walk(page: Page, address: string, walks: Walk[]) {
  await page.goto(address);
  await walkHere(page, ...walks);
}

/** Passes through the forms of the page by key from end to end, and checks that nothing in it breaks. */
async function passThrough(page: Page) {
  await page.waitForLoadState('networkidle');
  const title = await page.getByRole('heading', { level: 1 }).textContent();
  await page.locator('main').focus();
  const controls = await page.locator('main :is(input, select, textarea, button, a)').count();
  for (let pressed = 0; pressed < controls; pressed += 1) await page.keyboard.press('Tab');
  expect(await page.getByRole('heading', { level: 1 }).textContent(), page.url()).toBe(title);
  expect(await page.getByRole('alert').count(), page.url()).toBe(0);
}

beforeAll(async () => {
  const { id: adminId, email } = await site.member('Walker', 'admin');
  ids.author = (await site.member('Grace')).id;
  const share = (title: string, status: string) =>
    shareSolution(site.service(), { user_id: ids.author, title, status });
  ids.solution = await share('A strap to walk with', 'approved');
  ids.pending = await share('A strap to wait with', 'pending');
  const { author: user_id, solution: solution_id } = ids;
  ids.topic = await site.insert('forum_topics', { title: 'Straps that last', user_id: adminId });
  const post = { topic_id: ids.topic, user_id, content: 'Webbing does.', ...WITH_IMAGE };
  await report(adminId, 'post', await site.insert('forum_posts', post));
  for (const content of ['One', 'Two', 'Three']) {
    await comment(content);
    await site.insert('messages', { sender_id: user_id, recipient_id: adminId, subject: content, content });
  }
  const trial = await site.insert('solution_trials', { ...TRIAL, solution_id, user_id });
  await site.change('solution_trials', { id: trial }, { status: 'approved' });
  await site.insert('solution_fabrication', { solution_id });
  await site.insert('solution_parts', {
    solution_id,
    position: 0,
    component: 'Adapter',
    maker: 'Ottobock',
    part_number: '4R54',
    quantity: 1,
  });
  await site.insert('solution_files', {
    solution_id,
    position: 0,
    file_url: '/storage/v1/object/public/solution-media/none/part.stl',
    file_name: 'part.stl',
    file_type: 'stl',
    byte_size: 684,
    facts: { triangles: 12, dimensions: [20, 20, 20] },
    previews: [],
    page_texts: [],
  });
  const [{ solution_id: pictured }] = await site.rows(
    'solution_media',
    'solution_id,solutions!inner(status)',
    {
      media_type: 'image',
      position: 0,
      'solutions.status': 'approved',
    },
  );
  ids.pictured = pictured;
  const tracking = '00000000-0000-4000-8000-000000000001';
  await site
    .service()
    .rpc('request_removal', { tracking, solution: pictured, asker: 'patient', reason: 'That is my arm.' })
    .throwOnError();
  admin = await site.signedIn(email);
  author = await site.person({ width: 360 });
  await signIn(author, 'grace@clinic.example');
});

describe('every dialog gives the focus back to what opened it, and the forms beside it are passed through by key', () => {
  it('on the page of a solution', async () => {
    await walk(admin, `/solutions/${ids.solution}`, [
      ['solution-page/share-dialog.tsx', 'Share', 'Share this solution'],
      ['file-viewer/model-dialog.tsx', 'Open 3D view of part.stl', 'part.stl'],
      ['citing/cite-dialog.tsx', more, /cite/i, 'Cite this'],
      ['collections/save-dialog.tsx', /^Save$/, 'Save to a collection'],
      ['follows/follow-dialog.tsx', more, 'Follow', 'Follow solution, author or tags'],
      ['members/report-dialog.tsx', more, /Report/, 'Report solution'],
      ['withdrawals/delete-dialog.tsx', more, 'Delete solution', 'Delete solution'],
      ['members/message-dialog.tsx', 'Message Author', /Message/],
      ['safety-notices/safety-dialog.tsx', more, 'Safety notice', 'Add a safety notice'],
      ['safety-notices/part-notice-dialog.tsx', more, 'Safety notice on a part', 'Safety notice on a part'],
      ['comments/discussion.tsx', 'Delete comment by Grace Test', 'Delete comment'],
      ['trials/trial-item.tsx', 'Delete trial report by Grace Test', 'Delete trial report'],
    ]);
    await walk(admin, `/solutions/${ids.pending}`, [
      ['review/reject-dialog.tsx', /^Reject$/, 'Reject Solution'],
    ]);
    await passThrough(admin);
    await walk(admin, `/solutions/${ids.pictured}`, [
      [
        'media-viewer/lightbox.tsx',
        admin.getByRole('link', { name: /^Show full size/ }).first(),
        admin.locator('.yarl__portal'),
      ],
    ]);
    await walk(admin, '/browse?q=strap', [
      ['withdrawals/delete-dialog.tsx', /^Delete A strap/, 'Delete solution'],
    ]);
    await passThrough(admin);
  });

  it('of members, messages, the forum and resources', async () => {
    await walk(admin, '/members/grace', [
      ['members/message-dialog.tsx', 'Message', /Message/],
      ['members/report-dialog.tsx', 'Report', /Report/],
    ]);
    const aboutGrace = 'More about the conversation with Grace Test';
    await walk(admin, '/messages', [
      ['messages/reply-dialog.tsx', 'Reply to Grace Test', /Reply/],
      ['messages/use-messages.ts', 'Delete message from Grace Test', 'Delete message'],
      ['members/report-dialog.tsx', 'Report message from Grace Test', /^Report/],
      ['members/use-blocks.ts', aboutGrace, /^Block/, 'Block Grace Test'],
      ['messages/compose-dialog.tsx', 'New message', 'New message'],
    ]);
    await walk(admin, '/forum', [['forum/topic-dialog.tsx', 'New Topic', /Topic/]]);
    await walk(admin, `/forum/${ids.topic}`, [
      ['forum/topic-dialog.tsx', /^Edit/, /topic/i],
      ['members/report-dialog.tsx', 'Report reply by Grace Test', /report/i],
      ['forum-topic/delete-content.tsx', 'Delete reply by Grace Test', 'Delete reply'],
      ['topic-outcome/summary-dialog.tsx', 'Write a summary', 'Write a summary'],
      ['post-images/post-images.tsx', 'Remove images', 'Remove images'],
    ]);
    await passThrough(admin);
    await site.change('forum_topics', { id: ids.topic }, { summary: 'Webbing.', summary_at: new Date() });
    await walk(admin, `/forum/${ids.topic}`, [
      ['topic-outcome/topic-outcome.tsx', 'Remove summary', 'Remove summary'],
    ]);
    await walk(admin, '/resources', [
      ['resources/suggest-dialog.tsx', 'Suggest a resource', 'Suggest a resource'],
    ]);
  });

  it('on the pages of versions, collections and the CPD record', async () => {
    const { author: user_id, solution } = ids;
    const title = 'A strap to walk further with';
    await shareSolution(site.service(), { user_id, title, revises: solution });
    await site.insert('held_posts', { user_id, solution_id: solution, content: 'Which liner?' });
    await walk(author, `/solutions/${solution}`, [
      ['review/revision-banner.tsx', 'Discard new version', 'Discard new version'],
      ['audience/narrow-dialog.tsx', more, 'Who can see it', 'Who can see it: Everyone'],
      ['held-posts/held-posts.tsx', 'Withdraw your post', 'Withdraw post'],
    ]);
    const [{ solution_id }] = await site.rows('solution_versions', 'solution_id', { version: 2 });
    await walk(admin, `/solutions/${solution_id}/versions/1`, [
      ['versions/remove-version.tsx', 'Remove the text of this version', 'Remove version'],
    ]);
    await site.insert('solution_translations', {
      solution_id,
      version: 1,
      language: 'es',
      status: 'approved',
      texts: { title: 'Una correa', description: 'Una correa que no roza.' },
    });
    await walk(admin, `/solutions/${solution_id}/translations/es`, [
      ['translations/translation-card.tsx', 'Delete this translation', 'Delete translation'],
    ]);
    const collection = await site.insert('collections', { user_id, title: 'Straps' });
    await walk(author, `/collections/${collection}`, [
      ['collections/title-dialog.tsx', 'Rename', 'Rename collection'],
      ['collections/collection-page.tsx', 'Delete collection', 'Delete collection'],
    ]);
    const entry = { activity: 'read', subject: 'Straps', day: '2026-01-01', minutes: 5 };
    await site.insert('cpd_entries', { user_id, ...entry });
    await walk(author, '/cpd', [
      ['cpd/entry-dialog.tsx', 'Edit Straps', 'Edit entry'],
      ['cpd/cpd-page.tsx', 'Delete Straps', 'Delete entry'],
    ]);
    await passThrough(author);
    await author.getByText('For an audit', { exact: true }).click();
    await walkHere(author, ['cpd/gap-dialog.tsx', /^Explain the gap/, 'Explain the gap']);
  });

  it('of the dashboard', async () => {
    await walk(admin, '/admin?tab=reports', [
      ['reports/respond-dialog.tsx', /^Respond/, 'Respond to Report'],
      ['reports/report-item.tsx', /^Dismiss/, 'Dismiss report'],
      ['reports/delete-dialog.tsx', more, 'Delete Content', 'Delete Content'],
      ['member-management/sanction-dialog.tsx', /^Sanction/, /^Sanction/],
    ]);
    const { author: user_id } = ids;
    const shared = await site.insert('collections', { user_id, title: 'Cuffs', is_shared: true });
    await site.remove('content_reports', { status: 'pending' });
    await report(user_id, 'collection', shared);
    await walk(admin, '/admin?tab=reports', [
      ['reports/stop-sharing-dialog.tsx', more, 'Stop sharing', 'Stop sharing'],
    ]);
    await walk(admin, '/admin?tab=resources', [['review/reject-dialog.tsx', /^Reject$/, 'Reject resource']]);
    await site.insert('staff_notes', { about_id: user_id, content: 'New to the site', created_by: user_id });
    await walk(admin, '/admin?tab=posts', [
      ['review/review-case.tsx', /^Decline$/, 'Decline post'],
      ['staff-notes/staff-notes.tsx', 'Remove note by Grace Test', 'Remove note'],
    ]);
    await walk(admin, '/admin?tab=images', [['review/review-case.tsx', /^Decline$/, 'Remove images']]);
    await walk(admin, '/admin?tab=removal-requests', [
      ['removal-requests/answer-dialog.tsx', more, 'Remove permanently', 'Remove permanently'],
    ]);
    await walk(admin, '/admin?tab=users', [
      ['member-management/account-dialog.tsx', 'Change Grace Test', 'Account of Grace Test', 'Account'],
      ['member-management/member-roles.tsx', 'Change Grace Test', 'Make Moderator', 'Make Moderator'],
      ['staff-notes/notes-dialog.tsx', 'Change Grace Test', 'Notes on Grace Test', 'Notes'],
    ]);
    await admin.goto('/admin?tab=settings');
    const invitation = admin.getByRole('form', { name: 'Invitation' });
    await invitation.getByLabel('Email').fill('kofi@elsewhere.example');
    await invitation.getByRole('button').click();
    await admin.getByRole('list', { name: 'Pending invitations' }).waitFor();
    await walk(admin, '/admin?tab=settings', [
      ['site-settings/register-dialog.tsx', 'Edit HCPC', 'Edit HCPC'],
      ['site-settings/registers.tsx', 'Retire HCPC', 'Retire HCPC'],
      ['site-settings/invitations.tsx', /^Withdraw the invitation/, 'Withdraw the invitation'],
    ]);
    await site.insert('member_registrations', { user_id, register: 'HCPC', number: 'PO00000' });
    await admin.goto('/admin?tab=registrations');
    await button(admin, /Grace Test/).click();
    await walkHere(admin, ['review/reject-dialog.tsx', /^Decline$/, 'Decline registration']);
    await site.insert('user_roles', { user_id, role: 'moderator' });
    await walk(author, '/admin', [['member-management/use-role-removal.ts', /moderator/i, /./]]);
    await site.remove('user_roles', { user_id });
  });

  it('of one’s own profile and of the form for solutions', async () => {
    const buffer = await phonePicture('jpeg', 600, 400);
    const picture = { name: 'bench.jpg', mimeType: 'image/jpeg', buffer };
    await author.goto('/upload');
    await author.locator('input[type=file][multiple]').setInputFiles([picture]);
    await walkHere(author, ['media-upload/mask-dialog.tsx', 'Hide details in bench.jpg', /Hide details/]);
    // The device keeps that picture, and signing out asks about it.
    await walk(author, '/profile', [
      ['user-menu/sign-out-dialog.tsx', /^Your account/, 'Sign out', 'Sign out'],
    ]);
    await button(author, 'Edit profile').click();
    const file = author.locator('input[type=file]');
    await file.focus();
    await file.setInputFiles(picture);
    walked.add('own-profile/crop-dialog.tsx');
    await dialogOf(author, 'Crop your photo').waitFor();
    await author.keyboard.press('Escape');
    await dialogOf(author, 'Crop your photo').waitFor({ state: 'detached' });
    await expectFocus(file);
  });

  it('of menus and drawers', async () => {
    await author.goto('/browse');
    await author.waitForLoadState('networkidle');
    for (const [opener, within] of [
      [button(author, 'Menu'), author.getByRole('button', { name: 'Close menu' })],
      [button(author, /^Filters/), author.getByRole('button', { name: 'Close filters' })],
      [button(author, /^Your account/), author.getByRole('menuitem', { name: 'Profile' })],
    ] as const) {
      await opener.focus();
      await author.keyboard.press('Enter');
      await within.waitFor();
      await author.keyboard.press('Escape');
      await within.waitFor({ state: 'hidden' });
      await expectFocus(opener);
    }
  });

  // The last pages of the author: an interception costs each page the scripts that the browser has kept of the one before.
  it('of one’s own account', async () => {
    await author.route('**/auth/v1/passkeys', (route) =>
      route.fulfill({
        json: [{ id: '1', friendly_name: 'Work laptop', created_at: '2026-11-01T09:00:00Z' }],
      }),
    );
    await walk(author, '/settings', [
      ['registrations/registration-settings.tsx', 'Remove registration', 'Remove registration'],
      ['settings/passkeys.tsx', 'Remove Work laptop', 'Remove passkey'],
      ['settings/delete-dialog.tsx', 'Delete my account', 'Delete my account'],
      ['settings/second-step-dialog.tsx', 'Set up two-step sign-in', 'Set up two-step sign-in'],
    ]);
    await passThrough(author);
    // The opener leaves the page once it has done its work.
    await button(author, 'Set up two-step sign-in').press('Enter');
    await confirmSecondStep(dialogOf(author, 'Set up two-step sign-in'));
    await dialogOf(author, 'Your recovery codes').waitFor();
    await author.keyboard.press('Escape');
    await expectFocus(author.getByRole('heading', { name: /two-step/i }));
    const off = 'Turn off two-step sign-in';
    await walkHere(author, ['settings/second-step.tsx', off, off]);
  });

  afterAll(() => {
    const dialogs = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        /\.tsx?$/.test(name) &&
        /<(Dialog|ConfirmDialog|Lightbox)\b|\buseConfirmedAction\(/.test(readFileSync(`app/${name}`, 'utf8')),
    );
    // These two come by themselves, without a press: tests/e2e/accounts walks through them.
    const unasked = ['sign-in/profile-needed-dialog.tsx', 'sign-in/session-ended-dialog.tsx'];
    expect(
      dialogs
        .filter((path) => !/^(ui|frame\/act)\//.test(path))
        .map((path) => path.split('/').slice(-2).join('/'))
        .filter((name) => !unasked.includes(name) && !walked.has(name)),
    ).toEqual([]);
  });
});

describe('what had the focus is gone', () => {
  const confirm = async (page: Page) => {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
  };

  it('with a row: the focus is in the next one, and at the end of the list in the last', async () => {
    await admin.goto('/messages');
    for (const [removed, next] of [
      ['Two', 'Three'],
      ['Three', 'One'],
    ]) {
      await admin
        .getByRole('article', { name: removed })
        .getByRole('button', { name: /^Delete/ })
        .press('Enter');
      await confirm(admin);
      await admin.getByRole('article', { name: removed }).waitFor({ state: 'detached' });
      await expect
        .poll(() =>
          admin
            .getByRole('article', { name: next })
            .evaluate(
              (row) => row.contains(document.activeElement) && document.activeElement !== document.body,
            ),
        )
        .toBe(true);
    }
    await admin.getByRole('button', { name: /^Delete/ }).press('Enter');
    await confirm(admin);
    await admin.getByText('No messages yet').waitFor();
    await expect.poll(() => focused(admin)).not.toBe('nothing');
  });

  it('with a comment, a chip, a chosen file or a whole page', async () => {
    await admin.goto(`/solutions/${ids.solution}`);
    await admin
      .getByRole('button', { name: /^Delete comment/ })
      .first()
      .press('Enter');
    await confirm(admin);
    await admin.getByRole('listitem').filter({ hasText: 'Three' }).waitFor({ state: 'detached' });
    await expect
      .poll(() =>
        admin.evaluate(() => document.activeElement?.closest('li')?.id.startsWith('comment-') ?? false),
      )
      .toBe(true);

    await admin.goto('/browse?filter=Carbon+Fiber&filter=Titanium');
    await admin.waitForLoadState('networkidle');
    await admin.getByRole('link', { name: 'Remove Carbon Fiber' }).press('Enter');
    await admin.getByRole('link', { name: 'Remove Carbon Fiber' }).waitFor({ state: 'detached' });
    await expectFocus(admin.getByRole('link', { name: 'Remove Titanium' }));

    await admin.goto('/upload');
    await passThrough(admin);
    await admin
      .locator('input[type=file][multiple]')
      .setInputFiles(
        ['a.jpg', 'b.jpg'].map((name) => ({ name, mimeType: 'image/jpeg', buffer: Buffer.from('x') })),
      );
    await admin.getByRole('button', { name: 'Options for a.jpg' }).press('Enter');
    await admin.getByRole('menuitem', { name: 'Remove' }).press('Enter');
    await expect
      .poll(() =>
        admin.evaluate(() => document.activeElement?.closest('li')?.textContent?.includes('b.jpg') ?? false),
      )
      .toBe(true);

    await admin.goto(`/solutions/${ids.solution}`);
    await button(admin, more).press('Enter');
    await admin.getByRole('menuitem', { name: 'Delete solution' }).press('Enter');
    await confirm(admin);
    await admin.waitForURL('/browse');
    await expectFocus(admin.getByRole('heading', { level: 1 }));
  });

  it('but what a reader left on purpose stays left', async () => {
    await author.goto('/forum');
    // The header's script has come by then, and notices the removal.
    await button(author, /^Your account/).waitFor();
    await author.getByRole('button', { name: 'Menu' }).focus();
    await author.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    await author.evaluate(() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve))));
    await author.evaluate(() => document.querySelector('header button')?.remove());
    await author.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await focused(author)).toBe('nothing');
  });
});

describe('every form', () => {
  it('is passed through by key from end to end, and nothing in it breaks', async () => {
    const visitor = await site.person();
    for (const [page, address] of [
      [visitor, '/auth'],
      [visitor, `/solutions/${ids.pictured}/removal-request`],
      [visitor, '/evidence'],
      [admin, '/admin?tab=audit'],
    ] as const) {
      await page.goto(address);
      await passThrough(page);
    }
  });
});
