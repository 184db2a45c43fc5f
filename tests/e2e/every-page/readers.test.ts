// @module-tag whole

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { QueryClient } from '@tanstack/react-query';
import type { Request } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import routes from '../../../app/routes.ts';
import { shareSolution } from '../../solution.ts';
import { CHECKED_REGISTRATION, imageIn, OUTCOME, TRIAL } from '../rows.ts';
import { blockRealtime, openSite, signIn, signInByForm } from '../site.ts';
import { signOut } from '../steps.ts';

const site = openSite();

const names = { member: 'Mila', author: 'Arno', professional: 'Petra', moderator: 'Mona' } as const;
type Member = keyof typeof names;
const members = {} as Record<Member, { id: string; email: string }>;

/** What stands for the parameters of a page's address, by the beginning of its path. */
const examples: Record<string, Record<string, string>> = {};
/** The addresses of a solution, by who may read it. */
const solutions: Record<string, string> = {};

/** The paths of all routes, and the modules behind them. */
function pathsOf(entries: readonly (typeof routes)[number][], parent = ''): { path: string; file: string }[] {
  return entries.flatMap(({ path, file, children = [] }) => {
    const own = [parent, path].filter(Boolean).join('/');
    return [{ path: own, file }, ...pathsOf(children, own)];
  });
}

const paths = pathsOf(routes);
/** The paths of all pages: the routes whose modules draw something. */
const pagePaths = [
  ...new Set(
    paths
      .filter(({ file }) => readFileSync(`app/${file}`, 'utf8').includes('export default function'))
      .map(({ path }) => path),
  ),
];

/** The addresses at which a page is looked at. */
function addressesOf(path: string): string[] {
  if (path === 'solutions/:id') return Object.values(solutions);
  const [beginning = ''] = path.split('/');
  const address = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const example = examples[beginning]?.[name];
    if (!example) throw new Error(`The page "${path}" has no example of "${name}" in this test.`);
    return example;
  });
  return [`/${address.replace('*', 'no-such-page')}`];
}

/** A published solution with all that hangs on one. */
async function shareWhole(user_id: string, title: string, audience: string, readerId: string) {
  const solution_id = await site.publish(user_id, title);
  await site.insert('comments', { solution_id, user_id: readerId, content: `What holds the ${title}?` });
  const trial = await site.insert('solution_trials', {
    solution_id,
    user_id: readerId,
    ...TRIAL,
    experience: `A year with the ${title}.`,
  });
  await site.change('solution_trials', { id: trial }, { status: 'approved' });
  await site.insert('use_questions', {
    solution_id,
    trial_id: trial,
    user_id: readerId,
    months: 3,
    answer: 'sometimes',
    answered_at: new Date(),
  });
  await site.insert('solution_translations', {
    solution_id,
    version: 1,
    language: 'es',
    user_id: readerId,
    status: 'approved',
    texts: { title: `${title}, en español`, description: 'Una correa que no roza.' },
  });
  await site.insert('solution_fabrication', { solution_id, hours: 2 });
  await site.insert('solution_outcomes', { solution_id, ...OUTCOME });
  await site.change('solutions', { id: solution_id }, { audience });
  return solution_id;
}

