import { describe, expect, it } from 'vitest';
import { namesOfTypes, noticeTypes, warningTypes } from '#app/notice-types.ts';
import { type Member, openDatabase, people } from './fixtures.ts';

const world = openDatabase();
const { as, ask, owner, column, value, insert, noticesOf, approve, reject } = world;
const { solution, comment, like, topic, post, message } = world;

describe('notifications', () => {
  const mine = async (member: Member) => (await noticesOf(member)).sort();
  const withoutBadges = async () => (await mine('author')).filter((type) => type !== 'badge_earned');

  it('tell authors of comments, replies, likes, decisions and badges, and no one of their own acts', async () => {
    const id = await solution('pending');
    await approve(id);
    const parent = await comment(id, 'colleague');
    await comment(id, 'author', parent);
    await like(id, 'colleague');
    await like(id, 'author');
    await comment(id, 'author');
    expect(await mine('author')).toEqual(['badge_earned', 'comment', 'like', 'solution_approved']);
    expect(await mine('colleague')).toEqual(['comment_reply']);
  });

  it('tell of messages, forum replies and rejections, each once', async () => {
    await message();
    await post(await topic());
    await reject(await solution('pending'));
    expect(await withoutBadges()).toEqual(['forum_reply', 'message', 'solution_rejected']);
    // The message with the reason and the notification of the rejection are one: reading either reads both.
    await as(
      'author',
      "update messages set read = true where subject like 'Your solution was not approved%'",
    );
    expect(await column('select type from notifications where message_id is not null and is_read')).toEqual([
      'solution_rejected',
    ]);
  });

  it('name the moderator who decided on a suggestion or a report to its author', async () => {
    await owner(
      `insert into resource_suggestions (user_id, resource_name, resource_url, description, category)
       select $1, name, 'https://www.ispoint.org/', 'The international society.', 'Professional Organizations' from unnest(array['ISPO', 'AOPA']) name`,
      [people.author],
    );
    await as('moderator', "update resource_suggestions set status = 'approved' where resource_name = 'ISPO'");
    await as('moderator', "update resource_suggestions set status = 'rejected' where resource_name = 'AOPA'");
    for (const reason of ['Rude', 'Wrong'])
      await insert('author', 'content_reports', {
        content_type: 'topic',
        content_id: await topic('colleague'),
        reason,
      });
    await as('moderator', "update content_reports set status = 'dismissed' where reason = 'Wrong'");
    await as(
      'moderator',
      "update content_reports set status = 'resolved', admin_response = 'Removed.' where reason = 'Rude'",
    );
    const told = await owner(
      `select n.type, coalesce(g.resource_name, r.reason) as about, n.message_id is not null as answered from notifications n
       left join resource_suggestions g on g.id = n.resource_suggestion_id
       left join content_reports r on r.id = n.content_report_id
       where n.user_id = $1 and n.actor_id = $2 order by n.type`,
      [people.author, people.moderator],
    );
    expect(told).toEqual([
      { type: 'report_dismissed', about: 'Wrong', answered: false },
      { type: 'report_resolved', about: 'Rude', answered: true },
      { type: 'suggestion_approved', about: 'ISPO', answered: false },
      { type: 'suggestion_rejected', about: 'AOPA', answered: false },
    ]);
  });

  it('of a removal and of the message that explains it are one, and no other moderator’s message', async () => {
    await owner('update profiles set email_notifications = true where id = $1', [people.author]);
    await message('moderator', 'author');
    await message('moderator2', 'author');
    const insert = `insert into notifications (user_id, actor_id, type, message_id)
      select $1, $2, 'content_deleted', m.id from messages m where m.sender_id = $3`;
    const tell = (sender: string) => as('moderator', insert, [people.author, people.moderator, sender]);
    expect((await tell(people.moderator2)).rowCount).toBe(0);
    expect((await tell(people.moderator)).rowCount).toBe(1);
    expect(
      await owner('select type, actor_id from notifications where user_id = $1 order by type', [
        people.author,
      ]),
    ).toEqual([
      { type: 'content_deleted', actor_id: people.moderator },
      { type: 'message', actor_id: people.moderator2 },
    ]);
    expect(await column("select notice ->> 'type' from private.mail_jobs order by 1")).toEqual([
      'content_deleted',
      'message',
    ]);
  });

  it('of replies are for a hundred topics more a day', async () => {
    await owner(
      `with topics as (insert into forum_topics (user_id, title) select $1, 'Liners' from generate_series(1, 100) returning id)
       insert into follows (topic_id, user_id) select id, $2 from topics`,
      [people.colleague, people.author],
    );
    const follow = (id: string) => insert('author', 'follows', { topic_id: id });
    const another = await topic('colleague');
    expect((await follow(another)).message).toContain('You have followed 100 members, solutions, topics');
    await owner("update follows set created_at = now() - interval '25 hours'");
    expect((await follow(another)).rowCount).toBe(1);
  });

  it('of replies reach those who follow the topic, and its author until they stop', async () => {
    const id = await topic('author');
    expect((await insert('colleague', 'follows', { topic_id: id })).rowCount).toBe(1);
    await post(id, 'moderator');
    expect(await mine('author')).toContain('forum_reply');
    expect(await mine('colleague')).toEqual(['forum_reply']);
    await as('author', 'delete from follows');
    await owner('delete from notifications');
    await post(id, 'moderator');
    expect(await mine('author')).toEqual([]);
    expect(await mine('colleague')).toEqual(['forum_reply']);
  });

  it('are of a listed type, and of no other', async () => {
    const notify = (type: string) =>
      owner('insert into notifications (user_id, type) values ($1, $2)', [people.author, type]);
    await notify('like');
    await expect(notify('rumour')).rejects.toThrow('notifications_type_fkey');
  });

  it('have words for each type, and say in those that are mailed alone what their button does', async () => {
    const types = 'select type from private.notice_types';
    expect(await column(`${types} order by type`)).toEqual(Object.keys(noticeTypes).toSorted());
    expect(await column(`${types} where warns order by type`)).toEqual(warningTypes.toSorted());
    const button = namesOfTypes(({ warning, email }) => warning ?? email);
    expect(
      (await column<string>(`${types} where at_once order by type`)).filter((type) => !button.includes(type)),
    ).toEqual([]);
  });

  it('are none for members who want none, besides warnings, and go with what they are about', async () => {
    const id = await solution();
    await like(id);
    const one = await comment(id);
    await as('colleague', 'delete from likes');
    await as('colleague', 'delete from comments where id = $1', [one]);
    expect(await withoutBadges()).toEqual([]);
    await owner('update profiles set allow_notifications = false where id = $1', [people.author]);
    await comment(id);
    expect(await withoutBadges()).toEqual([]);
    await insert('moderator', 'safety_notices', { solution_id: id, kind: 'recall', content: 'It shears.' });
    expect(await withoutBadges()).toEqual(['safety_notice']);
  });

  it('of a comment go with it, also when its place stays for its replies', async () => {
    const id = await solution();
    const [one, other] = [await comment(id), await comment(id)];
    await comment(id, 'moderator', one);
    await as('colleague', 'delete from comments where id = $1', [one]);
    expect(
      await column("select comment_id from notifications where actor_id = $1 and type = 'comment'", [
        people.colleague,
      ]),
    ).toEqual([other]);
  });
});

