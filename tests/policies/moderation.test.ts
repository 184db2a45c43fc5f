import { describe, expect, it } from 'vitest';
import { type Actor, openWorld, people } from './world.ts';

const { as, owner, message, post, topic } = openWorld();

const report = async (kind: string, id: string, by: Actor = 'author') => {
  const made = await as<{ id: string }>(
    by,
    "insert into content_reports (content_type, content_id, reason) values ($1, $2, 'Rude') returning id",
    [kind, id],
  );
  return made.rows[0]?.id ?? '';
};
const close = (actor: Actor, id: string, response: string | null = 'Thank you, it is gone.') =>
  as(actor, 'update content_reports set status = $2, admin_response = $3 where id = $1', [
    id,
    response ? 'resolved' : 'dismissed',
    response,
  ]);

describe('a reported message', () => {
  const read = (actor: Actor, id: string) =>
    as<{ message: { content: string; sender: string } | null }>(
      actor,
      'select read_reported_message($1) as message',
      [id],
    );

  it('is read by moderators through its report alone, and each reading is in the log', async () => {
    const about = await message();
    const id = await report('message', about);
    expect((await as('moderator', 'select id from messages')).rows).toEqual([]);
    expect((await read('moderator', id)).rows[0]?.message).toMatchObject({
      content: 'Could you share the drawing?',
      sender: 'Dr colleague',
    });
    expect(await owner('select actor_id, action, target_id, after from audit_events')).toEqual([
      {
        actor_id: people.moderator,
        action: 'reported_message_read',
        target_id: about,
        after: { report: id },
      },
    ]);
  });

  it('stays closed to others, without a report, and once the report is closed', async () => {
    const about = await message();
    const id = await report('message', about);
    for (const actor of ['visitor', 'author', 'colleague'] as const)
      expect((await read(actor, id)).code).toBe('42501');
    expect((await read('moderator', about)).rows[0]?.message).toBeNull();
    expect((await read('moderator', await report('topic', await topic()))).rows[0]?.message).toBeNull();
    await close('moderator', id, null);
    expect((await read('moderator', id)).rows[0]?.message).toBeNull();
    expect(await owner("select from audit_events where action = 'reported_message_read'")).toEqual([]);
  });
});

describe('a response to a report', () => {
  const received = () =>
    owner("select sender_id, recipient_id, content from messages where subject = 'About your report'");

  it('reaches the reporter as a message, also one who allows none', async () => {
    await owner('update profiles set allow_messages = false where id = $1', [people.author]);
    await close('moderator', await report('topic', await topic('colleague')));
    expect(await received()).toEqual([
      { sender_id: people.moderator, recipient_id: people.author, content: 'Thank you, it is gone.' },
    ]);
  });

  it('is not sent for a dismissal, nor to oneself', async () => {
    await close('moderator', await report('topic', await topic('colleague')), null);
    await close('moderator', await report('topic', await topic('colleague'), 'moderator'));
    expect(await received()).toEqual([]);
  });

  it('closes all reports of one thing at once, and only once', async () => {
    const about = await post(await topic());
    await report('post', about);
    await report('post', about, 'admin');
    const closeAll = (actor: Actor) =>
      as(
        actor,
        "update content_reports set status = 'resolved', admin_response = 'Removed' where content_type = 'post' and content_id = $1 and status = 'pending'",
        [about],
      );
    expect((await closeAll('colleague')).rowCount).toBe(0);
    expect((await closeAll('moderator')).rowCount).toBe(2);
    expect((await closeAll('moderator2')).rowCount).toBe(0);
    expect(await received()).toHaveLength(2);
  });
});