beforeAll(async () => {
  const service = site.service();
  for (const who of ['member', 'author', 'professional', 'moderator'] as const)
    members[who] = await site.member(names[who], who === 'moderator' ? who : undefined);
  const { id: author } = members.author;
  const { id: professional } = members.professional;
  await site.insert('member_registrations', { user_id: professional, ...CHECKED_REGISTRATION });
  const open = await shareWhole(author, 'open strap', 'public', professional);
  const forMembers = await shareWhole(author, 'strap of members', 'members', professional);
  const forChecked = await shareWhole(author, 'strap of professionals', 'checked', professional);
  const pending = await shareSolution(service, { user_id: author, title: 'waiting strap' });
  for (const id of [open, forMembers, forChecked, pending]) solutions[id] = `/solutions/${id}`;
  const collection = await site.insert('collections', { user_id: author, title: 'Straps', is_shared: true });
  for (const solution_id of [open, forMembers])
    await site.insert('collection_items', { user_id: author, collection_id: collection, solution_id });
  const topic = await site.insert('forum_topics', { title: 'Straps that last', user_id: author });
  await site.insert('forum_posts', { topic_id: topic, user_id: members.member.id, content: 'Webbing does.' });
  await site.insert('messages', {
    sender_id: author,
    recipient_id: members.member.id,
    subject: 'Straps',
    content: 'Which do you use?',
  });
  const question = await site.row('use_questions', 'id', { solution_id: open });
  const removalRequest = '00000000-0000-4000-8000-000000000002';
  await site.insert('solution_media', { solution_id: open, ...imageIn(`${author}/strap`) });
  await service
    .rpc('request_removal', { tracking: removalRequest, solution: open, asker: 'patient', reason: 'My arm.' })
    .throwOnError();
  Object.assign(examples, {
    solutions: { id: forMembers, version: '1', language: 'es' },
    solution: { id: forMembers },
    'removal-request': { id: removalRequest },
    'still-in-use': { id: question.id },
    forum: { id: topic },
    members: { username: 'arno' },
    collections: { id: collection },
    messages: { memberId: members.moderator.id },
    evidence: { name: 'outcomes.csv' },
    sitemap: { name: 'solutions-1.xml' },
  });
});

/** A browser whose requests are counted, and to which no change of others comes. */
async function watched() {
  const page = await site.person();
  await blockRealtime(page);
  const underway = new Set<Request>();
  page.on('request', (request) => {
    if (!['image', 'media'].includes(request.resourceType())) underway.add(request);
  });
  page.on('requestfinished', (request) => underway.delete(request));
  page.on('requestfailed', (request) => underway.delete(request));
  /** What the page says, once nothing is under way and it stays as it is. */
  const settled = async () => {
    let before: string | undefined;
    let now: string | undefined;
    await expect
      .poll(async () => {
        before = now;
        now = underway.size > 0 ? undefined : await page.evaluate(readPage, false);
        return now !== undefined && now === before;
      })
      .toBe(true);
    return now ?? '';
  };
  return { page, settled };
}

/** What the page says, or nothing while it loads; before that, has it ask for everything again. */
async function readPage(again: boolean): Promise<string | undefined> {
  interface Fiber {
    memoizedProps?: { client?: QueryClient };
    child: Fiber | null;
    sibling: Fiber | null;
  }
  const find = (fiber: Fiber | null): QueryClient | undefined => {
    if (!fiber) return undefined;
    const client = fiber.memoizedProps?.client;
    if (client && 'getQueryCache' in client) return client;
    return find(fiber.child) ?? find(fiber.sibling);
  };
  const [, root] = Object.entries(document).find(([key]) => key.startsWith('__reactContainer$')) ?? [];
  const drawing = root?.stateNode;
  const cache = find(drawing?.current.child ?? null);
  const { __reactRouterDataRouter: router } = window as unknown as {
    __reactRouterDataRouter?: { state: { navigation: { state: string } } };
  };
  // Parts of the page that are still to be hydrated, loaded or drawn are lanes of its root.
  if (!cache || drawing.pendingLanes !== 0 || router?.state.navigation.state !== 'idle') return undefined;
  if (again) {
    const active = cache
      .getQueryCache()
      .getAll()
      .filter((query) => query.isActive());
    await Promise.allSettled(active.map((query) => query.fetch()));
  }
  // What has just been drawn asks for its data after the next frame.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  if (cache.isFetching() > 0) return undefined;
  // Only what is displayed: the style sheet hides what is for other readers.
  // biome-ignore lint/performance/useDomNodeTextContent: the text of hidden elements is not shown
  const parts = ['header', 'main'].map((name) => document.querySelector<HTMLElement>(name)?.innerText);
  // What changes by itself, or by being looked at.
  return [location.pathname, document.title, ...parts]
    .join('\n')
    .replaceAll(/(?:\d+ (?:seconds?|minutes?)|less than a minute) ago|just now/gi, 'lately')
    .replaceAll(/\d+\s+views?/g, 'views');
}

