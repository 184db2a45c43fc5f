import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from './fixtures.ts';

const { as, ask, owner, insert, solution, topic } = openDatabase();

const ispo = {
  resource_name: 'ISPO',
  resource_url: 'https://www.ispoint.org/',
  description: 'The international society for prosthetics and orthotics.',
  category: 'Professional Organizations',
};
const suggest = (actor: Actor, changes = {}) =>
  insert(actor, 'resource_suggestions', { ...ispo, ...changes });

describe('a suggestion', () => {
  it('is decided on once, which leaves a trace', async () => {
    await suggest('author');
    for (const [actor, reached] of [
      ['moderator', 1],
      ['moderator2', 0],
    ] as const)
      expect((await as(actor, "update resource_suggestions set status = 'approved'")).rowCount).toBe(reached);
    expect(await owner('select action, actor_id from audit_events')).toEqual([
      { action: 'resource_approved', actor_id: people.moderator },
    ]);
  });

  it('is declined with a reason, which its author and moderators read', async () => {
    await suggest('author');
    const declined = await as(
      'moderator',
      "update resource_suggestions set status = 'rejected', rejection_reason = 'It needs an account.'",
    );
    expect(declined.rowCount).toBe(1);
    for (const [actor, reads] of [
      ['author', 1],
      ['moderator2', 1],
      ['colleague', 0],
    ] as const)
      expect((await as(actor, 'select rejection_reason from resource_suggestions')).rowCount, actor).toBe(
        reads,
      );
    expect((await as('visitor', 'select rejection_reason from resource_suggestions')).code).toBe('42501');
  });

  // RS2: a reader sees the link's real target, and it leads to the web.
  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    '//evil.example',
    'https://www.ispoint.org@evil.example/',
    'http://localhost/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'https://www.ispoint.org/\njavascript:alert(1)',
  ])('is refused with an address such as %s', async (resource_url) => {
    expect((await suggest('author', { resource_url })).message).toContain('Please enter a valid URL');
  });

  it('is taken at the very limits', async () => {
    for (const changes of [
      { resource_url: `https://a.example/${'x'.repeat(482)}` },
      { description: 'x'.repeat(10) },
    ])
      expect((await suggest('author', changes)).rowCount).toBe(1);
  });

  it('is one of ten a day; moderators and other members are not held back by it', async () => {
    for (let count = 0; count < 10; count++) expect((await suggest('author')).rowCount).toBe(1);
    expect(JSON.parse((await suggest('author')).message ?? '')).toEqual({
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
  const map = (actor: Actor, kind: string) =>
    ask<[string, string | null][]>(actor, 'sitemap_page', [kind, 1]);

  it('names what is public, and members who have shared some of it', async () => {
    await solution('pending');
    const approved = await solution('approved');
    const id = await topic('colleague');
    for (const actor of ['visitor', 'colleague'] as const) {
      expect((await map(actor, 'solutions')).map(([path]) => path)).toEqual([`/solutions/${approved}`]);
      expect((await map(actor, 'topics')).map(([path]) => path)).toEqual([`/forum/${id}`]);
      expect(await map(actor, 'members')).toEqual([['/members/author.one', null]]);
      expect(await map(actor, 'messages')).toEqual([]);
    }
    // Of each page of members those who have shared nothing are left out.
    const members = await owner('select from profiles where username is not null');
    expect(await ask('visitor', 'sitemap_sizes')).toEqual({
      solutions: 1,
      topics: 1,
      members: members.length,
    });
    expect(await ask('visitor', 'sitemap_page', ['solutions', 2])).toEqual([]);
  });
});
