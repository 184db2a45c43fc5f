// @module-tag whole

import { randomUUID } from 'node:crypto';
import type { Page, Response } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { SOLUTION, shareSolution } from '../../solution.ts';
import { TIMEOUT_MS } from '../../timeouts.ts';
import { imageIn, TRIAL } from '../rows.ts';
import { openSite } from '../site.ts';

/*
 * Every text that other people can see holds markup, and every page that shows it is opened by every kind of
 * reader.
 */

const site = openSite();

/** A word that is wider than a phone. */
const UNBROKEN = 'W'.repeat(40);
/** Markup that no page may take for anything but letters. */
const TAGS = `${UNBROKEN}<script>ran()</script>"><img src=x onerror=ran()>`;
/** For texts that are long enough: attempts to leave the contexts in which a page may put a text. */
const MORE = [
  `'><svg onload=ran()>`,
  '</script><script>ran()</script>',
  '</title></textarea></style><a href=javascript:ran()>',
  '<!--<script>',
  '<iframe srcdoc="<script>parent.ran()</script>">',
  '{{ran()}}',
  '\u2028ran()\u2029',
  '[a link](javascript:ran()) javascript:ran() ![a picture](https://evil.example/x.png)',
].join(' ');
const short = (name: string) => `${name} ${TAGS}`;
const long = (name: string) => `${name} ${TAGS} ${MORE}`;

const people = { author: '', reader: '', suspended: '', moderator: '', admin: '' };
type Viewer = keyof typeof people | 'visitor';
let solutions: Record<'approved' | 'pending' | 'rejected', string>;
let topic: string;
const reports: Record<string, string> = {};
const tracking = randomUUID();

beforeAll(async () => {
  people.author = (await site.member('Amara')).id;
  people.reader = (await site.member('Ben')).id;
  people.suspended = (await site.member('Cleo')).id;
  people.moderator = (await site.member('Dora', 'moderator')).id;
  people.admin = (await site.member('Ezra', 'admin')).id;
  const { author, reader, suspended, moderator } = people;
  await site.change(
    'profiles',
    { id: author },
    {
      full_name: short('Name'),
      workplace: short('Workplace'),
      profession: short('Profession'),
      location: short('Location'),
      bio: long('Bio'),
    },
  );
  const texts = (name: string) => ({
    ...SOLUTION,
    user_id: author,
    title: short(`${name} title`),
    description: long('Description'),
    durability_testing: long('Durability'),
    patient_outcomes: long('Outcomes'),
    challenges_overcome: long('Challenges'),
    custom_tags: ['<img src=x onerror=ran()>', '</script><script>ran()'],
  });
  const share = (name: string, changes: Record<string, unknown>) =>
    shareSolution(site.service(), { ...texts(name), ...changes });
  solutions = {
    approved: await share('Approved', { status: 'approved' }),
    pending: await share('Pending', {}),
    rejected: await share('Rejected', { status: 'rejected', rejection_reason: long('Rejection') }),
  };
  const solution_id = solutions.approved;
  const media = [];
  for (const id of [solution_id, solutions.pending]) {
    const image = { ...imageIn(`${author}/${randomUUID()}`), description: short('Picture') };
    media.push(await site.insert('solution_media', { solution_id: id, ...image }));
  }
  const said = { solution_id, user_id: author };
  const comment = await site.insert('comments', { ...said, content: long('Comment') });
  await site.insert('comments', { ...said, content: long('Answer'), parent_comment_id: comment });
  const trial = { ...TRIAL, solution_id, result: 'worked_with_changes' };
  await site.insert('solution_trials', {
    ...trial,
    user_id: author,
    status: 'approved',
    changes: long('Tried changes'),
    experience: long('Tried experience'),
    author_answer: long('Tried answer'),
    answered_at: new Date(),
  });
  const waiting = { changes: long('Waiting changes'), experience: long('Waiting experience') };
  await site.insert('solution_trials', { ...trial, ...waiting, status: 'pending' });
  await site.insert('safety_notices', { ...said, kind: 'caution', content: long('Notice') });
  const opening = { title: short('Topic'), description: long('Opening') };
  topic = await site.insert('forum_topics', { ...opening, user_id: author });
  // The reader follows the topic by having written in it.
  await site.insert('forum_posts', { topic_id: topic, content: 'What works for you?', user_id: reader });
  const post = await site.insert('forum_posts', { topic_id: topic, content: long('Reply'), user_id: author });
  await site.insert('held_posts', {
    user_id: author,
    title: short('First topic'),
    category: 'general',
    content: long('First post'),
  });
  const message = await site.insert('messages', {
    sender_id: author,
    recipient_id: reader,
    subject: short('Subject'),
    content: long('Message'),
  });
  for (const status of ['pending', 'approved'])
    await site.insert('resource_suggestions', {
      user_id: author,
      resource_name: short(`${status} resource`),
      resource_url: `https://clinic.example/'onload=ran()//javascript:ran()`,
      description: long('About'),
      category: 'Patient Resources',
      status,
    });
  for (const [content_type, content_id] of [
    ['solution', solutions.approved],
    ['topic', topic],
    ['post', post],
    ['comment', comment],
    ['message', message],
    ['profile', author],
  ])
    reports[content_type ?? ''] = await site.insert('content_reports', {
      reporter_id: reader,
      content_type,
      content_id,
      reason: long(`Report of a ${content_type}`),
    });
  // Through a moderator's own session, as the audit log records only that.
  const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const hand = await site.client('dora@clinic.example');
  await hand
    .from('sanctions')
    .insert([
      { user_id: author, kind: 'warning', reason: long('Warning') },
      { user_id: suspended, kind: 'suspension', reason: long('Suspension'), until: inAWeek },
    ])
    .throwOnError();
  for (const [status, tracking_id] of [
    ['received', randomUUID()],
    ['kept', tracking],
  ])
    await site.insert('removal_requests', {
      tracking_id,
      solution_id,
      media_ids: [media[0]],
      asker: 'patient',
      reason: long(`Request ${status}`),
      email: `${status}'onload=ran()&@evil.example`,
      ...(status === 'kept'
        ? { status, answer: long('Decision'), resolved_at: new Date(), resolved_by: moderator }
        : {}),
    });
});

