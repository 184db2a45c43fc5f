import { describe, expect, it } from 'vitest';
import { openDatabase, people } from './fixtures.ts';

const { as, owner, column, insert, topic } = openDatabase();

describe('reports', () => {
  const report = (about: string) =>
    insert('colleague', 'content_reports', { content_type: 'topic', content_id: about, reason: 'Rude' });

  it('are of what there is, one open at a time', async () => {
    const id = await topic();
    expect((await report(id)).rowCount).toBe(1);
    expect((await report(id)).code).toBe('23505');
    expect((await report(people.author)).code).toBe('42501');
  });

  it('are closed by moderators once, with the server’s stamp', async () => {
    await report(await topic());
    const close =
      "update content_reports set status = 'resolved', admin_response = $1, resolved_by = $2, resolved_at = '2000-01-01'";
    expect((await as('moderator', close, ['Removed', people.admin])).rowCount).toBe(1);
    expect(
      await owner("select resolved_by, resolved_at > '2020-01-01' as stamped from content_reports"),
    ).toEqual([{ resolved_by: people.moderator, stamped: true }]);
    expect((await as('moderator2', close, ['Again', people.admin])).rowCount).toBe(0);
    expect(await column('select action from audit_events')).toEqual(['report_resolved']);
  });
});

describe('page views', () => {
  const log = (path: string) =>
    insert('visitor', 'page_views', { page_path: path, session_id: 'abc', viewed_at: '2000-01-01' });

  it('have the server’s time', async () => {
    expect((await log('/browse')).rowCount).toBe(1);
    expect(await column("select viewed_at > '2020-01-01' from page_views")).toEqual([true]);
  });

  it('are forgotten after two years', async () => {
    await owner(
      "insert into page_views (page_path, viewed_at) values ('/old', now() - interval '731 days'), ('/new', now() - interval '700 days')",
    );
    await owner('select expire_retained_records()');
    expect(await column('select page_path from page_views')).toEqual(['/new']);
  });

  it.each(['/browse?q=patient', `/${'x'.repeat(400)}`, 'https://evil.example/'])(
    'keep no query string and no endless path: %s',
    async (path) => {
      expect((await log(path)).code).toBe('23514');
    },
  );
});