const linesMissing = (text: string, from: string) => {
  const others = new Set(from.split('\n'));
  return text.split('\n').filter((line) => !others.has(line));
};

/**
 * Each reader looks, of the pages besides those of solutions, at every fourth, and together they look at all; at others of them in
 * the next run.
 */
const STRIDE = 4;
const FIRST = Math.floor(Math.random() * STRIDE);

/**
 * The pages that show something else once everything was asked for again: what they no longer show, and what besides.
 *
 * @param turn of the reader, by which their share of the pages begins
 */
async function compare(
  { page, settled }: Awaited<ReturnType<typeof watched>>,
  turn: number,
  open: (address: string) => Promise<unknown>,
) {
  const different: Record<string, string[]> = {};
  const addresses = pagePaths.flatMap(addressesOf);
  const share = addresses.filter(
    (address, place) => address.startsWith('/solutions/') || (place + turn + FIRST) % STRIDE === 0,
  );
  for (const address of share) {
    await open(address);
    const shown = await settled();
    await page.evaluate(readPage, true);
    const after = await settled();
    if (shown !== after)
      different[address] = [linesMissing(shown, after), linesMissing(after, shown)].map((lines) =>
        lines.join('\n'),
      );
  }
  return different;
}

it('a parameter that a page does not look for makes no new page, and changes no byte of its answer', async () => {
  const answerTo = async (address: string) => {
    const answer = await fetch(site.url() + address, { redirect: 'manual' });
    // Each page that is made gets an id.
    return [answer.status, answer.headers.get('x-request-id'), hash('sha1', await answer.text())];
  };
  const addresses = [...new Set(paths.flatMap(({ path }) => addressesOf(path)))];
  expect(addresses.length).toBeGreaterThan(50);
  // A page is made again each minute, which may be just in between.
  for (const address of addresses.flatMap((page) => [page, `${page === '/' ? '/_root' : page}.data`]))
    await expect
      .poll(
        async () => {
          const [without, having] = [await answerTo(address), await answerTo(`${address}?unread=1`)];
          return isDeepStrictEqual(having, without) ? 'the same' : [having, without];
        },
        { message: address },
      )
      .toBe('the same');
});

describe('what every page shows once it has come alive is what it shows when everything is asked for again', () => {
  it.each(
    (['visitor', 'member', 'author', 'professional', 'moderator'] as const).map(
      (who, turn) => [who, turn] as const,
    ),
  )('to the %s', async (reader, turn) => {
    const device = await watched();
    if (reader !== 'visitor') await signIn(device.page, members[reader].email);
    // The page was made without the parameter, which the browser's scripts have in their address.
    expect(await compare(device, turn, (address) => device.page.goto(`${address}?unread=1`))).toEqual({});
  });

  it('to each reader on a device that was another’s before, without a page being loaded in between', async () => {
    const device = await watched();
    const { page } = device;
    const navigate = (address: string) =>
      page.evaluate(
        (to) =>
          (
            window as unknown as { __reactRouterDataRouter: { navigate(to: string): Promise<void> } }
          ).__reactRouterDataRouter.navigate(to),
        address,
      );
    await page.goto('/auth');
    for (const [turn, reader] of (['moderator', 'visitor', 'author', 'member'] as const).entries()) {
      if (reader !== 'visitor') await signInByForm(page, members[reader].email);
      await device.settled();
      expect(await compare(device, turn, navigate), reader).toEqual({});
      await navigate('/about');
      await device.settled();
      if (reader !== 'visitor') {
        await signOut(page);
        await page.waitForURL('/auth');
      } else await navigate('/auth');
    }
  });
});
