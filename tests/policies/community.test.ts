import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from './fixtures.ts';

const { as, owner, solution, topic, message } = openDatabase();

describe('reports', () => {
  const report = (
    actor: Actor,
    type: string,
    id: string,
    reason = 'Names a patient',
    who: string | undefined = people[actor],
  ) =>
    as(
      actor,
      'insert into content_reports (reporter_id, content_type, content_id, reason) values ($1, $2, $3, $4)',
      [who, type, id, reason],
    );

  it('are made by members about what they can see, one open at a time', async () => {
    const id = await topic();
    expect((await report('colleague', 'topic', id)).rowCount).toBe(1);
    expect((await report('colleague', 'topic', id)).code).toBe('23505');
    expect((await report('visitor', 'topic', id)).code).toBe('42501');
    expect((await report('colleague', 'topic', id, 'x', people.author)).code).toBe('42501');
    expect((await report('colleague', 'post', id)).code).toBe('42501');
    expect((await report('colleague', 'planet', id)).code).toMatch(/42501|23514/);
    expect((await report('author', 'topic', id, ' ')).code).toBe('23514');
    expect((await report('colleague', 'solution', await solution('pending'))).code).toBe('42501');
    expect((await report('colleague', 'solution', await solution('approved'))).rowCount).toBe(1);
    const received = await message();
    expect((await report('author', 'message', received)).rowCount).toBe(1);
    expect((await report('colleague', 'message', received)).code).toBe('42501');
  });

  it('are hidden from the reported, and closed by moderators with the server’s stamp', async () => {
    await report('colleague', 'topic', await topic());
    expect((await as('author', 'select * from content_reports')).rows).toEqual([]);
    expect((await as('colleague', 'select * from content_reports')).rows).toHaveLength(1);
    const close =
      "update content_reports set status = 'resolved', admin_response = $1, resolved_by = $2, resolved_at = '2000-01-01'";
    expect((await as('colleague', close, ['Done', people.colleague])).rowCount).toBe(0);
    expect((await as('moderator', close, ['  ', people.admin])).code).toBe('23514');
    expect((await as('moderator', close, ['Removed', people.admin])).rowCount).toBe(1);
    expect(
      await owner("select resolved_by, resolved_at > '2020-01-01' as stamped from content_reports"),
    ).toEqual([{ resolved_by: people.moderator, stamped: true }]);
    expect((await as('moderator2', close, ['Again', people.admin])).rowCount).toBe(0);
    expect(await owner('select action from audit_events')).toEqual([{ action: 'report_resolved' }]);
  });

  it('cannot be forged as resolved', async () => {
    const id = await topic();
    expect(
      (
        await as(
          'colleague',
          "insert into content_reports (content_type, content_id, reason, status) values ('topic', $1, 'x', 'resolved')",
          [id],
        )
      ).code,
    ).toBe('42501');
  });
});

describe('page views', () => {
  const log = (actor: Actor, path: string, who: string | null = null) =>
    as(
      actor,
      "insert into page_views (page_path, user_id, session_id, viewed_at) values ($1, $2, 'abc', '2000-01-01')",
      [path, who],
    );

  it('are logged by anyone for themselves, at the server’s time, and read by moderators alone', async () => {
    expect((await log('visitor', '/browse')).rowCount).toBe(1);
    expect((await log('author', '/browse', people.author)).rowCount).toBe(1);
    expect((await log('author', '/browse', people.colleague)).code).toBe('42501');
    expect((await log('visitor', '/browse', people.author)).code).toBe('42501');
    expect(await owner("select count(*)::int as n from page_views where viewed_at > '2020-01-01'")).toEqual([
      { n: 2 },
    ]);
    expect((await as('visitor', 'select page_path from page_views')).code).toBe('42501');
    expect((await as('author', 'select page_path from page_views')).rows).toEqual([]);
    expect((await as('moderator', 'select page_path from page_views')).rows).toHaveLength(2);
    expect((await as('moderator', 'delete from page_views')).code).toBe('42501');
  });

  it('are forgotten after two years', async () => {
    await owner(
      "insert into page_views (page_path, viewed_at) values ('/old', now() - interval '731 days'), ('/new', now() - interval '700 days')",
    );
    await owner('select expire_retained_records()');
    expect(await owner('select page_path from page_views')).toEqual([{ page_path: '/new' }]);
  });

  it('keep no query string and no endless path', async () => {
    expect((await log('visitor', '/browse?q=patient')).code).toBe('23514');
    expect((await log('visitor', `/${'x'.repeat(400)}`)).code).toBe('23514');
    expect((await log('visitor', 'https://evil.example/')).code).toBe('23514');
  });
});
