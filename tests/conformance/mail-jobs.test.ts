import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestBackend } from '../backend.ts';
import { COMPLETE_PROFILES } from '../completed-profiles.ts';
import { startMailServer } from '../mail-server.ts';
import { shareSolution } from '../solution.ts';
import { freshAddress, operator, PASSWORD, visitor } from './auth/fixtures.ts';
import { ownBackend } from './own-backend.ts';

const office = startMailServer();
await office.open();
afterAll(() => office.shut());
const { backend, database } = await ownBackend({
  SMTP_URL: office.address(),
  MAIL_FROM: 'Limb Commons <hello@example.org>',
});
interface Member {
  id: string;
  email: string;
  client: SupabaseClient;
}
const amara = await member('Amara Okafor');
const ben = await member('Ben <b>Ito</b>');

async function member(name: string): Promise<Member> {
  const email = freshAddress();
  const { data } = await operator(backend).auth.admin.createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
  });
  const client = visitor(backend);
  await client.auth.signInWithPassword({ email, password: PASSWORD });
  const id = data.user?.id ?? '';
  await client.from('profiles').update({ full_name: name, email_notifications: true }).eq('id', id);
  await database.query(COMPLETE_PROFILES);
  return { id, email, client };
}

const write = async (subject: string) => {
  const { error } = await ben.client
    .from('messages')
    .insert({ sender_id: ben.id, recipient_id: amara.id, subject, content: 'The patient is called Ada.' });
  if (error) throw error;
};
/** The site's own timer may have taken a mail just before: it is still on its way when this returns. */
const send = async (by = backend) => {
  const { error } = await operator(by).functions.invoke('process-mail-jobs', { method: 'POST' });
  if (error) throw error;
};
const jobs = async () =>
  (
    await database.query<{ attempts: number; last_error: string | null; later: boolean }>(
      'select attempts, last_error, due_at > now() as later from private.mail_jobs where not digest',
    )
  ).rows;
/** With folded header lines and soft line breaks undone. */
const letters = () =>
  office.received.map((letter) => letter.replaceAll(/=\n|\n(?=[ \t])/g, '').replaceAll('=3D', '='));
const letterAbout = (subject: string) => letters().filter((letter) => letter.includes(subject));

