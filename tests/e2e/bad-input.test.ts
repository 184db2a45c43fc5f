import { createClient } from '@supabase/supabase-js';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { phonePicture } from '../media/files.ts';
import { SOLUTION, shareSolution } from '../solution.ts';
import { openSite, PASSWORD } from './site.ts';

const site = openSite();
const MEGABYTE = 1024 * 1024;

let page: Page;
let memberId: string;
let solutionId: string;

const valid = {
  ...SOLUTION,
  title: 'A title that is long enough',
  materials: [] as string[],
  custom_tags: [] as string[],
};

beforeAll(async () => {
  const member = await site.member('Amara');
  memberId = member.id;
  solutionId = await shareSolution(site.service(), { ...valid, user_id: memberId, status: 'approved' });
  page = await site.signedIn(member.email);
});

const stored = async () => (await site.service().from('solutions').select('id')).data?.length;

describe('the submission form', () => {
  it('names every missing field at once, with the specified messages, and stores nothing', async () => {
    await page.goto('/upload');
    await page.getByRole('button', { name: 'Submit for review' }).click();
    const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
    for (const message of [
      'Title must be at least 10 characters',
      'Description must be at least 50 characters',
      'Please select a function',
      'Please select amputation level',
      'Please select at least one age group',
      'Please select prosthesis type',
      'Please select cost range',
    ]) {
      await summary.getByText(message).waitFor();
    }
    expect(await stored()).toBe(1);
  });

  it('counts characters after trimming, and keeps what was typed', async () => {
    await page.getByLabel('Title', { exact: true }).fill('  nine char      ');
    await page.getByLabel('Description', { exact: true }).fill('x'.repeat(49));
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByRole('link', { name: 'Title must be at least 10 characters' }).waitFor();
    await page.getByRole('link', { name: 'Description must be at least 50 characters' }).waitFor();
    expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe('x'.repeat(49));
    expect(await stored()).toBe(1);
  });

  it.each([
    [
      'Invalid Video Format',
      'clip.mov: Only MP4 and WebM videos are accepted.',
      'clip.mov',
      'video/quicktime',
      100,
    ],
    ['Image Too Large', 'huge.jpg: Images must be under 10MB.', 'huge.jpg', 'image/jpeg', 10 * MEGABYTE],
  ])(
    'refuses a file with "%s" and its name, and takes the others',
    async (heading, text, name, mimeType, size) => {
      await page.goto('/upload');
      await page.locator('input[type=file][multiple]').evaluate(
        (input: HTMLInputElement, file) => {
          const transfer = new DataTransfer();
          transfer.items.add(
            new File([new Uint8Array(file.size)], file.name, {
              type: file.mimeType,
            }),
          );
          transfer.items.add(new File([Uint8Array.from(file.picture)], 'fine.jpg', { type: 'image/jpeg' }));
          input.files = transfer.files;
          input.dispatchEvent(new Event('change', { bubbles: true }));
        },
        { name, mimeType, size, picture: [...(await phonePicture('jpeg', 120, 80))] },
      );
      await page.getByText(heading).first().waitFor();
      await page.getByText(text).first().waitFor();
      await page.getByText('fine.jpg').first().waitFor();
    },
  );

  it('trims tags and ignores empty and repeated ones', async () => {
    await page.goto('/upload');
    const tags = page.getByLabel('Custom tags');
    for (const typed of ['  trail  ', '', '   ', 'trail', 'winter']) {
      await tags.fill(typed);
      await tags.press('Enter');
    }
    const chips = page.getByRole('listitem').getByRole('button', { name: /trail|winter/ });
    expect(await chips.count()).toBe(2);
  });
});