/** Records scripts the page ran, added or refused to run: installed before any script of the page. */
const WATCH = `
  window.heard = [];
  window.ran = () => window.heard.push('a script ran');
  for (const name of ['alert', 'confirm', 'prompt']) window[name] = () => window.heard.push(name);
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    window.heard.push(violatedDirective + ' stopped ' + blockedURI);
  });
`;

/** Elements and attributes in a document that a text has created. The policy has the hash of each own script. */
const FOREIGN = `async (document, policy) => {
  const isOwn = async ({ textContent }) => {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(textContent));
    return policy.includes("'sha256-" + btoa(String.fromCharCode(...new Uint8Array(digest))) + "'");
  };
  const found = [];
  for (const element of document.querySelectorAll('*'))
    if (
      element.matches('iframe, svg[onload], img[src="x"], [href^="javascript:" i], [src^="javascript:" i], [srcdoc]')
      || element.getAttributeNames().some((name) => name.startsWith('on'))
      || (element.localName === 'script' && !element.src && element.type !== 'application/ld+json' && !(await isOwn(element)))
    ) found.push(element.outerHTML.slice(0, 200));
  return found;
}`;

async function foreignElements(page: Page, opened: Response | null): Promise<unknown> {
  const policy = opened?.headers()['content-security-policy'];
  return page.evaluate(`(${FOREIGN})(document, ${JSON.stringify(policy)})`);
}

/** All texts of the page: its letters, and those of fields, names and descriptions. */
const SAID = `[document.body.innerText, ...[...document.querySelectorAll('*')].flatMap((element) =>
  [element.value, element.getAttribute('alt'), element.getAttribute('aria-label')])].join('\\n').replace(/\\s+/g, ' ')`;

async function expectHarmless(page: Page, path: string, texts: string[]) {
  const opened = await page.goto(path);
  for (const text of texts)
    await expect
      .poll(() => page.evaluate(SAID), { message: `${path} says ${text}`, timeout: TIMEOUT_MS })
      .toContain(text);
  await page.waitForLoadState('networkidle');
  expect(await foreignElements(page, opened), path).toEqual([]);
  expect(await page.evaluate('window.heard'), path).toEqual([]);
  // The HTML as it was sent, before any script of the site could repair it.
  const sent = await page.evaluate(
    `fetch(location.href).then(async (answer) => (${FOREIGN})(
      new DOMParser().parseFromString(await answer.text(), 'text/html'),
      answer.headers.get('content-security-policy'),
    ))`,
  );
  expect(sent, `${path} as it is sent`).toEqual([]);
}

/**
 * The places where a member's text takes its direction from the text around it, by their element; a text in
 * Arabic or Hebrew would be drawn in the wrong order there.
 */
const undirected = (page: Page) =>
  page.evaluate(
    (marker) => {
      const found = new Set<string>();
      const skipped = 'script, style, title, option, .sr-only, [aria-hidden=true]';
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const parent = text.parentElement;
        if (!parent || !text.textContent?.includes(marker) || parent.closest(skipped)) continue;
        if (!parent.closest('[dir=auto], bdi')) found.add(parent.outerHTML.slice(0, 120));
      }
      for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea'))
        if (field.value.includes(marker) && field.dir !== 'auto') found.add(field.outerHTML.slice(0, 120));
      return [...found];
    },
    UNBROKEN.slice(0, 20),
  );

/** Nothing is wider than the narrowest phone, and each text has its own direction. */
async function expectReadable(page: Page, path: string) {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 900 });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  // Not the form for solutions, which its author alone sees.
  if (!path.startsWith('/upload'))
    await expect.poll(width, { message: `the width of ${path}` }).toBeLessThanOrEqual(320);
  expect(await undirected(page), `texts without a direction on ${path}`).toEqual([]);
  if (size) await page.setViewportSize(size);
}

