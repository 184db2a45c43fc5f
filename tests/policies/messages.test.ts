import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from './fixtures.ts';

const { as, ask, owner, column, insert, reject, solution, message } = openDatabase();

/** Members who joined long ago, or a moment ago. */
const joined = (when: string) => owner('update profiles set created_at = $1', [when]);
const crowd = (size: number) =>
  column(
    `insert into auth.users (id, email) select id, id || '@clinic.example'
     from (select gen_random_uuid() as id from generate_series(1, $1)) fresh returning id`,
    [size],
  );

describe('messages', () => {
  const write = (actor: Actor, changes: Record<string, unknown> = {}) =>
    insert(actor, 'messages', { recipient_id: people.author, subject: 'Bow', content: 'Hello', ...changes });

  it('go out to members who allow it, and from moderators to all', async () => {
    expect((await write('colleague')).rowCount).toBe(1);
    await owner('update profiles set allow_messages = false where id = $1', [people.author]);
    expect(await write('colleague')).toMatchObject({
      code: '42501',
      message: 'This member does not accept messages',
    });
    expect((await write('moderator')).rowCount).toBe(1);
  });

  it('are listed by conversation, the latest first, with what is unread', async () => {
    await write('colleague', { content: 'One' });
    await write('colleague', { content: 'Two' });
    await owner("update messages set created_at = now() - interval '1 hour'");
    await write('author', { recipient_id: people.admin, content: 'x'.repeat(300) });
    interface List {
      items: { other: { username: string } | null; unread: number; content: string }[];
      next_cursor: string | null;
    }
    const list = (cursor: string | null = null, size = 30) =>
      ask<List>('author', 'conversations', [cursor, size]);
    const all = await list();
    expect(all.items.map(({ other, unread, content }) => [other?.username, unread, content.length])).toEqual([
      ['ada.one', 0, 200],
      ['colleague.one', 2, 3],
    ]);
    expect(all.next_cursor).toBeNull();
    const first = await list(null, 1);
    expect(first.items).toHaveLength(1);
    expect((await list(first.next_cursor, 1)).items).toEqual(all.items.slice(1));
    expect(await ask('moderator', 'conversations')).toEqual({ items: [], next_cursor: null });
  });

  it.each([
    ['author', 'colleague'],
    ['colleague', 'author'],
  ] as const)('that %s deletes stay with %s, until both have deleted them', async (first, second) => {
    await message();
    const seenBy = async (actor: Actor) => (await as(actor, 'select id from messages')).rows.length;
    for (const stranger of ['moderator', 'admin'] as const) await as(stranger, 'delete from messages');
    expect([await seenBy(first), await seenBy(second)]).toEqual([1, 1]);
    await as(first, 'delete from messages');
    expect([await seenBy(first), await seenBy(second)]).toEqual([0, 1]);
    expect((await as('author', 'update messages set read = true')).rowCount).toBe(first === 'author' ? 0 : 1);
    // What a member has deleted is not in the copy of their data either.
    expect(await ask(first, 'export_account')).toMatchObject({ messages: [] });
    expect(await owner('select id from notifications')).toHaveLength(first === 'author' ? 0 : 1);
    await as(second, 'delete from messages');
    expect(await owner('select id from messages')).toEqual([]);
  });

  it('bring the author the reason of a rejection even when they allow none', async () => {
    await owner('update profiles set allow_messages = false where id = $1', [people.author]);
    const id = await solution('pending');
    await reject(id);
    expect((await as('author', 'select sender_id, content, solution_id from messages')).rows).toEqual([
      { sender_id: people.moderator, content: 'A label shows a name.', solution_id: id },
    ]);
    // Where the notification leads, the reason stands too.
    await as('author', 'update notifications set is_read = true');
    expect(await owner('select read from messages')).toEqual([{ read: true }]);
  });

  it('are at most 30 in an hour from a member, and as many as needed from moderators', async () => {
    await joined('2026-01-01');
    for (let count = 0; count < 30; count++) expect((await write('colleague')).rowCount).toBe(1);
    const refused = await write('colleague');
    expect(refused.code).toBe('PGRST');
    expect(JSON.parse(refused.message ?? '')).toEqual({
      code: 'PT429',
      message: 'You have sent 30 messages within an hour. Please wait a little before the next one.',
    });
    await owner("update messages set created_at = created_at - interval '61 minutes'");
    expect((await write('colleague')).rowCount).toBe(1);
    for (let count = 0; count < 31; count++) expect((await write('moderator')).rowCount).toBe(1);
  });

  it('go to ten new members on an account’s first day, and to whoever wrote first', async () => {
    const [last, ...others] = await crowd(11);
    for (const recipient_id of others) expect((await write('colleague', { recipient_id })).rowCount).toBe(1);
    expect((await write('colleague', { recipient_id: last })).code).toBe('PGRST');
    expect((await write('colleague', { recipient_id: others[0] })).rowCount).toBe(1);
    await message('author', 'colleague');
    expect((await write('colleague', { recipient_id: people.author })).rowCount).toBe(1);
    await joined('2026-01-01');
    expect((await write('colleague', { recipient_id: last })).rowCount).toBe(1);
  });

  it('that are read take their notification with them', async () => {
    await message();
    expect(await column('select is_read from notifications')).toEqual([false]);
    await as('author', 'update messages set read = true');
    expect(await column('select is_read from notifications')).toEqual([true]);
  });
});

describe('a block', () => {
  const block = (blocked: string) => insert('author', 'member_blocks', { blocked_id: blocked });
  const send = (from: Actor, to: string) => insert(from, 'messages', { recipient_id: to, content: 'Hello' });

  it('keeps a member’s messages away without telling them why', async () => {
    expect((await block(people.colleague)).rowCount).toBe(1);
    const blocked = await send('colleague', people.author);
    await owner('update profiles set allow_messages = false where id = $1', [people.admin]);
    expect(blocked).toMatchObject({ code: '42501', message: 'This member does not accept messages' });
    expect(await send('colleague', people.admin)).toEqual(blocked);
    expect((await send('author', people.colleague)).message).toBe('You have blocked this member');
    expect((await as('author', 'delete from member_blocks')).rowCount).toBe(1);
    expect((await send('colleague', people.author)).rowCount).toBe(1);
  });

  it('does not hold moderation back', async () => {
    expect((await block(people.moderator)).rowCount).toBe(1);
    expect((await send('moderator', people.author)).rowCount).toBe(1);
  });
});

it('reports of a message come from its recipient alone, once, and are at most 20 a day', async () => {
  const report = (actor: Actor, id: string) =>
    insert(actor, 'content_reports', { content_type: 'message', content_id: id, reason: 'Rude' });
  const id = await message();
  for (const actor of ['colleague', 'moderator'] as const)
    expect((await report(actor, id)).code).toBe('42501');
  expect((await report('author', id)).rowCount).toBe(1);
  expect((await report('author', id)).code).toBe('23505');
  for (let count = 1; count < 20; count++) await report('author', await message());
  expect((await report('author', await message())).message).toContain('PT429');
  expect(await owner('select from content_reports')).toHaveLength(20);
});
