import { describe, expect, it } from 'vitest';
import { SOLUTION } from '../../solution.ts';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const world = openDatabase();
const { as, owner, column, value, insert, approve, solution, upload, buildFile, comment, moveFiles, jobs } =
  world;

const PUBLIC = '/storage/v1/object/public/solution-media/';
const PRIVATE = '/storage/v1/object/authenticated/pending-media/';

/** A solution submitted for this audience, with a picture. */
async function submitted(audience?: string) {
  const file = await upload();
  return {
    id: await world.submitted({ audience }, { media: [{ media_url: file.media_url }] }),
    file: file.media_url,
  };
}
async function published(audience?: string) {
  const made = await submitted(audience);
  await approve(made.id);
  return made;
}
const edit = (id: string, file: string, changes: object) =>
  world.resubmit(id, changes, { media: [{ media_url: file }] });
const set = (actor: Actor, id: string, audience: string) =>
  as(actor, 'update solutions set audience = $2 where id = $1', [id, audience]);
const reads = async (actor: Actor, id: string) =>
  (await as(actor, 'select from solutions where id = $1', [id])).rowCount === 1;
const audienceOf = (id: string) => value('select audience from solutions where id = $1', [id]);
const consentOf = (id: string) =>
  value('select audience from solution_consents where solution_id = $1', [id]);

describe('choosing the audience', () => {
  it('is part of what is submitted; who chooses nothing shows it to everyone', async () => {
    expect(await audienceOf((await submitted()).id)).toBe('public');
    expect(await audienceOf((await submitted('members')).id)).toBe('members');
  });

  it('is refused where it is none of the three, and nothing is kept', async () => {
    await expect(submitted('friends')).rejects.toThrow('Please choose who can see the solution');
    expect(await owner('select id from solutions')).toEqual([]);
  });

  it('a form that does not know of it changes nothing', async () => {
    const { id, file } = await submitted('checked');
    await edit(id, file, { title: 'A socket with another name' });
    expect(await audienceOf(id)).toBe('checked');
  });

  it('a solution is shown to fewer at once', async () => {
    const { id } = await published();
    await moveFiles(id);
    expect(await set('author', id, 'members')).toMatchObject({ rowCount: 1 });
    expect(await owner('select status, version from solutions where id = $1', [id])).toEqual([
      { status: 'approved', version: 1 },
    ]);
    expect(await reads('visitor', id)).toBe(false);
    expect(await reads('colleague', id)).toBe(true);
    expect(await jobs()).toEqual(['move']);
    await set('author', id, 'checked');
    expect(await reads('colleague', id)).toBe(false);
    expect(await jobs()).toEqual(['move']);
  });

  it('a moderator who decides on it cannot choose another', async () => {
    const { id } = await submitted('members');
    const decision = await as(
      'moderator',
      "update solutions set status = 'approved', audience = 'checked' where id = $1",
      [id],
    );
    expect(decision.message).toBe('Only the author can edit a solution');
    expect(await approve(id)).toMatchObject({ rowCount: 1 });
  });

  it('it is shown to more once a new version was approved', async () => {
    const { id, file } = await published('members');
    const refused = await set('author', id, 'public');
    expect(refused.message).toBe('This solution is published. Submit your changes as a new version.');
    await edit(id, file, { audience: 'public' });
    expect(await reads('visitor', id)).toBe(false);
    expect(await jobs()).toEqual([]);
    await approve(id);
    expect(await reads('visitor', id)).toBe(true);
    expect(await consentOf(id)).toBe('public');
    expect(await jobs()).toEqual(['move']);
  });

  it('a new version for fewer narrows the published one before its review', async () => {
    const { id, file } = await published();
    await edit(id, file, { audience: 'checked', title: 'A socket with another name' });
    expect(await reads('visitor', id)).toBe(false);
    expect(await value('select title from solutions where id = $1', [id])).toBe(SOLUTION.title);
  });

  it('a version under review does not bring back an audience that its author has taken away since', async () => {
    const { id, file } = await published();
    await edit(id, file, { title: 'A socket with another name' });
    await set('author', id, 'members');
    await approve(id);
    expect(await owner('select title, audience from solutions where id = $1', [id])).toEqual([
      { title: 'A socket with another name', audience: 'members' },
    ]);
  });
});

