import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from './fixtures.ts';

const { as, owner, solution } = openDatabase();

const ispo = {
  resource_name: 'ISPO',
  resource_url: 'https://www.ispoint.org/',
  description: 'The international society for prosthetics and orthotics.',
  category: 'Professional Organizations',
};
const suggest = (actor: Actor, changes: Record<string, unknown> = {}) => {
  const row: Record<string, unknown> = { user_id: people[actor] ?? null, ...ispo, ...changes };
  return as(
    actor,
    `insert into resource_suggestions (${Object.keys(row).join(', ')}) values (${Object.keys(row)
      .map((_, i) => `$${i + 1}`)
      .join(', ')})`,
    Object.values(row),
  );
};
const seenBy = async (actor: Actor) =>
  (await as<{ resource_name: string }>(actor, 'select resource_name from resource_suggestions')).rows.length;

describe('a suggestion', () => {
  it('comes from a member in their own name, pending, and can be made nothing else (RS1)', async () => {
    expect((await suggest('visitor')).code).toBe('42501');
    expect((await suggest('author', { status: 'approved' })).code).toBe('42501');
    expect((await suggest('author', { created_at: '2000-01-01' })).code).toBe('42501');
    expect((await suggest('author', { user_id: people.colleague })).code).toBe('42501');
    expect((await suggest('author')).rowCount).toBe(1);
    expect(await owner('select status, user_id from resource_suggestions')).toEqual([
      { status: 'pending', user_id: people.author },
    ]);
    for (const actor of ['author', 'colleague'] as const)
      expect((await as(actor, "update resource_suggestions set status = 'approved'")).rowCount).toBe(0);
    expect((await as('visitor', "update resource_suggestions set status = 'approved'")).code).toBe('42501');
    expect(
      (await as('moderator', "update resource_suggestions set resource_url = 'https://x.example'")).code,
    ).toBe('42501');
    expect((await as('author', 'delete from resource_suggestions')).code).toBe('42501');
  });

  it('is seen by its author and moderators until it is approved, and decided on once', async () => {
    await suggest('author');
    for (const actor of ['visitor', 'colleague'] as const) expect(await seenBy(actor)).toBe(0);
    for (const actor of ['author', 'moderator', 'admin'] as const) expect(await seenBy(actor)).toBe(1);
    expect((await as('moderator', "update resource_suggestions set status = 'pending'")).code).toBe('42501');
    expect((await as('moderator', "update resource_suggestions set status = 'approved'")).rowCount).toBe(1);
    for (const actor of ['visitor', 'colleague'] as const) expect(await seenBy(actor)).toBe(1);
    expect((await as('moderator2', "update resource_suggestions set status = 'rejected'")).rowCount).toBe(0);
    expect(await owner('select action, actor_id from audit_events')).toEqual([
      { action: 'resource_approved', actor_id: people.moderator },
    ]);
  });

  it('that is rejected stays hidden from others', async () => {
    await suggest('author');
    expect((await as('admin', "update resource_suggestions set status = 'rejected'")).rowCount).toBe(1);
    for (const actor of ['visitor', 'colleague'] as const) expect(await seenBy(actor)).toBe(0);
  });

  // RS2: a reader sees the link's real target, and it leads to the web.
  it.each([
    ['Resource name is required', { resource_name: ' ' }],
    ['Name must be less than 200 characters', { resource_name: 'x'.repeat(201) }],
    ['Please enter a valid URL', { resource_url: 'javascript:alert(1)' }],
    ['Please enter a valid URL', { resource_url: 'data:text/html,<script>alert(1)</script>' }],
    ['Please enter a valid URL', { resource_url: '//evil.example' }],
    ['Please enter a valid URL', { resource_url: 'https://www.ispoint.org@evil.example/' }],
    ['Please enter a valid URL', { resource_url: 'http://localhost/' }],
    ['Please enter a valid URL', { resource_url: 'http://127.0.0.1/' }],
    ['Please enter a valid URL', { resource_url: 'http://[::1]/' }],
    ['Please enter a valid URL', { resource_url: 'https://www.ispoint.org/\njavascript:alert(1)' }],
    ['URL must be less than 500 characters', { resource_url: `https://a.example/${'x'.repeat(490)}` }],
    ['Description must be at least 10 characters', { description: 'short' }],
    ['Description must be less than 1000 characters', { description: 'x'.repeat(1001) }],
    ['Please select a category', { category: 'Gossip' }],
  ])('is refused with "%s"', async (message, changes) => {
    expect(await suggest('author', changes)).toMatchObject({
      code: '23514',
      message: expect.stringContaining(message),
    });
  });

  it('is taken at the very limits', async () => {
    const longest = `https://a.example/${'x'.repeat(482)}`;
    expect(longest).toHaveLength(500);
    for (const changes of [
      { resource_name: 'x'.repeat(200) },
      { resource_url: longest },
      { description: 'x'.repeat(10) },
      { description: 'x'.repeat(1000) },
    ])
      expect((await suggest('author', changes)).rowCount).toBe(1);
  });

  it('is one of ten a day; moderators and other members are not held back by it', async () => {
    for (let count = 0; count < 10; count++) expect((await suggest('author')).rowCount).toBe(1);
    const refused = await suggest('author');
    expect(refused.code).toBe('PGRST');
    expect(JSON.parse(refused.message ?? '')).toEqual({
      code: 'PT429',
      message: 'You have suggested 10 resources within a day. Please wait before the next one.',
    });
    expect((await suggest('colleague')).rowCount).toBe(1);
    for (let count = 0; count < 11; count++) expect((await suggest('moderator')).rowCount).toBe(1);
    await owner("update resource_suggestions set created_at = now() - interval '25 hours'");
    expect((await suggest('author')).rowCount).toBe(1);
  });
});

describe('the site’s map', () => {
  const map = async (actor: Actor, kind: string) =>
    (await as<{ entries: [string, string | null][] }>(actor, 'select sitemap_page($1, 1) as entries', [kind]))
      .rows[0]?.entries;

  it('names what is public, and members who have shared some of it', async () => {
    await solution('pending');
    const approved = await solution('approved');
    const [topic] = await owner<{ id: string }>(
      "insert into forum_topics (title, user_id) values ('Suspension', $1) returning id",
      [people.colleague],
    );
    for (const actor of ['visitor', 'colleague'] as const) {
      expect((await map(actor, 'solutions'))?.map(([path]) => path)).toEqual([`/solutions/${approved}`]);
      expect((await map(actor, 'topics'))?.map(([path]) => path)).toEqual([`/forum/${topic?.id}`]);
      expect(await map(actor, 'members')).toEqual([['/members/author.one', null]]);
      expect(await map(actor, 'messages')).toEqual([]);
    }
    expect((await as('visitor', 'select sitemap_sizes() as sizes')).rows).toEqual([
      { sizes: { solutions: 1, topics: 1, members: 1 } },
    ]);
    expect((await as('visitor', "select sitemap_page('solutions', 2) as entries")).rows).toEqual([
      { entries: [] },
    ]);
  });
});