describe('without signing in', () => {
  it('the form sends to sign-in, likes and comments say why they cannot be taken', async () => {
    const visitor = await site.person();
    await visitor.goto(`/solutions/${solutionId}`);
    await visitor.getByRole('button', { name: /like this solution/ }).click();
    await visitor.getByText('Sign in required').first().waitFor();
    await visitor.waitForURL(/\/auth/);
    await visitor.goBack();
    await visitor.getByRole('textbox', { name: 'Comment' }).fill('Hello');
    await visitor.getByRole('button', { name: 'Post comment' }).click();
    await visitor.getByText('Please sign in to comment').waitFor();
    await visitor.waitForURL(/\/auth/);
    await visitor.goBack();
    expect(await visitor.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('Hello');
    await visitor.goto('/upload');
    await visitor.getByText('Authentication Required').first().waitFor();
    await visitor.waitForURL(/\/auth/);
  });
});

describe('a blank comment', () => {
  it('is not sent', async () => {
    await page.goto(`/solutions/${solutionId}`);
    await page.getByRole('textbox', { name: 'Comment' }).fill('   ');
    await page.getByRole('button', { name: 'Post comment' }).click();
    await page.getByRole('textbox', { name: 'Comment' }).fill('A real one');
    await page.getByRole('button', { name: 'Post comment' }).click();
    await page.getByText('Comment posted successfully').waitFor();
    expect((await site.service().from('comments').select('content')).data).toEqual([
      { content: 'A real one' },
    ]);
  });
});

describe('straight at the API', () => {
  const client = () =>
    createClient(site.url(), site.instance().anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
  const signedIn = async () => {
    const member = client();
    await member.auth.signInWithPassword({ email: 'amara@clinic.example', password: PASSWORD });
    return member;
  };

  it.each([
    ['Title must be at least 10 characters', { title: 'Nine char' }],
    ['Title must be at least 10 characters', { title: '          ' }],
    ['Description must be at least 50 characters', { description: 'x'.repeat(49) }],
    ['Please select a function', { occupation: 'Flying' }],
    ['Please select amputation level', { amputation_level: '' }],
    ['Please select at least one age group', { age_group: '' }],
    ['Please select prosthesis type', { prosthesis_type: 'Wooden' }],
    ['Please select cost range', { cost_range: 'Free' }],
    ['Materials must be chosen from the list', { materials: ['Gold'] }],
    ['Tags must be at most 20, each of 1 to 40 characters', { custom_tags: ['bow', 'bow'] }],
    ['Tags must be at most 20, each of 1 to 40 characters', { custom_tags: [' bow'] }],
  ])('a solution is refused with "%s" and changes nothing', async (message, changes) => {
    const member = await signedIn();
    const before = await stored();
    const direct = await member
      .from('solutions')
      .insert({ ...valid, ...changes, user_id: memberId, status: 'pending' });
    expect(direct.status).toBe(400);
    expect(direct.error?.message).toContain(message);
    const whole = await member.rpc('submit_solution', {
      solution: { ...valid, ...changes },
      media: [],
      consent: 'no_identifiable_person',
      consent_version: '2026-11-01',
    });
    expect(whole.error?.message).toContain(message);
    expect(await stored()).toBe(before);
  });

  it('takes a valid solution, as pending and in the member’s own name only', async () => {
    const member = await signedIn();
    const created = await member
      .from('solutions')
      .insert({ ...valid, user_id: memberId, status: 'pending' })
      .select('id,status,likes_count')
      .single();
    expect(created).toMatchObject({ status: 201, data: { status: 'pending', likes_count: 0 } });
    expect(
      (await member.from('solutions').insert({ ...valid, user_id: memberId, status: 'approved' })).status,
    ).toBe(403);
    expect(
      (
        await client()
          .from('solutions')
          .insert({ ...valid, user_id: memberId, status: 'pending' })
      ).status,
    ).toBe(401);
    await site.service().from('solutions').delete().eq('id', created.data?.id);
  });

  it('refuses blank comments, comments without a session, and a second like', async () => {
    const member = await signedIn();
    expect(
      (
        await member
          .from('comments')
          .insert({ solution_id: solutionId, user_id: memberId, content: ' \u200b ' })
      ).status,
    ).toBe(400);
    expect(
      (await client().from('comments').insert({ solution_id: solutionId, content: 'Hello' })).status,
    ).toBe(401);
    expect((await member.from('likes').insert({ solution_id: solutionId, user_id: memberId })).status).toBe(
      201,
    );
    expect((await member.from('likes').insert({ solution_id: solutionId, user_id: memberId })).status).toBe(
      409,
    );
    expect((await client().from('likes').insert({ solution_id: solutionId, user_id: memberId })).status).toBe(
      401,
    );
  });

  it('takes the type of a file from its bytes, and no file for someone else', async () => {
    const member = await signedIn();
    const token = (await member.auth.getSession()).data.session?.access_token ?? '';
    const send = (file: Blob, name: string, userId = memberId) => {
      const form = new FormData();
      form.set('userId', userId);
      form.set('file', file, name);
      return fetch(`${site.url()}/functions/v1/process-media-upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      });
    };
    const disguised = await send(
      new Blob(['<html><script>alert(1)</script>'], { type: 'image/jpeg' }),
      'case.jpg',
    );
    expect(disguised.ok).toBe(false);
    expect(await disguised.text()).toContain('case.jpg: Only JPEG, PNG, and WebP images are accepted.');
    const tooBig = await send(
      new Blob([new Uint8Array(await phonePicture('jpeg', 64, 48)), new Uint8Array(10 * MEGABYTE)], {
        type: 'image/jpeg',
      }),
      'big.jpg',
    );
    expect(tooBig.ok).toBe(false);
    expect(await tooBig.text()).toContain('big.jpg: Images must be under 10MB.');
    const picture = new Blob([new Uint8Array(await phonePicture('jpeg', 64, 48))], { type: 'image/jpeg' });
    expect((await send(picture, 'mine.jpg', '00000000-0000-4000-8000-000000000000')).status).toBe(403);
    expect((await send(picture, 'mine.jpg')).status).toBe(200);
  });
});

describe('an account', () => {
  it('needs an address, a password of six characters and the declaration', async () => {
    const visitor = await site.person();
    await visitor.goto('/auth');
    await visitor.getByRole('tab', { name: 'Sign Up' }).click();
    await visitor.getByLabel('Password', { exact: true }).fill('12345');
    await visitor.getByRole('button', { name: 'Create Account' }).click();
    await visitor.getByText('Please enter your email').waitFor();
    await visitor.getByText('Password must be at least 6 characters').waitFor();
    await visitor.getByText('Please confirm that you are 18 or over').waitFor();
  });

  it('is refused with a wrong password, in the server’s words', async () => {
    const visitor = await site.person();
    await visitor.goto('/auth');
    await visitor.getByLabel('Email').fill('amara@clinic.example');
    await visitor.getByLabel('Password', { exact: true }).fill('not the password');
    await visitor.getByRole('button', { name: 'Sign In', exact: true }).click();
    await visitor.getByText('The email or password is incorrect.').waitFor();
  });
});
