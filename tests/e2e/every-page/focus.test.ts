import { readdirSync, readFileSync } from 'node:fs';
import { Secret, TOTP } from 'otpauth';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { phonePicture } from '../../media/files.ts';
import { shareSolution } from '../../solution.ts';
import { openSite, signIn } from '../site.ts';

const site = openSite({ demo: true });
const ids = { solution: '', pictured: '', pending: '', topic: '', author: '' };
const walked = new Set<string>();
let admin: Page;
let author: Page;

/** One row, inserted without the interface. */
async function insertRow(table: string, row: Record<string, unknown>): Promise<string> {
  const { data, error } = await site.service().from(table).insert(row).select('id').single();
  if (error) throw error;
  return String(data.id);
}
const comment = (content: string) =>
  insertRow('comments', { solution_id: ids.solution, user_id: ids.author, content });
const isFocused = (element: Locator) => element.evaluate((one) => one === document.activeElement);
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return at === document.body
      ? 'nothing'
      : `${at?.tagName}: ${at?.textContent?.trim().replaceAll(/\s+/g, ' ')}`;
  });
const expectFocus = (element: Locator) => expect.poll(() => isFocused(element)).toBe(true);

interface Walk {
  /** The file of the dialog. */
  file: string;
  opener: Locator;
  dialog: Locator;
  /** The control between the opener and the dialog, for example an entry of a menu. */
  between?: () => Promise<unknown>;
}

/**
 * Opens a dialog by key, checks that it has the focus, leaves it by Escape, and checks that the focus is
 * back.
 */
async function walk(page: Page, { file, opener, dialog, between }: Walk) {
  walked.add(file);
  for (const close of ['Escape', 'Close']) {
    await opener.focus();
    await page.keyboard.press('Enter');
    await between?.();
    await dialog.waitFor();
    await expect.poll(() => dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
    if (close === 'Escape') await page.keyboard.press('Escape');
    else
      await dialog
        .getByRole('button', { name: /^(Close|I have kept them)$/ })
        .first()
        .press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(opener), { message: `${file}, left by ${close}` }).toBe(true);
  }
}
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();

beforeAll(async () => {
  const { id: adminId, email } = await site.member('Walker', 'admin');
  ids.author = (await site.member('Grace')).id;
  const share = (title: string, status: string) =>
    shareSolution(site.service(), { user_id: ids.author, title, status });
  ids.solution = await share('A strap to walk with', 'approved');
  ids.pending = await share('A strap to wait with', 'pending');
  ids.topic = await insertRow('forum_topics', { title: 'Straps that last', user_id: adminId });
  const post = await insertRow('forum_posts', {
    topic_id: ids.topic,
    user_id: ids.author,
    content: 'Webbing does.',
  });
  for (const content of ['One', 'Two', 'Three']) {
    await comment(content);
    await insertRow('messages', { sender_id: ids.author, recipient_id: adminId, subject: content, content });
  }
  const trial = await insertRow('solution_trials', {
    solution_id: ids.solution,
    version: 1,
    user_id: ids.author,
    result: 'worked',
    amputation_level: 'Partial Foot',
    age_group: 'Adults',
    prosthesis_type: 'Passive',
  });
  await insertRow('solution_files', {
    solution_id: ids.solution,
    position: 0,
    file_url: '/storage/v1/object/public/solution-media/none/part.stl',
    file_name: 'part.stl',
    file_type: 'stl',
    byte_size: 684,
    facts: { triangles: 12, dimensions: [20, 20, 20] },
    previews: [],
    page_texts: [],
  });
  await site.service().from('solution_trials').update({ status: 'approved' }).eq('id', trial).throwOnError();
  await insertRow('content_reports', {
    reporter_id: adminId,
    content_type: 'post',
    content_id: post,
    reason: 'Names a patient',
  });
  const { data } = await site
    .service()
    .from('solution_media')
    .select('solution_id,solutions!inner(status)')
    .eq('media_type', 'image')
    .eq('position', 0)
    .eq('solutions.status', 'approved')
    .limit(1)
    .single()
    .throwOnError();
  ids.pictured = data?.solution_id;
  await site
    .service()
    .rpc('request_removal', {
      tracking: '00000000-0000-4000-8000-000000000001',
      solution: ids.pictured,
      asker: 'patient',
      reason: 'That is my arm.',
    })
    .throwOnError();
  admin = await site.signedIn(email);
  author = await site.person({ width: 360 });
  await signIn(author, 'grace@clinic.example');
});

