import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openDatabase, people } from './fixtures.ts';

const { as, ask, owner, column, value, solution, comment, like, approve, picture, insert, verifyFactor } =
  openDatabase();

const proven = (seconds = 0) => ({
  amr: [{ method: 'password', timestamp: Math.floor(Date.now() / 1000) - seconds }],
});
const deleteAccount = (shared: string | null, seconds = 0) =>
  as('author', 'select delete_account($1)', [shared], proven(seconds));

/** Every column by which a row of the public schema belongs to a member. */
const ownedBy = `
  select c.relname as table_name, a.attname as column_name
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
  where k.contype = 'f' and k.confrelid = 'public.profiles'::regclass and c.relnamespace = 'public'::regnamespace
  order by 1, 2`;

/** Columns that name a member on the rows of others. */
const OTHERS =
  'actor_id blocked_id member_id resolved_by decided_by reviewer_id created_by lifted_by ended_by'.split(' ');

async function history() {
  const approved = await solution('approved');
  const pending = await solution('pending');
  const others = await solution('approved', 'colleague');
  await comment(others, 'author');
  await like(others, 'author');
  await owner(
    `with topics as (insert into forum_topics (user_id, title) values ($1, 'Alone'), ($1, 'Answered') returning id, title)
     insert into forum_posts (topic_id, user_id, content) select id, $2, 'A colleague’s answer' from topics where title = 'Answered'`,
    [people.author, people.colleague],
  );
  await owner(
    "insert into messages (sender_id, recipient_id, content) values ($1, $2, 'From the author'), ($2, $1, 'To the author')",
    [people.author, people.colleague],
  );
  return { approved, pending, others };
}

describe('downloading one’s data', () => {
  it('gives every table that can hold something of the member, and no one else’s rows', async () => {
    await history();
    const data = await ask<Record<string, unknown>>('author', 'export_account');
    for (const { table_name, column_name } of await owner(ownedBy))
      if (!OTHERS.includes(column_name)) expect(Object.keys(data)).toContain(table_name);
    expect(data.account).toMatchObject({ id: people.author, email: 'author@clinic.example' });
    expect(data.solutions).toHaveLength(2);
    expect(data.comments).toHaveLength(1);
    expect(data.likes).toHaveLength(1);
    expect(data.messages).toHaveLength(2);
    expect(data.forum_posts).toEqual([]);
    const text = JSON.stringify(data);
    expect(text).not.toContain('A colleague’s answer');
    expect(text).not.toContain('colleague@clinic.example');
  });

  it('gives a moderator, and who was one, their own acts and no word about those whom they concern', async () => {
    const { approved, pending, others } = await history();
    const warning = { user_id: people.author, kind: 'warning', reason: 'Wrote of a patient.' };
    await insert('moderator', 'sanctions', warning);
    await approve(pending);
    await as('moderator', 'update comments set deleted_at = now() where solution_id = $1', [others]);
    await as('moderator', 'delete from solutions where id = $1', [approved]);
    await owner('delete from user_roles where user_id = $1', [people.moderator]);
    const data = await ask<Record<string, Record<string, unknown>[]>>('moderator', 'export_account');
    expect(data.acts_in_the_audit_log?.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['solution_approved', 'solution_deleted']),
    );
    expect(data.sanctions).toEqual([]);
    const text = JSON.stringify(data);
    for (const secret of ['Printed socket', 'patient_written', 'before', 'after'])
      expect(text, secret).not.toContain(secret);
    expect(await ask('author', 'export_account')).toMatchObject({ sanctions: [{}] });
  });

  it('does not tell who has blocked one', async () => {
    await owner('insert into member_blocks (blocker_id, blocked_id) values ($1, $2)', [
      people.colleague,
      people.author,
    ]);
    expect(await ask('author', 'export_account')).toMatchObject({ member_blocks: [] });
  });
});

