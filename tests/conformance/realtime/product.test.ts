import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { COMPLETE_PROFILES } from '../../completed-profiles.ts';
import { insertConsented } from '../../solution.ts';
import { member, visitor } from '../auth/fixtures.ts';
import { ownBackend } from '../own-backend.ts';
import { type Subscriber, subscribeTo, until } from './sample-schema.ts';

const { backend, database } = await ownBackend();
const members = await Promise.all([member(backend), member(backend), member(backend), member(backend)]);
const [author, colleague, moderator, admin] = members;
await database.query(
  "insert into public.user_roles (user_id, role) values ($1, 'moderator'), ($2, 'admin')",
  [moderator.id, admin.id],
);
const clients: SupabaseClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.removeAllChannels();
});
afterAll(async () => {
  for (const { client } of members) await client.realtime.disconnect();
});

const subscribe = (client: SupabaseClient, table: string, filter?: string): Promise<Subscriber> => {
  clients.push(client);
  return subscribeTo(client, { table, ...(filter ? { filter } : {}) });
};

async function solution(status: 'pending' | 'approved'): Promise<string> {
  const { rows } = await database.query<{ id: string }>(insertConsented({ user_id: author.id, status }));
  return rows[0]?.id ?? '';
}

describe('what is private to people', () => {
  it('messages are heard by sender and recipient alone, also when someone asks for them by name', async () => {
    const recipient = await subscribe(author.client, 'messages');
    const others = [
      await subscribe(visitor(backend), 'messages'),
      await subscribe(moderator.client, 'messages'),
      await subscribe(moderator.client, 'messages', `recipient_id=eq.${author.id}`),
    ];
    for (let count = 0; count < 20; count++)
      await database.query(
        "insert into public.messages (sender_id, recipient_id, subject, content) values ($1, $2, 'About the socket', 'Between the two of us.')",
        [colleague.id, author.id],
      );
    await until(() => recipient.changes.length === 20);
    await database.query('delete from public.messages');
    await until(() => recipient.changes.length === 40);
    for (const other of others) expect(other.changes).toEqual([]);
  });

  it('images that are hidden, and what was declared about images, are heard by no one', async () => {
    const topic = await database.query<{ id: string }>(
      "insert into public.forum_topics (title, user_id) values ('Liners', $1) returning id",
      [author.id],
    );
    const post = await database.query<{ id: string }>(
      `insert into public.forum_posts (topic_id, user_id, content, images, image_consent)
       values ($1, $2, 'Here', '[{"description": "The liner"}]', 'patient_written') returning id`,
      [topic.rows[0]?.id, author.id],
    );
    const subscribers = [
      await subscribe(visitor(backend), 'forum_posts'),
      await subscribe(moderator.client, 'forum_posts'),
    ];
    await expect(
      subscribe(visitor(backend), 'forum_posts', 'image_consent=eq.patient_written'),
    ).rejects.toThrow();
    const id = post.rows[0]?.id;
    const changed = (count: number) =>
      Promise.all(subscribers.map(({ changes }) => until(() => changes.length === count)));
    await database.query('update public.forum_posts set edited_at = now() where id = $1', [id]);
    // Each change tells of the row as it is by then.
    await changed(1);
    await database.query('select private.hide_images($1, true)', [id]);
    await changed(2);
    for (const { changes } of subscribers) {
      const [shown, hidden] = changes;
      expect(shown?.new).toMatchObject({ shown_images: [{ description: 'The liner' }] });
      expect(hidden?.new).toMatchObject({ shown_images: [], images_hidden_at: expect.any(String) });
      expect(JSON.stringify(changes)).not.toMatch(/image_consent|patient_written|"images"/);
    }
  });

  it('who has lost a role is heard by them and by admins alone', async () => {
    const subscribers = {
      owner: await subscribe(author.client, 'user_roles'),
      admin: await subscribe(admin.client, 'user_roles'),
      moderator: await subscribe(moderator.client, 'user_roles'),
      visitor: await subscribe(visitor(backend), 'user_roles'),
    };
    await database.query("insert into public.user_roles (user_id, role) values ($1, 'moderator')", [
      author.id,
    ]);
    // A row that is deleted again before the server reads it is reported by its deletion alone.
    await until(() => subscribers.owner.changes.length === 1 && subscribers.admin.changes.length === 1);
    await database.query('delete from public.user_roles where user_id = $1', [author.id]);
    await until(() => subscribers.owner.changes.length === 2 && subscribers.admin.changes.length === 2);
    // A change written later has arrived, so no earlier one is on its way any more.
    await database.query('update public.user_roles set role = role where user_id = $1', [moderator.id]);
    await until(() => subscribers.moderator.changes.length > 0);
    expect(subscribers.moderator.changes.map((one) => one.eventType)).toEqual(['UPDATE']);
    expect(subscribers.visitor.changes).toEqual([]);
  });

  it('notifications are heard by their owner alone', async () => {
    const owner = await subscribe(author.client, 'notifications', `user_id=eq.${author.id}`);
    const stranger = await subscribe(colleague.client, 'notifications', `user_id=eq.${author.id}`);
    const id = await solution('approved');
    await database.query(
      "insert into public.comments (solution_id, user_id, content) values ($1, $2, 'Well made.')",
      [id, colleague.id],
    );
    await until(() => owner.changes.length > 0);
    expect(stranger.changes).toEqual([]);
  });

  it.each([
    [
      'reports',
      'content_reports',
      "insert into public.content_reports (reporter_id, content_type, content_id, reason) values ($1, 'profile', $2, 'Rude')",
    ],
    [
      'suggestions',
      'resource_suggestions',
      `insert into public.resource_suggestions (user_id, resource_name, resource_url, description, category)
       select $1, 'ISPO', 'https://www.ispoint.org/', 'The international society.', 'Patient Resources' where $2::uuid is not null`,
    ],
    [
      'posts that wait',
      'held_posts',
      `insert into public.held_posts (user_id, title, category, content)
       select $1, 'Liners', 'general', 'Which?' where $2::uuid is not null`,
    ],
  ] as const)('%s are heard by their author and by moderators alone', async (_what, table, sql) => {
    const subscribers = {
      author: await subscribe(author.client, table),
      moderator: await subscribe(moderator.client, table),
      colleague: await subscribe(colleague.client, table),
    };
    await database.query(sql, [author.id, admin.id]);
    await until(() => subscribers.author.changes.length === 1 && subscribers.moderator.changes.length === 1);
    // A change written later has arrived, so no earlier one is on its way any more.
    await database.query(sql, [colleague.id, admin.id]);
    await until(() => subscribers.colleague.changes.length > 0);
    expect(
      subscribers.colleague.changes.map((one) => {
        const row = one.new as { reporter_id?: string; user_id?: string };
        return row.reporter_id ?? row.user_id;
      }),
    ).toEqual([colleague.id]);
  });
});