describe('mail', () => {
  interface Mail {
    ids: number[];
    digest: boolean;
    to: string;
    unsubscribe: string;
    notices: { type: string; actor: string; title: string; subject: string }[];
  }
  const wanted = async (member = people.author) => {
    await owner('update profiles set email_notifications = true where id = $1', [member]);
    await owner('update auth.users set email_confirmed_at = now() where id = $1', [member]);
  };
  const claim = () => value<Mail | null>('select claim_mail()');
  const types = (mail: Mail | null) => mail?.notices.map(({ type }) => type);
  const nextMorning = () => owner('update private.mail_jobs set due_at = now() where digest');

  it('is for members who asked for it', async () => {
    await message();
    expect(await owner('select * from private.mail_jobs')).toEqual([]);
    await wanted();
    await message();
    expect(await claim()).toMatchObject({
      digest: false,
      to: 'author@clinic.example',
      notices: [{ type: 'message', actor: 'Dr colleague', subject: 'Your bow socket' }],
    });
    expect(await claim()).toBeNull();
  });

  it('tells of messages and decisions at once, and of the rest in one mail in the morning', async () => {
    await wanted();
    const id = await solution();
    await like(id);
    await comment(id);
    await post(await topic());
    await insert('moderator', 'notifications', {
      user_id: people.author,
      actor_id: people.moderator,
      type: 'content_deleted',
    });
    expect(types(await claim())).toEqual(['content_deleted']);
    expect(await claim()).toBeNull();
    expect(
      await owner(`select distinct to_char(due_at at time zone 'UTC', 'HH24:MI') as at, due_at > now() and due_at <= now() + interval '1 day' as soon
        from private.mail_jobs where digest`),
    ).toEqual([{ at: '07:00', soon: true }]);
    await nextMorning();
    const digest = await claim();
    expect(digest?.digest).toBe(true);
    expect(types(digest)?.filter((type) => type !== 'badge_earned')).toEqual([
      'like',
      'comment',
      'forum_reply',
    ]);
    expect(await claim()).toBeNull();
  });

  it('says once that a solution was rejected', async () => {
    await wanted();
    await reject(await solution('pending'));
    expect(types(await claim())).toEqual(['solution_rejected']);
    expect(await claim()).toBeNull();
  });

  it('comes to members who want nothing on the site, too', async () => {
    await wanted();
    await owner('update profiles set allow_notifications = false');
    await message();
    expect(await owner('select * from notifications')).toEqual([]);
    expect((await claim())?.notices).toHaveLength(1);
  });

  it.each([
    ['has opted out in the meantime', 'update profiles set email_notifications = false'],
    ['is banned', "update auth.users set banned_until = now() + interval '1 day'"],
    ['has been deleted', 'update auth.users set deleted_at = now()'],
    ['has not confirmed the address', 'update auth.users set email_confirmed_at = null'],
    ['has read the message', 'update messages set read = true'],
    ['has seen the notification', 'update notifications set is_read = true'],
    ['has removed the notification', 'delete from notifications'],
    ['has deleted the message', 'delete from messages'],
    ['has left', "delete from auth.users where email = 'author@clinic.example'"],
  ])('is not sent when its reader %s', async (_what, change) => {
    await wanted();
    await message();
    await owner(change);
    expect(await claim()).toBeNull();
    expect(await owner('select * from private.mail_jobs')).toEqual([]);
  });

  it('does not tell of a like that was taken back', async () => {
    await wanted();
    await owner('update profiles set allow_notifications = false');
    await like(await solution());
    await as('colleague', 'delete from likes');
    await owner("delete from private.mail_jobs where notice ->> 'type' = 'badge_earned'");
    await nextMorning();
    expect(await claim()).toBeNull();
  });

  it('is tried again later and later, and given up after twenty times or a week', async () => {
    await wanted();
    await message();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 20; attempt++) {
      const mail = await claim();
      waits.push(
        await value<number>('select extract(epoch from due_at - now())::int / 60 from private.mail_jobs'),
      );
      expect(await value('select mail_failed($1, $2)', [mail?.ids, '451 later'])).toBe(attempt === 20);
      await owner('update private.mail_jobs set due_at = now()');
    }
    expect(waits.slice(0, 4)).toEqual([1, 2, 4, 8]);
    expect(Math.max(...waits)).toBe(360);
    expect(await owner('select * from private.mail_jobs')).toEqual([]);

    await message();
    await message();
    await owner(
      "update private.mail_jobs set created_at = now() - interval '9 days' where id = (select min(id) from private.mail_jobs)",
    );
    expect(await owner('select * from mail_due()')).toEqual([{ due: 1, given_up: 1 }]);
  });

  it('is stopped by its own link, without signing in, for its reader alone', async () => {
    await wanted();
    await wanted(people.admin);
    await message();
    const token = (await claim())?.unsubscribe ?? '';
    const stop = (mailToken: string) => ask('visitor', 'unsubscribe_from_mail', [mailToken]);
    expect(await stop('')).toBe(false);
    expect(await stop(token.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toBe(false);
    expect(await stop(token.replace(people.author, people.admin))).toBe(false);
    expect(await owner('select from profiles where email_notifications')).toHaveLength(2);
    expect(await stop(token)).toBe(true);
    expect(await stop(token)).toBe(true);
    expect(await owner('select id from profiles where email_notifications')).toEqual([{ id: people.admin }]);
  });

  it('lies where no client can read it', async () => {
    await wanted();
    await message();
    for (const actor of ['visitor', 'author', 'admin'] as const) {
      for (const sql of [
        'select * from private.mail_jobs',
        'select * from private.mail_key',
        'select private.unsubscribe_token(auth.uid())',
      ])
        expect((await as(actor, sql)).code, sql).toBe('42501');
    }
  });
});