describe('a change of email', () => {
  const waiting = () =>
    owner<{ email_change: string; tokens: number }>(
      `select email_change, (select count(*)::int from auth.one_time_tokens t where t.user_id = u.id) as tokens
       from auth.users u where id = $1`,
      [people.author],
    );

  it('is taken back by the member alone, with the links on their way', async () => {
    await owner("update auth.users set email_change = 'new@clinic.example' where id = $1", [people.author]);
    await owner(
      `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
       values (gen_random_uuid(), $1, 'email_change_token_new', 'a', 'new@clinic.example'), (gen_random_uuid(), $1, 'recovery_token', 'b', '')`,
      [people.author],
    );
    expect(await ask('colleague', 'cancel_email_change')).toBe(false);
    expect(await waiting()).toEqual([{ email_change: 'new@clinic.example', tokens: 2 }]);
    expect(await ask('author', 'cancel_email_change')).toBe(true);
    expect(await waiting()).toEqual([{ email_change: '', tokens: 1 }]);
  });
});

describe('deleting one’s account', () => {
  it('erases what is personal and keeps what is public as a former member’s', async () => {
    const { approved, pending, others } = await history();
    expect((await deleteAccount('keep')).code).toBeUndefined();
    expect(await owner('select id from auth.users where id = $1', [people.author])).toEqual([]);
    expect(await owner('select id from profiles where id = $1', [people.author])).toEqual([]);
    expect(
      await owner('select id, user_id from solutions where id in ($1, $2)', [approved, pending]),
    ).toEqual([{ id: approved, user_id: null }]);
    expect(
      await owner(
        'select s.user_id, n.comments_count, s.likes_count from solutions s join comment_counts n on n.solution_id = s.id where s.id = $1',
        [others],
      ),
    ).toEqual([{ user_id: people.colleague, comments_count: 1, likes_count: 0 }]);
    expect(await owner('select user_id from comments')).toEqual([{ user_id: null }]);
    expect(await column('select title from forum_topics order by title')).toEqual(['Alone', 'Answered']);
    // A message belongs to both: the colleague keeps what they got and what they sent.
    expect(
      (await as('colleague', 'select sender_id, recipient_id, content from messages order by content')).rows,
    ).toEqual([
      { sender_id: null, recipient_id: people.colleague, content: 'From the author' },
      { sender_id: people.colleague, recipient_id: null, content: 'To the author' },
    ]);
    for (const { table_name: table, column_name: name } of await owner(ownedBy))
      expect(await owner(`select 1 from ${table} where ${name} = $1`, [people.author]), table).toEqual([]);
  });

  it('leaves no message that the other side had deleted already', async () => {
    await history();
    await as('colleague', "delete from messages where content = 'From the author'");
    expect(await owner('select content from messages order by content')).toHaveLength(2);
    await deleteAccount('keep');
    expect(await owner('select content from messages')).toEqual([{ content: 'To the author' }]);
  });

  it.each(['keep', 'remove'])('says goodbye by a last email, which names the choice: %s', async (shared) => {
    await owner('update auth.users set email_confirmed_at = now() where id = $1', [people.author]);
    await deleteAccount(shared);
    expect(await ask('service', 'claim_mail')).toMatchObject({
      to: 'author@clinic.example',
      unsubscribe: null,
      notices: [{ type: `account_deleted_${shared}` }],
    });
  });

  it('takes along what was shared when asked to, but not what others wrote', async () => {
    const { others } = await history();
    expect((await deleteAccount('remove')).code).toBeUndefined();
    expect(await owner('select id from solutions')).toEqual([{ id: others }]);
    expect(await owner('select id from comments')).toEqual([]);
    expect(await owner('select title, description from forum_topics')).toEqual([
      { title: 'Removed topic', description: null },
    ]);
    expect(await owner('select content from forum_posts')).toEqual([{ content: 'A colleague’s answer' }]);
  });

  it('leaves files to be purged that no kept solution shows', async () => {
    const { approved } = await history();
    const folder = `/storage/v1/object/public/solution-media/${people.author}`;
    await owner(
      `insert into storage.objects (bucket_id, name) values
         ('solution-media', $1 || '/kept.webp'), ('solution-media', $1 || '/stray.webp'), ('avatars', $1 || '/1.webp'), ('avatars', $2 || '/1.webp')`,
      [people.author, people.colleague],
    );
    await picture(approved, { media_url: `${folder}/kept.webp` });
    await deleteAccount('keep');
    expect(
      (await value<string[]>('select object_names from media_jobs where solution_id is null')).sort(),
    ).toEqual([`avatars/${people.author}/1.webp`, `solution-media/${people.author}/stray.webp`]);
  });

  it('archives what law requires, out of everyone’s reach, for seven years', async () => {
    const { approved } = await history();
    await deleteAccount('remove');
    const [retained] = await owner(
      "select email, record -> 'consents' as consents, keep_until > now() + interval '6 years 364 days' as long from private.retained_records",
    );
    expect(retained).toMatchObject({
      email: 'author@clinic.example',
      long: true,
      consents: expect.arrayContaining([
        expect.objectContaining({ solution_id: approved, basis: 'patient_written' }),
      ]),
    });
    for (const actor of ['visitor', 'colleague', 'moderator', 'admin', 'service'] as const)
      expect((await as(actor, 'select * from private.retained_records')).code, actor).toBe('42501');
    await ask('service', 'expire_retained_records');
    expect(await owner('select from private.retained_records')).toHaveLength(1);
    await owner("update private.retained_records set keep_until = now() - interval '1 second'");
    await ask('service', 'expire_retained_records');
    expect(await owner('select from private.retained_records')).toEqual([]);
  });

  it('needs a recent proof, the second step where there is one, and a choice', async () => {
    expect((await deleteAccount('keep', 700)).message).toBe('Please sign in again to delete your account');
    expect((await deleteAccount('everything')).message).toBe(
      'Choose whether to keep or delete your published content',
    );
    expect((await as('author', "select delete_account('keep')")).code).toBe('42501');
    await verifyFactor('author');
    expect((await deleteAccount('keep')).message).toBe('Please sign in again to delete your account');
    expect(
      (await as('author', "select delete_account('keep')", [], { ...proven(), aal: 'aal2' })).code,
    ).toBeUndefined();
  });

  it('is refused to the last administrator', async () => {
    await owner('delete from user_roles where user_id = $1', [people.admin2]);
    const attempt = await as('admin', "select delete_account('keep')", [], proven());
    expect(attempt.message).toBe('The last administrator cannot delete their account');
  });
});