describe('consent', () => {
  it('is for the audience of its solution', async () => {
    const { id } = await submitted('members');
    expect(await consentOf(id)).toBe('members');
  });

  it('for fewer does not cover more: the solution is not approved until it was stated again', async () => {
    const { id, file } = await submitted('members');
    await set('author', id, 'public');
    expect((await approve(id)).message).toBe(
      'The consent statement covers a smaller audience. The author must give a new one.',
    );
    await edit(id, file, { audience: 'public' });
    expect(await consentOf(id)).toBe('public');
    expect(await approve(id)).toMatchObject({ rowCount: 1 });
  });

  it('for more covers fewer', async () => {
    const { id } = await submitted('public');
    await set('author', id, 'checked');
    expect(await approve(id)).toMatchObject({ rowCount: 1 });
    const kept = "select consent ->> 'audience' from solution_reviews where decision = 'approved'";
    expect(await value(kept)).toBe('public');
  });
});

describe('what others wrote for fewer readers', () => {
  const seen = async (actor: Actor, table: string) => (await as(actor, `select from ${table}`)).rowCount;
  const countsOf = async (id: string) =>
    (
      await owner(
        'select tried_count, c.comments_count from solutions s left join comment_counts c on c.solution_id = s.id where s.id = $1',
        [id],
      )
    )[0];

  it('stays with these when the solution is shown to more, with its files and outcomes', async () => {
    const { id, file } = await published('members');
    const first = await comment(id, 'colleague');
    await as('moderator', 'select submit_trial($1, 1, $2, $3, $4, $5)', [
      id,
      JSON.stringify({
        result: 'worked',
        amputation_level: SOLUTION.amputation_level,
        age_group: SOLUTION.age_group,
        prosthesis_type: SOLUTION.prosthesis_type,
        outcomes: [{ measure: 'TUG', score_after: 9, people: 1 }],
      }),
      JSON.stringify([{ media_url: (await upload('moderator')).media_url }]),
      'patient_written',
      '2026-11-01',
    ]);
    await as('moderator2', "update solution_trials set status = 'approved'");
    const written = ['comments', 'solution_trials', 'solution_outcomes where trial_id is not null'];
    for (const what of written) expect([what, await seen('colleague', what)]).toEqual([what, 1]);
    expect(await countsOf(id)).toEqual({ tried_count: 1, comments_count: 1 });

    await edit(id, file, { audience: 'public' });
    await approve(id);
    for (const what of [...written, 'solution_media where trial_id is not null']) {
      expect([what, await seen('visitor', what)]).toEqual([what, 0]);
      for (const actor of ['author', 'colleague', 'moderator'] as const)
        expect([what, actor, await seen(actor, what)]).toEqual([what, actor, 1]);
    }
    const ofReport =
      'select is_public from files_of_solution($1) f join solution_media m on m.media_url = f.url where m.trial_id is not null';
    expect(await column(ofReport, [id])).toEqual([false]);
    // What all readers see is counted for all.
    expect(await countsOf(id)).toEqual({ tried_count: 0, comments_count: 0 });

    // What answers it stays with it, and what is written now is for everyone.
    await comment(id, 'colleague', first);
    const second = await comment(id, 'colleague');
    expect(await seen('visitor', 'comments')).toBe(1);
    expect(await seen('colleague', 'comments')).toBe(3);
    expect(await countsOf(id)).toEqual({ tried_count: 0, comments_count: 1 });
    await as('colleague', 'delete from comments where id = any ($1)', [[first, second]]);
    expect(await countsOf(id)).toEqual({ tried_count: 0, comments_count: 0 });

    // Sent again, a report is for the readers of now.
    await owner("update solution_trials set status = 'pending'");
    await as('moderator2', "update solution_trials set status = 'approved'");
    expect(await seen('visitor', 'solution_trials')).toBe(1);
    expect(await column(ofReport, [id])).toEqual([true]);
    expect((await countsOf(id))?.tried_count).toBe(1);
  });

  it('stays with these also if it waited for a moderator in between', async () => {
    await owner('update site_settings set reviewed_first_posts = 5');
    const { id, file } = await published('members');
    await insert('colleague', 'comments', { solution_id: id, content: 'She wears it at school.' });
    await edit(id, file, { audience: 'public' });
    await approve(id);
    await as('moderator', 'select decide_held_post($1, true, 1)', [await value('select id from held_posts')]);
    expect(await seen('visitor', 'comments')).toBe(0);
    expect(await seen('colleague', 'comments')).toBe(1);
  });

  it('stays with these though an image of a report is taken away while it waits', async () => {
    const { id, file } = await published('members');
    const report = {
      result: 'worked',
      amputation_level: SOLUTION.amputation_level,
      age_group: SOLUTION.age_group,
      prosthesis_type: SOLUTION.prosthesis_type,
    };
    const attached = async () => ({ media_url: (await upload('colleague')).media_url });
    const media = [await attached(), await attached()];
    await as('colleague', 'select submit_trial($1, 1, $2, $3, $4, $5)', [
      id,
      JSON.stringify(report),
      JSON.stringify(media),
      'patient_written',
      '2026-11-01',
    ]);
    await edit(id, file, { audience: 'public' });
    await approve(id);
    await world.backdate('solution_trials');
    await owner('delete from solution_media where media_url = $1', [media[0]?.media_url]);
    expect(
      await column("select audience from solution_trials where updated_at > now() - interval '1 minute'"),
    ).toEqual(['members']);
  });

  it('is answered by no one who cannot read it', async () => {
    const { id, file } = await published('checked');
    const first = await comment(id, 'author');
    await edit(id, file, { audience: 'public' });
    await approve(id);
    const reply = (actor: Actor) =>
      insert(actor, 'comments', { solution_id: id, content: 'How?', parent_comment_id: first });
    expect(await reply('colleague')).toMatchObject({ message: 'The comment you reply to has been removed' });
    for (const actor of ['author', 'moderator'] as const)
      expect(await reply(actor), actor).toMatchObject({ rowCount: 1 });
    expect(await column('select replies from private.reply_counts where thread_id = $1', [first])).toEqual(
      [],
    );
  });

  it('is read again by who may read the solution, once it is for fewer again', async () => {
    const { id } = await published();
    await comment(id, 'colleague');
    await set('author', id, 'members');
    expect(await seen('visitor', 'comments')).toBe(0);
    expect(await seen('colleague', 'comments')).toBe(1);
    expect(await countsOf(id)).toMatchObject({ comments_count: 1 });
  });
});