describe('every dialog gives the focus back to what opened it', () => {
  it('on the page of a solution', async () => {
    await admin.goto(`/solutions/${ids.solution}`);
    await walk(admin, {
      file: 'solution-page/share-dialog.tsx',
      opener: button(admin, 'Share'),
      dialog: dialogOf(admin, 'Share this solution'),
    });
    await walk(admin, {
      file: 'file-viewer/model-dialog.tsx',
      opener: button(admin, 'Open 3D view of part.stl'),
      dialog: dialogOf(admin, 'part.stl'),
    });
    await walk(admin, {
      file: 'versions/cite-dialog.tsx',
      opener: button(admin, 'Cite this'),
      dialog: dialogOf(admin, /cite/i),
    });
    await walk(admin, {
      file: 'collections/save-dialog.tsx',
      opener: button(admin, /^Save$/),
      dialog: dialogOf(admin, 'Save to a collection'),
    });
    await walk(admin, {
      file: 'follows/follow-dialog.tsx',
      opener: button(admin, 'Follow solution, author or tags'),
      dialog: dialogOf(admin, 'Follow'),
    });
    await walk(admin, {
      file: 'members/report-dialog.tsx',
      opener: button(admin, 'Report solution'),
      dialog: dialogOf(admin, /Report/),
    });
    await walk(admin, {
      file: 'withdrawals/delete-dialog.tsx',
      opener: button(admin, 'Delete solution'),
      dialog: dialogOf(admin, 'Delete solution'),
    });
    await walk(admin, {
      file: 'members/message-dialog.tsx',
      opener: button(admin, 'Message Author'),
      dialog: dialogOf(admin, /Message/),
    });
    await walk(admin, {
      file: 'safety-notices/safety-dialog.tsx',
      opener: button(admin, 'Add a safety notice'),
      dialog: dialogOf(admin, 'Safety notice'),
    });
    await walk(admin, {
      file: 'comments/discussion.tsx',
      opener: button(admin, 'Delete comment by Grace Test'),
      dialog: dialogOf(admin, 'Delete comment'),
    });
    await walk(admin, {
      file: 'trials/trial-item.tsx',
      opener: button(admin, 'Delete trial report by Grace Test'),
      dialog: dialogOf(admin, 'Delete trial report'),
    });
    await admin.goto(`/solutions/${ids.pending}`);
    await walk(admin, {
      file: 'review/reject-dialog.tsx',
      opener: button(admin, /^Reject$/),
      dialog: dialogOf(admin, 'Reject Solution'),
    });
    await admin.goto(`/solutions/${ids.pictured}`);
    await walk(admin, {
      file: 'media-viewer/lightbox.tsx',
      opener: button(admin, 'Show full size'),
      dialog: admin.locator('.yarl__portal'),
    });
    await admin.goto('/browse?q=strap');
    await walk(admin, {
      file: 'withdrawals/delete-dialog.tsx',
      opener: button(admin, /^Delete A strap/),
      dialog: dialogOf(admin, 'Delete solution'),
    });
  });

  it('of members, messages, the forum and resources', async () => {
    await admin.goto('/members/grace');
    await walk(admin, {
      file: 'members/message-dialog.tsx',
      opener: button(admin, 'Message'),
      dialog: dialogOf(admin, /Message/),
    });
    await walk(admin, {
      file: 'members/report-dialog.tsx',
      opener: button(admin, 'Report'),
      dialog: dialogOf(admin, /Report/),
    });
    await admin.goto('/messages');
    await walk(admin, {
      file: 'messages/reply-dialog.tsx',
      opener: button(admin, 'Reply to Grace Test'),
      dialog: dialogOf(admin, /Reply/),
    });
    await walk(admin, {
      file: 'messages/conversation.tsx',
      opener: button(admin, 'Delete message from Grace Test'),
      dialog: dialogOf(admin, 'Delete message'),
    });
    await walk(admin, {
      file: 'members/report-dialog.tsx',
      opener: button(admin, 'Report message from Grace Test'),
      dialog: dialogOf(admin, /^Report/),
    });
    await walk(admin, {
      file: 'messages/conversation.tsx',
      opener: button(admin, 'More about the conversation with Grace Test'),
      between: () => admin.getByRole('menuitem', { name: 'Block Grace Test' }).press('Enter'),
      dialog: dialogOf(admin, /^Block/),
    });
    await walk(admin, {
      file: 'messages/compose-dialog.tsx',
      opener: button(admin, 'New message'),
      dialog: dialogOf(admin, 'New message'),
    });
    await admin.goto('/forum');
    await walk(admin, {
      file: 'forum/topic-dialog.tsx',
      opener: button(admin, 'New Topic'),
      dialog: dialogOf(admin, /Topic/),
    });
    await admin.goto(`/forum/${ids.topic}`);
    await walk(admin, {
      file: 'forum/topic-dialog.tsx',
      opener: button(admin, /^Edit/),
      dialog: dialogOf(admin, /topic/i),
    });
    await walk(admin, {
      file: 'members/report-dialog.tsx',
      opener: button(admin, 'Report reply by Grace Test'),
      dialog: dialogOf(admin, /Report/),
    });
    await walk(admin, {
      file: 'forum-topic/delete-content.tsx',
      opener: button(admin, 'Delete reply by Grace Test'),
      dialog: dialogOf(admin, 'Delete reply'),
    });
    await admin.goto('/resources');
    await walk(admin, {
      file: 'resources/suggest-dialog.tsx',
      opener: button(admin, 'Suggest a Resource'),
      dialog: dialogOf(admin, 'Suggest a Resource'),
    });
  });

  it('on the pages of versions, collections and the CPD record', async () => {
    await shareSolution(site.service(), {
      user_id: ids.author,
      title: 'A strap to walk further with',
      revises: ids.solution,
    });
    await author.goto(`/solutions/${ids.solution}`);
    await walk(author, {
      file: 'review/revision-banner.tsx',
      opener: button(author, 'Discard new version'),
      dialog: dialogOf(author, 'Discard new version'),
    });
    const { data } = await site
      .service()
      .from('solution_versions')
      .select('solution_id')
      .eq('version', 2)
      .limit(1)
      .single()
      .throwOnError();
    await admin.goto(`/solutions/${data?.solution_id}/versions/1`);
    await walk(admin, {
      file: 'versions/remove-version.tsx',
      opener: button(admin, 'Remove the text of this version'),
      dialog: dialogOf(admin, 'Remove version'),
    });
    await author.goto(`/solutions/${ids.solution}`);
    await walk(author, {
      file: 'audience/narrow-dialog.tsx',
      opener: button(author, 'Show to fewer people'),
      dialog: dialogOf(author, 'Who can see it'),
    });
    const collection = await insertRow('collections', { user_id: ids.author, title: 'Straps' });
    await author.goto(`/collections/${collection}`);
    await walk(author, {
      file: 'collections/rename-dialog.tsx',
      opener: button(author, 'Rename'),
      dialog: dialogOf(author, 'Rename collection'),
    });
    await walk(author, {
      file: 'collections/collection-page.tsx',
      opener: button(author, 'Delete collection'),
      dialog: dialogOf(author, 'Delete collection'),
    });
    await insertRow('cpd_entries', {
      user_id: ids.author,
      activity: 'read',
      subject: 'Straps',
      day: '2026-01-01',
      minutes: 5,
    });
    await author.goto('/cpd');
    await walk(author, {
      file: 'cpd/entry-dialog.tsx',
      opener: button(author, 'Edit Straps'),
      dialog: dialogOf(author, 'Edit entry'),
    });
    await walk(author, {
      file: 'cpd/cpd-page.tsx',
      opener: button(author, 'Delete Straps'),
      dialog: dialogOf(author, 'Delete entry'),
    });
  });

  it('of a registration, and of its check', async () => {
    await insertRow('member_registrations', {
      user_id: ids.author,
      register: 'HCPC',
      number: 'PO00000',
    });
    await author.goto('/settings');
    await walk(author, {
      file: 'registrations/registration-settings.tsx',
      opener: button(author, 'Remove registration'),
      dialog: dialogOf(author, 'Remove registration'),
    });
    await admin.goto('/admin?tab=registrations');
    await admin
      .getByRole('button', { name: /Grace Test/ })
      .first()
      .click();
    await walk(admin, {
      file: 'review-queue/decline-dialog.tsx',
      opener: button(admin, /^Decline$/),
      dialog: dialogOf(admin, 'Decline registration'),
    });
  });

  it('of the dashboard', async () => {
    await admin.goto('/admin?tab=reports');
    for (const [file, opener, name] of [
      ['reports/respond-dialog.tsx', /^Respond/, 'Respond to Report'],
      ['reports/delete-dialog.tsx', /^Delete/, /^Delete/],
      ['member-management/sanction-dialog.tsx', /^Sanction/, /^Sanction/],
    ] as const)
      await walk(admin, { file, opener: button(admin, opener), dialog: dialogOf(admin, name) });
    const shared = await insertRow('collections', { user_id: ids.author, title: 'Cuffs', is_shared: true });
    await site.service().from('content_reports').delete().eq('status', 'pending').throwOnError();
    await insertRow('content_reports', {
      reporter_id: ids.author,
      content_type: 'collection',
      content_id: shared,
      reason: 'Names a patient',
    });
    await admin.goto('/admin?tab=reports');
    await walk(admin, {
      file: 'reports/stop-sharing-dialog.tsx',
      opener: button(admin, /^Stop sharing/),
      dialog: dialogOf(admin, 'Stop sharing'),
    });
    await admin.goto('/admin?tab=removal-requests');
    await walk(admin, {
      file: 'removal-requests/answer-dialog.tsx',
      opener: button(admin, /^Remove permanently/),
      dialog: dialogOf(admin, /./),
    });
    const moderator = await site.signedIn((await site.member('Stepper', 'moderator')).email);
    await moderator.goto('/admin');
    await walk(moderator, {
      file: 'member-management/remove-role-dialog.tsx',
      opener: button(moderator, /moderator/i),
      dialog: dialogOf(moderator, /./),
    });
  });

  it('of one’s own account and of the form for solutions', async () => {
    await author.goto('/settings');
    await walk(author, {
      file: 'settings/delete-dialog.tsx',
      opener: button(author, 'Delete my account'),
      dialog: dialogOf(author, 'Delete my account'),
    });
    const setUp = button(author, 'Set up two-step sign-in');
    const enrolment = dialogOf(author, 'Set up two-step sign-in');
    await walk(author, { file: 'settings/second-step-dialog.tsx', opener: setUp, dialog: enrolment });
    // The opener leaves the page once it has done its work.
    await setUp.press('Enter');
    const secret = (await enrolment.locator('p.font-mono').textContent()) ?? '';
    await enrolment.getByLabel('Code').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await enrolment.getByRole('button', { name: 'Confirm' }).press('Enter');
    await dialogOf(author, 'Your recovery codes').waitFor();
    await author.keyboard.press('Escape');
    await expectFocus(author.getByRole('heading', { name: /two-step/i }));
    await walk(author, {
      file: 'settings/second-step.tsx',
      opener: button(author, 'Turn off two-step sign-in'),
      dialog: dialogOf(author, 'Turn off two-step sign-in'),
    });

    const picture = {
      name: 'bench.jpg',
      mimeType: 'image/jpeg',
      buffer: await phonePicture('jpeg', 600, 400),
    };
    await author.goto('/upload');
    await author.locator('input[type=file][multiple]').setInputFiles([picture]);
    await walk(author, {
      file: 'media-upload/mask-dialog.tsx',
      opener: button(author, 'Hide details in bench.jpg'),
      dialog: dialogOf(author, /Hide details/),
    });
    // The device keeps that picture, and signing out asks about it.
    await author.goto('/profile');
    await walk(author, {
      file: 'user-menu/sign-out-dialog.tsx',
      opener: button(author, /^Your account/),
      between: () => author.getByRole('menuitem', { name: 'Sign out', exact: true }).press('Enter'),
      dialog: dialogOf(author, 'Sign out'),
    });
    await button(author, 'Edit profile').click();
    const file = author.locator('input[type=file]');
    await file.focus();
    await file.setInputFiles(picture);
    walked.add('account/crop-dialog.tsx');
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

  afterAll(() => {
    const dialogs = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        name.endsWith('.tsx') &&
        /<(Dialog|ConfirmDialog|Lightbox)\b/.test(readFileSync(`app/${name}`, 'utf8')),
    );
    // These two come by themselves, without a press: tests/e2e/accounts walks through them.
    const unasked = ['sign-in/profile-needed-dialog.tsx', 'sign-in/session-ended-dialog.tsx'];
    expect(
      dialogs
        .filter((path) => !path.startsWith('ui/'))
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
    await admin.getByRole('button', { name: 'Delete solution' }).press('Enter');
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
      [visitor, '/browse'],
      [visitor, '/evidence'],
      [admin, '/cpd'],
      [admin, '/upload'],
      [admin, '/settings'],
      [admin, `/forum/${ids.topic}`],
      [admin, `/solutions/${ids.pending}`],
      [admin, '/admin?tab=audit'],
    ] as const) {
      await page.goto(address);
      await page.waitForLoadState('networkidle');
      const title = await page.getByRole('heading', { level: 1 }).textContent();
      await page.locator('main').focus();
      const controls = await page.locator('main :is(input, select, textarea, button, a)').count();
      for (let pressed = 0; pressed < controls; pressed += 1) await page.keyboard.press('Tab');
      expect(await page.getByRole('heading', { level: 1 }).textContent(), address).toBe(title);
      expect(await page.getByRole('alert').count(), address).toBe(0);
    }
  });
});