describe('sessions', () => {
  it('are listed for their owner alone, the current one marked', async () => {
    const [here, elsewhere] = [randomUUID(), randomUUID()];
    for (const [id, person] of [
      [here, people.author],
      [elsewhere, people.author],
      [randomUUID(), people.colleague],
    ])
      await owner(
        "insert into auth.sessions (id, user_id, created_at, updated_at, user_agent) values ($1, $2, now(), now(), 'Firefox')",
        [id, person],
      );
    const seen = await as('author', 'select id, is_current, user_agent from own_sessions()', [], {
      session_id: here,
    });
    expect(seen.rows).toEqual([
      { id: here, is_current: true, user_agent: 'Firefox' },
      { id: elsewhere, is_current: false, user_agent: 'Firefox' },
    ]);
  });
});

describe('the usual time to review', () => {
  it('is the median of decisions, told once there were five', async () => {
    const decided = async (hours: number) => {
      const id = await solution('pending');
      await owner(
        `update solution_reviews set created_at = now() - interval '${hours} hours' where solution_id = $1`,
        [id],
      );
      await approve(id);
    };
    for (const hours of [2, 4, 6, 8]) await decided(hours);
    expect(await ask('colleague', 'usual_review_hours')).toBeNull();
    await decided(100);
    expect(await ask('colleague', 'usual_review_hours')).toBe(6);
  });
});