describe('files', () => {
  /** Whether the actor may read the file in the private bucket. */
  const opens = async (actor: Actor, url: string) =>
    (
      await as(actor, "select from storage.objects where bucket_id = 'pending-media' and name = $1", [
        url.replace(PRIVATE, ''),
      ])
    ).rowCount === 1;
  /** Whether the actor finds it in a list, by what the storage service says when it makes one. */
  const lists = async (actor: Actor, url: string) => {
    await owner("select set_config('storage.operation', 'storage.object.list', true)");
    const isListed = await opens(actor, url);
    await owner("select set_config('storage.operation', '', true)");
    return isListed;
  };
  const store = (url: string) =>
    owner("insert into storage.objects (bucket_id, name) values ('pending-media', $1)", [
      url.replace(PRIVATE, ''),
    ]);
  const urlOf = (id: string) => value('select media_url from solution_media where solution_id = $1', [id]);

  it('stay in the private bucket, open to who may read the solution', async () => {
    const { id, file } = await submitted('members');
    await store(file);
    const thumb = file.replace('full.webp', 'thumb.webp');
    await store(thumb);
    expect(await opens('colleague', file)).toBe(false);
    await approve(id);
    expect(await jobs()).toEqual([]);
    await moveFiles(id);
    expect(await urlOf(id)).toBe(file);
    for (const url of [file, thumb]) {
      expect(await opens('visitor', url)).toBe(false);
      expect(await opens('colleague', url)).toBe(true);
      for (const actor of ['author', 'moderator'] as const) expect(await opens(actor, url)).toBe(true);
      for (const actor of ['visitor', 'colleague'] as const) expect(await lists(actor, url)).toBe(false);
      for (const actor of ['author', 'moderator'] as const) expect(await lists(actor, url)).toBe(true);
    }
    await owner('update solution_media set hidden_at = now() where solution_id = $1', [id]);
    expect(await opens('colleague', file)).toBe(false);
    await owner('update solution_media set hidden_at = null where solution_id = $1', [id]);
    await set('author', id, 'checked');
    expect(await opens('colleague', file)).toBe(false);
  });

  it('to build it stay there with their pages, open to the same', async () => {
    const { id } = await submitted('members');
    const file = await buildFile();
    const page = file.replace('file.pdf', 'page-1.webp');
    const other = file.replace('/file.pdf', '-other/page-1.webp');
    for (const url of [file, page, other]) await store(url);
    await owner(
      `insert into solution_files (solution_id, position, file_url, file_name, file_type, byte_size, facts, previews, page_texts)
       values ($1, 0, $2, 'clamp.pdf', 'pdf', 1, '{}', '{page-1.webp}', '{}')`,
      [id, file],
    );
    expect(await opens('colleague', page)).toBe(false);
    await approve(id);
    for (const url of [file, page]) {
      expect(await opens('visitor', url)).toBe(false);
      expect(await opens('colleague', url)).toBe(true);
      expect(await opens('author', url)).toBe(true);
    }
    expect(await opens('colleague', other)).toBe(false);
    expect(
      await owner('select is_public from files_of_solution($1) where url in ($2, $3)', [id, file, page]),
    ).toEqual([{ is_public: false }, { is_public: false }]);
    await owner('update solution_files set hidden_at = now() where solution_id = $1', [id]);
    expect(await opens('colleague', page)).toBe(false);
    await owner('update solution_files set hidden_at = null where solution_id = $1', [id]);
    await set('author', id, 'checked');
    for (const url of [file, page]) expect(await opens('colleague', url)).toBe(false);
  });

  it('of one that is shown to fewer get new names out of the public bucket', async () => {
    const { id, file } = await published();
    await moveFiles(id);
    const shown = file.replace(PRIVATE, PUBLIC);
    expect(await urlOf(id)).toBe(shown);
    await set('author', id, 'members');
    await moveFiles(id);
    expect(await urlOf(id)).toBe(shown.replace(PUBLIC, `${PRIVATE}elsewhere/`));
  });
});