describe('the queue of mails', () => {
  it('waits while the mail server is down, and loses and spends nothing', async () => {
    await office.shut();
    await write('Sent while all is dark');
    await send();
    expect(await jobs()).toEqual([{ attempts: 0, last_error: null, later: false }]);
    await office.open();
    await send();
    await expect.poll(() => letterAbout('Sent while all is dark')).toHaveLength(1);
    await expect.poll(jobs).toEqual([]);
  });

  it('names sender and subject in text and HTML, says how to stop, and keeps the message itself out', async () => {
    await write('A <i>cello</i> bow');
    await send();
    await expect.poll(() => office.received.length).toBe(2);
    const letter = letters()[1] ?? '';
    expect(letter).toContain(`To: ${amara.email}`);
    expect(letter).toContain('From: Limb Commons <hello@example.org>');
    expect(letter).toContain('Subject: Ben <b>Ito</b> sent you a message: A <i>cello</i> bow');
    expect(letter).toMatch(/^Message-ID: <notice-\d+@/m);
    expect(letter).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const [, link] = /^List-Unsubscribe: <(\S+)>$/m.exec(letter) ?? [];
    expect(link).toMatch(new RegExp(`^${backend.url}/unsubscribe\\?token=${amara.id}\\.[0-9a-f]{64}$`));
    expect(letter).toContain('Content-Type: text/plain');
    expect(letter).toContain('Content-Type: text/html');
    expect(letter).toContain('Ben &lt;b&gt;Ito&lt;/b&gt; sent you a message');
    expect(letter).toContain(`${backend.url}/messages`);
    expect(letter).not.toContain('Ada');
    expect(letter).not.toContain('{{');
  });

  it('tries again later what the server did not take', async () => {
    office.refusals.push('451 try again later');
    await write('Refused at first');
    await send();
    await expect
      .poll(jobs)
      .toEqual([{ attempts: 1, last_error: expect.stringContaining('451'), later: true }]);
    await send();
    expect(letterAbout('Refused at first')).toEqual([]);
    await database.query('update private.mail_jobs set due_at = now() where not digest');
    await send();
    await expect.poll(() => letterAbout('Refused at first')).toHaveLength(1);
  });

  it('stops for an address that is refused for good, tells its member alone, and goes on when they say so', async () => {
    const marks = async ({ client }: Member) =>
      (await client.from('refused_addresses').select('user_id,address')).data;
    await write('Refused for want of a right');
    // The operator's fault, or the sender's: not the address's.
    for (const refusal of [
      '550 5.7.1 no',
      '550 relay not permitted',
      '553 5.1.8 bad sender',
      '552 5.3.4 big',
    ]) {
      office.refusals.push(refusal);
      await send();
      expect(await jobs(), refusal).toMatchObject([
        { last_error: expect.stringContaining(refusal), later: true },
      ]);
      expect(await marks(amara), refusal).toEqual([]);
      await database.query('update private.mail_jobs set due_at = now() where not digest');
    }
    office.refusals.push('550 5.1.1 no such user');
    await send();
    await expect.poll(jobs).toEqual([]);
    expect(await marks(amara)).toEqual([{ user_id: amara.id, address: amara.email }]);
    expect(await marks(ben)).toEqual([]);
    const before = office.received.length;
    await write('To an address that is refused');
    await send();
    await expect.poll(jobs).toEqual([]);
    expect(office.received).toHaveLength(before);

    await ben.client.from('refused_addresses').delete().eq('user_id', amara.id).throwOnError();
    expect(await marks(amara)).toHaveLength(1);
    await amara.client.from('refused_addresses').delete().eq('user_id', amara.id).throwOnError();
    await write('To an address that is right again');
    await send();
    await expect.poll(() => letterAbout('To an address that is right again')).toHaveLength(1);
    // Another address is not the one that was refused.
    await database.query("insert into refused_addresses values ($1, 'old@example.org')", [amara.id]);
    await write('To another address');
    await send();
    await expect.poll(() => letterAbout('To another address')).toHaveLength(1);
  });

  it('sends each mail once, however many servers work it off and whenever one of them starts', async () => {
    for (let number = 1; number <= 9; number++) await write(`One of many, ${number}.`);
    const other = await startTestBackend({ SMTP_URL: office.address() }, undefined, backend);
    try {
      await Promise.all([send(), send(other), send(), send(other)]);
      await expect.poll(jobs).toEqual([]);
    } finally {
      await other.stop();
    }
    expect(
      new Set(letterAbout('One of many').map((letter) => /Message-ID: (\S+)/.exec(letter)?.[1])).size,
    ).toBe(9);
    expect(letterAbout('Subject: Ben <b>Ito</b> sent you a message: One of many')).toHaveLength(9);
  });

  it('gathers the rest of the day in one mail, alike things in one line', async () => {
    const cleo = await member('Cleo Haas');
    const solution = await shareSolution(operator(backend), {
      user_id: amara.id,
      status: 'approved',
      title: 'Socket for a {{ .Rest }} bow & arrow',
    });
    for (const { client, id } of [ben, cleo])
      await client.from('likes').insert({ user_id: id, solution_id: solution });
    await cleo.client
      .from('comments')
      .insert({ user_id: cleo.id, solution_id: solution, content: 'Which liner?' });
    const { data: topic } = await amara.client
      .from('forum_topics')
      .insert({
        user_id: amara.id,
        title: 'Saugen bei Hitze',
        language: 'de',
        description: 'What holds?',
        category: 'general',
      })
      .select('id')
      .single();
    const { data: reply } = await cleo.client
      .from('forum_posts')
      .insert({ user_id: cleo.id, topic_id: topic?.id, content: 'A seal ring holds.' })
      .select('id')
      .single();
    const before = office.received.length;
    await send();
    expect(office.received).toHaveLength(before);
    await database.query('update private.mail_jobs set due_at = now()');
    await send();
    const title = 'Socket for a {{ .Rest }} bow &amp; arrow';
    await expect.poll(() => letterAbout('Subject: New for you on Limb Commons')).toHaveLength(1);
    const [digest = ''] = letterAbout('Subject: New for you on Limb Commons');
    expect(digest).toContain(`To: ${amara.email}`);
    expect(digest).toMatch(/(Cleo Haas|Ben &lt;b&gt;Ito&lt;\/b&gt;) and 1 other liked <a/);
    expect(digest).toMatch(/Cleo Haas commented on <a/);
    expect(digest).toContain(title);
    expect(digest).toContain(`${backend.url}/solutions/${solution}`);
    expect(digest).toMatch(/Cleo Haas replied in <a/);
    expect(digest).toContain('<bdi lang="de" dir="ltr">Saugen bei Hitze</bdi>');
    expect(digest).toContain(`${backend.url}/forum/${topic?.id}?post=${reply?.id}#post-${reply?.id}`);
    expect(digest).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  it('a day’s mail that comes again has the same Message-ID, unless there is something new in it', async () => {
    const solution = await shareSolution(operator(backend), { user_id: amara.id, status: 'approved' });
    const comment = (content: string) =>
      ben.client.from('comments').insert({ user_id: ben.id, solution_id: solution, content }).throwOnError();
    const before = office.received.length;
    const messageIds = () =>
      letters()
        .slice(before)
        .map((letter) => /^Message-ID: (\S+)/m.exec(letter)?.[1]);
    const sendDue = async () => {
      await database.query('update private.mail_jobs set due_at = now()');
      await send();
      // The site itself may have been quicker: the job of a delivered email is deleted a little later.
      await expect.poll(async () => (await database.query('select from private.mail_jobs')).rowCount).toBe(0);
    };
    await comment('Which liner?');
    await comment('And which foot?');
    // As it is when the server is killed after handing the email over.
    await database.query('create temp table handed_over as select * from private.mail_jobs');
    const putBack = () =>
      database.query('insert into private.mail_jobs overriding system value select * from handed_over');
    await sendDue();
    await expect.poll(messageIds).toHaveLength(1);
    await putBack();
    await sendDue();
    await expect.poll(messageIds).toHaveLength(2);
    await putBack();
    await comment('And which knee?');
    await sendDue();
    await expect.poll(messageIds).toHaveLength(3);
    const [first, again, more] = messageIds();
    expect(again).toBe(first);
    expect(more).not.toBe(first);
  });

  it('answers a patient who requested a removal, and alerts moderators, with no way to stop either', async () => {
    const dora = await member('Dora Lind');
    await operator(backend).from('user_roles').insert({ user_id: dora.id, role: 'moderator' });
    const { data: solution } = await operator(backend).from('solutions').select('id').limit(1).single();
    await database.query(
      `insert into public.solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type)
       values ($1, '/x/full.webp', '/x/card.webp', '/x/thumb.webp', 'image')`,
      [solution?.id],
    );
    const tracking = crypto.randomUUID();
    const { error } = await visitor(backend).rpc('request_removal', {
      tracking,
      solution: solution?.id,
      asker: 'patient',
      reason: 'My tattoo is in it.',
      email: 'pat@example.org',
    });
    expect(error).toBeNull();
    await send();
    const receipt = 'Subject: We have received your request';
    await expect.poll(() => letterAbout(receipt)).toHaveLength(1);
    const [letter = ''] = letterAbout(receipt);
    expect(letter).not.toContain('{{');
    expect(letter).toContain('To: pat@example.org');
    expect(letter).toContain(`${backend.url}/removal-request/${tracking}`);
    const alert = 'Subject: Image removal requested: ';
    await expect.poll(() => letterAbout(alert)).toHaveLength(1);
    const [toModerator = ''] = letterAbout(alert);
    expect(toModerator).toContain(`To: ${dora.email}`);
    expect(toModerator).toMatch(/\/admin\?tab=removal-requests&amp;item=[0-9a-f-]{36}/);
    expect(toModerator).not.toContain(tracking);

    await dora.client
      .from('removal_requests')
      .update({ status: 'kept', answer: 'Nobody can be <b>recognised</b>.' })
      .is('resolved_at', null);
    await send();
    const outcome = 'Subject: We have decided on your request';
    await expect.poll(() => letterAbout(outcome)).toHaveLength(1);
    expect(letterAbout(outcome)[0]).toContain('Nobody can be &lt;b&gt;recognised&lt;/b&gt;.');
    for (const text of [...letterAbout(receipt), ...letterAbout(alert), ...letterAbout(outcome)]) {
      expect(text).not.toContain('List-Unsubscribe');
      expect(text).not.toContain('tattoo');
    }
  });

  it('tells of a safety notice at once, and how to stop such mails', async () => {
    const { data } = await operator(backend)
      .from('solutions')
      .select('id')
      .like('title', 'Socket for a%')
      .single();
    await operator(backend)
      .from('safety_notices')
      .insert({ solution_id: data?.id, user_id: ben.id, kind: 'recall', content: 'The pin shears.' });
    await send();
    const subject = 'Subject: Do not use: Socket for a';
    const toAuthor = () => letterAbout(subject).find((text) => text.includes(`To: ${amara.email}`));
    await expect.poll(toAuthor).toBeDefined();
    const letter = toAuthor() ?? '';
    expect(letter).toContain(`${backend.url}/solutions/${data?.id}`);
    expect(letter).toContain('Ben &lt;b&gt;Ito&lt;/b&gt; added a safety notice');
    expect(letter).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  it('tells of a notice on a part at once, and of one that was withdrawn no more', async () => {
    const db = operator(backend);
    const { data } = await db.from('solutions').select('id').like('title', 'Socket for a%').single();
    const solution_id = data?.id ?? '';
    await db.from('solution_fabrication').insert({ solution_id }).throwOnError();
    const part = { maker: 'Ottobock', part_number: '4R54' };
    await db
      .from('solution_parts')
      .insert({ solution_id, position: 0, component: 'Adapter', quantity: 1, ...part })
      .throwOnError();
    const warn = (content: string) =>
      db
        .from('part_notices')
        .insert({ ...part, kind: 'recall', content })
        .select('id')
        .single();
    const { data: first } = await warn('The screw shears.');
    await db
      .from('part_notices')
      .update({ ended_at: new Date().toISOString() })
      .eq('id', first?.id ?? '')
      .throwOnError();
    await warn('The screw shears below 0 °C.');
    await send();
    const told = () => letterAbout('Subject: Safety notice on a part');
    await expect.poll(() => told().length).toBe(1);
    const [letter = ''] = told();
    expect(letter).toContain(`To: ${amara.email}`);
    expect(letter).toContain('shared, tried or saved: Do not use: Ottobock 4R54');
    expect(letter).toContain(`${backend.url}/browse?q=Ottobock%204R54`);
  });

  it('is worked off by no one but the site', async () => {
    for (const client of [visitor(backend), amara.client]) {
      const { error } = await client.functions.invoke('process-mail-jobs', { method: 'POST' });
      expect(error?.context?.status).toBe(403);
      expect((await client.rpc('claim_mail')).error?.code).toBe('42501');
    }
  });
});

describe('the weekly digest', () => {
  const due = () =>
    database.query("update profiles set digest_due_at = digest_due_at - interval '7 days' where id = $1", [
      amara.id,
    ]);
  const digests = () => letterAbout('This week on').length;

  it('lists what is new for what its reader follows, with a link that ends each, and is not sent without news', async () => {
    await amara.client.from('profiles').update({ weekly_digest: true }).eq('id', amara.id).throwOnError();
    await amara.client.from('follows').insert({ user_id: amara.id, member_id: ben.id }).throwOnError();
    // Topics of the tests before have news too.
    await database.query('delete from follows where topic_id is not null and user_id = $1', [amara.id]);
    await due();
    await send();
    // The site itself may have been quicker, and then ends the job a little later.
    await expect
      .poll(
        async () =>
          (await database.query("select from private.mail_jobs where notice ->> 'type' = 'weekly_digest'"))
            .rowCount,
      )
      .toBe(0);
    expect(digests()).toBe(0);
    const id = await shareSolution(operator(backend), {
      user_id: ben.id,
      title: 'A hook that holds a <bow>',
      status: 'approved',
    });
    // News of the week before, which the digest of this week covers; a week begins on Monday at seven.
    await database.query(
      "update solutions set approved_at = date_trunc('week', now() - interval '7 hours', 'UTC') - interval '17 hours' where id = $1",
      [id],
    );
    await due();
    await send();
    await expect.poll(digests).toBe(1);
    const [letter = ''] = letterAbout('This week on');
    expect(letter).toContain(`/solutions/${id}`);
    expect(letter).toContain('A hook that holds a &lt;bow&gt;');
    expect(letter).toContain('Ben &lt;b&gt;Ito&lt;/b&gt;');
    const token = /unsubscribe\?token=([0-9a-f-]{36}\.[0-9a-f-]{36}\.[0-9a-f]{64})/.exec(letter)?.[1] ?? '';
    expect((await visitor(backend).rpc('unsubscribe_from_mail', { token })).data).toBe(true);
    expect((await amara.client.from('follows').select()).data).toEqual([]);
  });

  it('whose news cannot be read holds up no other email, and is sent later', async () => {
    await amara.client.from('follows').insert({ user_id: amara.id, member_id: ben.id }).throwOnError();
    const sent = digests();
    await database.query(
      'alter function public.following_news(timestamptz, timestamptz) rename to unreadable_news',
    );
    await due();
    // Those of the tests before count towards the limit of an hour.
    await database.query('delete from messages');
    await write('Sent all the same');
    await send();
    await expect.poll(() => letterAbout('Sent all the same')).toHaveLength(1);
    expect(digests()).toBe(sent);
    await database.query(
      'alter function public.unreadable_news(timestamptz, timestamptz) rename to following_news',
    );
    await database.query('update private.mail_jobs set due_at = now()');
    await send();
    await expect.poll(digests).toBe(sent + 1);
  });
});

it('a title that was stored with lines of its own adds no header and no line of an email', async () => {
  const title = 'A hook\r\nBcc: eve@example.org\r\n\r\n<b>for</b> a bow\u0085X-Evil: 1';
  const id = await shareSolution(operator(backend), { user_id: ben.id, title, status: 'approved' });
  // A title of today keeps no line, which ones from before may have.
  await database.query(`begin; set local session_replication_role = replica;
    update public.solutions set title = E'${title.replace(/\p{Cc}/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)}' where id = '${id}';
    commit`);
  await amara.client.from('likes').insert({ solution_id: id, user_id: amara.id }).throwOnError();
  await ben.client
    .from('safety_notices')
    .insert({ solution_id: id, user_id: ben.id, kind: 'caution', content: 'The hook can open under load.' })
    .throwOnError();
  await send();
  await expect.poll(() => letterAbout('eve@example.org')).not.toEqual([]);
  const letter = letterAbout('eve@example.org').at(-1) ?? '';
  expect(letter).toContain(`/solutions/${id}`);
  const [headers = ''] = letter.split('\n\n');
  expect(headers).toMatch(/^Subject: =\?UTF-8\?Q\?Use_with_caution/m);
  expect(headers).not.toMatch(/^(Bcc|X-Evil)/im);
  expect(letter).toContain('&lt;b&gt;for&lt;/b&gt;');
});