describe('a solution under review', () => {
  it('is heard by its author and by moderators, by others from its approval on, and why it was refused by no one else', async () => {
    const subscribers = {
      author: await subscribe(author.client, 'solutions'),
      moderator: await subscribe(moderator.client, 'solutions'),
      colleague: await subscribe(colleague.client, 'solutions'),
      visitor: await subscribe(visitor(backend), 'solutions'),
    };
    const id = await solution('pending');
    await until(() => subscribers.author.changes.length === 1 && subscribers.moderator.changes.length === 1);
    await database.query("update public.solutions set status = 'approved' where id = $1", [id]);
    await until(() => subscribers.visitor.changes.length === 1 && subscribers.colleague.changes.length === 1);
    await database.query(
      "update public.solutions set status = 'rejected', rejection_reason = 'The label shows a name.' where id = $1",
      [id],
    );
    await until(() => subscribers.author.changes.length === 3 && subscribers.moderator.changes.length === 3);
    const other = await solution('approved');
    await until(() => subscribers.visitor.changes.length === 2 && subscribers.colleague.changes.length === 2);
    for (const subscriber of [subscribers.visitor, subscribers.colleague]) {
      expect(
        subscriber.changes.map((one) => [
          (one.new as { id: string }).id,
          (one.new as { status?: string }).status,
        ]),
      ).toEqual([
        [id, 'approved'],
        [other, 'approved'],
      ]);
      expect(JSON.stringify(subscriber.changes)).not.toContain('label shows');
    }
  });

  it('is asked after by no filter, and gone without a word to whoever could not read it', async () => {
    const questions = [
      'title=like.%clamp%',
      'title=imatch.cl.mp',
      'rejection_reason=like.%label%',
      'likes_count=gte.0',
    ];
    const anonymous = await subscribeTo(
      visitor(backend),
      ...questions.map((filter) => ({ table: 'solutions', filter })),
    );
    clients.push(moderator.client);
    const reviewing = await subscribeTo(moderator.client, {
      table: 'solutions',
      filter: 'title=like.%clamp%',
    });
    const add = async (status: 'pending' | 'approved') =>
      (
        await database.query<{ id: string }>(
          insertConsented({ user_id: author.id, status, title: 'A clamp for violins' }),
        )
      ).rows[0]?.id;
    const remove = (id: string | undefined) =>
      database.query('delete from public.solutions where id = $1', [id]);
    const pending = await add('pending');
    await until(() => reviewing.changes.length === 1);
    await database.query(
      "update public.solutions set status = 'rejected', rejection_reason = 'The label shows a name.' where id = $1",
      [pending],
    );
    await until(() => reviewing.changes.length === 2);
    await remove(pending);
    const open = await add('approved');
    // Two of the four conditions concern its title, one its count; of a deleted row only the id and status
    // are known.
    await until(() => anonymous.changes.length === 3);
    expect(anonymous.changes.map((one) => (one.new as { id: string }).id)).toEqual([open, open, open]);
    expect(anonymous.states).toEqual(['SUBSCRIBED']);
    await until(() => reviewing.changes.length === 3);

    const everybody = await subscribe(visitor(backend), 'solutions');
    const member = await subscribe(colleague.client, 'solutions');
    await remove(await add('pending'));
    await remove(open);
    for (const { changes: heard } of [everybody, member]) {
      await until(() => heard.length === 1);
      expect(heard[0]).toMatchObject({ eventType: 'DELETE', old: { id: open } });
    }
  });

  it('of a solution for members is heard by members, and of one for checked professionals by these alone', async () => {
    const checked = await member(backend);
    await database.query(COMPLETE_PROFILES);
    await database.query(
      `insert into public.member_registrations (user_id, register, number, state, decided_at, checklist)
       values ($1, 'HCPC', 'PO1', 'checked', now(), '{"name": true, "number": true, "current": true}')`,
      [checked.id],
    );
    const heardBy = {
      visitor: await subscribe(visitor(backend), 'solutions'),
      member: await subscribe(colleague.client, 'solutions'),
      checked: await subscribe(checked.client, 'solutions'),
    };
    const counts = await subscribe(checked.client, 'comment_counts');
    const closed = [
      await subscribe(visitor(backend), 'comments'),
      await subscribe(visitor(backend), 'comment_counts'),
    ];
    const id = await solution('approved');
    /** The number of times that each has heard of the solution. */
    const times = ({ changes }: Subscriber) =>
      changes.filter((one) => [one.new, one.old].some((row) => (row as { id?: string }).id === id)).length;
    for (const subscriber of Object.values(heardBy)) await until(() => times(subscriber) === 1);
    const set = (audience: string) =>
      database.query('update public.solutions set audience = $2 where id = $1', [id, audience]);
    await set('members');
    await until(() => times(heardBy.member) === 2);
    await set('checked');
    await until(() => times(heardBy.checked) === 3);
    await database.query(
      "insert into public.comments (solution_id, user_id, content) values ($1, $2, 'Which clamp?')",
      [id, author.id],
    );
    await until(() => counts.changes.length === 1);
    await database.query('delete from public.solutions where id = $1', [id]);
    await until(() => times(heardBy.checked) === 4);
    const open = await solution('approved');
    for (const { changes } of Object.values(heardBy))
      await until(() => (changes.at(-1)?.new as { id?: string } | undefined)?.id === open);
    expect(times(heardBy.visitor)).toBe(1);
    expect(times(heardBy.member)).toBe(2);
    expect(closed.flatMap(({ changes }) => changes)).toEqual([]);

    // A check that has lapsed closes the channel's view with the next change.
    const later = await solution('approved');
    const heardLater = () =>
      heardBy.checked.changes.filter((one) => (one.new as { id?: string } | undefined)?.id === later).length;
    const narrow = () =>
      database.query(
        "update public.solutions set audience = 'checked', likes_count = likes_count where id = $1",
        [later],
      );
    await narrow();
    await until(() => heardLater() === 2);
    await database.query(
      "update public.member_registrations set decided_at = now() - interval '400 days' where user_id = $1",
      [checked.id],
    );
    await narrow();
    const last = await solution('approved');
    await until(() => (heardBy.checked.changes.at(-1)?.new as { id?: string } | undefined)?.id === last);
    expect(heardLater()).toBe(2);
    await checked.client.realtime.disconnect();
  });

  it('is no longer heard by a moderator from the moment the role is gone', async () => {
    const [former, stays] = [
      await subscribe(moderator.client, 'solutions'),
      await subscribe(author.client, 'solutions'),
    ];
    const own = await subscribe(moderator.client, 'user_roles', `user_id=eq.${moderator.id}`);
    await solution('pending');
    await until(() => former.changes.length === 1);
    await database.query('delete from public.user_roles where user_id = $1', [moderator.id]);
    await until(() => own.changes.length === 1);
    await solution('pending');
    await until(() => stays.changes.length === 2);
    await solution('approved');
    await until(() => former.changes.length === 2);
    expect(former.changes.map((one) => (one.new as { status: string }).status)).toEqual([
      'pending',
      'approved',
    ]);
  });
});