describe('news of a solution', () => {
  const told = world.noticesOf;
  const mails = async () => {
    await owner('update auth.users set email_confirmed_at = now()');
    await owner("update private.mail_jobs set due_at = now() - interval '1 minute'");
    const sent = await column<{ notices: { title: string; type: string }[] } | null>(
      'select claim_mail() from generate_series(1, 20)',
    );
    return sent.flatMap((mail) => mail?.notices ?? []).map(({ type, title }) => `${type} ${title}`);
  };

  it('reaches those who may read it', async () => {
    const { id } = await published('checked');
    await owner('delete from notifications');
    for (const member of [people.colleague, people.admin2])
      await owner('insert into follows (user_id, solution_id) values ($1, $2)', [member, id]);
    await insert('author', 'safety_notices', { solution_id: id, kind: 'recall', content: 'It breaks.' });
    expect(await told('admin2')).toEqual(['safety_notice']);
    expect(await told('colleague')).toEqual([]);
  });

  it('no mail names it to those who may read it no more, though a message about it arrives', async () => {
    const { id } = await published('public');
    await owner('update profiles set email_notifications = true');
    const parent = await comment(id, 'colleague');
    await owner('delete from private.mail_jobs');
    await comment(id, 'admin2', parent);
    await insert('author', 'messages', {
      recipient_id: people.colleague,
      content: 'I drew it.',
      solution_id: id,
    });
    await owner('savepoint before');
    expect(await mails()).toContain(`comment_reply ${SOLUTION.title}`);
    await owner('rollback to savepoint before');
    await set('author', id, 'checked');
    const sent = await mails();
    expect(sent).toContain('message ');
    expect(sent.filter((mail) => mail.startsWith('comment_reply'))).toEqual([]);
  });

  it('an adaptation is told to an author who may read it', async () => {
    const source = await solution('approved', 'colleague');
    for (const [audience, news] of [
      ['checked', []],
      ['members', ['adaptation']],
    ] as const) {
      await owner('delete from notifications');
      const { id } = await submitted(audience);
      await insert('author', 'solution_sources', { solution_id: id, source_id: source });
      await approve(id);
      expect(await told('colleague')).toEqual(news);
    }
  });

  it('what is new holds for each member what they may read', async () => {
    await owner('insert into follows (user_id, member_id) values ($1, $2)', [
      people.colleague,
      people.author,
    ]);
    await published('members');
    await published('checked');
    const news = await value<{ items: unknown[] }[]>(
      "select weekly_digest($1, now() - interval '1 day', now())",
      [people.colleague],
    );
    await owner('reset role');
    expect(news[0]?.items).toHaveLength(1);
  });
});