/** The reader, the page, and the texts it shows. Each text is followed by the tags, letter by letter. */
const visits = (): [Viewer, string, string[]][] => {
  const { approved, pending, rejected } = solutions;
  const whole = ['Description', 'Durability', 'Outcomes', 'Challenges', 'Picture', 'Name'];
  const query = encodeURIComponent(short('Asked'));
  return [
    ['visitor', '/', ['Approved title']],
    ['visitor', '/browse', ['Approved title', 'Name']],
    ['visitor', '/browse?view=list', ['Approved title']],
    ['visitor', `/browse?q=${query}`, ['Asked']],
    ['visitor', `/browse?q=${encodeURIComponent('script ran')}`, ['Approved title']],
    [
      'visitor',
      `/solutions/${approved}`,
      [
        'Approved title',
        ...whole,
        'Profession',
        'Comment',
        'Answer',
        'Notice',
        'Tried changes',
        'Tried experience',
        'Tried answer',
      ],
    ],
    ['visitor', `/solutions/${approved}/removal-request`, ['Approved title']],
    ['visitor', `/removal-request/${tracking}`, ['Decision']],
    ['visitor', '/forum', ['Topic', 'Name']],
    ['visitor', `/forum?q=${query}`, ['Asked']],
    ['visitor', `/forum/${topic}`, ['Topic', 'Opening', 'Reply', 'Name']],
    ['visitor', '/members/amara', ['Name', 'Profession', 'Workplace', 'Approved title']],
    ['visitor', '/resources', ['approved resource', 'About']],
    ['visitor', `/${encodeURIComponent(TAGS)}`, []],
    ['reader', `/solutions/${approved}`, ['Comment', 'Answer', 'Notice']],
    ['reader', `/forum/${topic}`, ['Topic', 'Opening', 'Reply']],
    ['reader', '/members/amara', ['Name', 'Profession', 'Workplace']],
    ['reader', '/messages', ['Subject', 'Name']],
    ['reader', `/messages/${people.author}`, ['Subject', 'Message', 'Name']],
    ['reader', '/notifications', ['Name']],
    ['reader', '/reports', ['Report of a topic']],
    ['suspended', '/', ['Suspension']],
    ['suspended', '/messages', ['Suspension']],
    ['author', '/profile', ['Name', 'Rejected title', 'Pending title', 'Rejection']],
    ['author', '/complete-profile', ['Name', 'Bio', 'Workplace', 'Profession', 'Location']],
    ['author', `/solutions/${rejected}`, ['Rejected title', 'Rejection']],
    [
      'author',
      `/upload?solution=${pending}`,
      ['Pending title', 'Description', 'Durability', 'Outcomes', 'Challenges', 'Picture'],
    ],
    ['moderator', `/solutions/${pending}`, ['Pending title', ...whole]],
    ['moderator', '/admin?tab=solutions', ['Pending title', ...whole]],
    ['moderator', '/admin?tab=resources', ['pending resource', 'About', 'Name']],
    [
      'moderator',
      '/admin?tab=reports',
      [
        ...['solution', 'topic', 'post', 'comment', 'message', 'profile'].map(
          (kind) => `Report of a ${kind}`,
        ),
        'Approved title',
      ],
    ],
    ['moderator', `/admin?tab=reports&item=${reports.post}`, ['Reply', 'Topic', 'Name']],
    ['moderator', `/admin?tab=reports&item=${reports.comment}`, ['Comment', 'Approved title', 'Name']],
    ['moderator', `/admin?tab=reports&item=${reports.profile}`, ['Bio', 'Name']],
    ['moderator', '/admin?tab=posts', ['First topic', 'First post', 'Name']],
    ['moderator', '/admin?tab=queue', ['Pending title']],
    ['moderator', '/admin?tab=trials', ['Waiting changes', 'Waiting experience', 'Approved title']],
    ['moderator', '/admin?tab=removal-requests', ['Request received', 'Request kept', 'Decision']],
    ['admin', '/admin?tab=users', ['Name']],
    ['admin', '/admin?tab=audit', ['Warning']],
  ];
};

it.each(['visitor', 'reader', 'suspended', 'author', 'moderator', 'admin'] as const)(
  'markup in any text is shown to the %s as it was typed, and does nothing, and fits a phone',
  async (viewer) => {
    const names = { author: 'amara', reader: 'ben', suspended: 'cleo', moderator: 'dora', admin: 'ezra' };
    const page =
      viewer === 'visitor' ? await site.person() : await site.signedIn(`${names[viewer]}@clinic.example`);
    await page.addInitScript(WATCH);
    for (const [, path, texts] of visits().filter(([who]) => who === viewer)) {
      await expectHarmless(
        page,
        path,
        texts.map((text) => short(text)),
      );
      await expectReadable(page, path);
    }
  },
);

it('what is looked for is noticed where a text does become markup', async () => {
  const page = await site.person();
  await page.addInitScript(WATCH);
  const opened = await page.goto('/about');
  expect(await foreignElements(page, opened)).toEqual([]);
  await page.evaluate((text) => document.body.insertAdjacentHTML('beforeend', text), short('Slip'));
  expect(await foreignElements(page, opened)).toHaveLength(2);
  await expect.poll(() => page.evaluate('window.heard')).toEqual(['script-src-attr stopped inline']);
});
