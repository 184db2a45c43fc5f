import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Actor, type Member, openDatabase, people } from '../fixtures.ts';

const { as, ask, owner, column, value, topic, post, upload, jobs, verifyFactor, repeat } = openDatabase();

const TEXT = 'The liner, two weeks after the change.';

/** Sends a reply with images by its author; the answer of the database. */
async function send(
  by: Member,
  topicId: string,
  images: unknown,
  {
    consent = 'no_identifiable_person',
    number = randomUUID(),
  }: { consent?: string | null; number?: string } = {},
) {
  return as(
    by,
    'insert into forum_posts (topic_id, content, user_id, images, image_consent, submission_id) values ($1, $2, $3, $4, $5, $6)',
    [topicId, TEXT, people[by], JSON.stringify(images), consent, number],
  );
}
const sent = () => value<string>('select id from forum_posts where content = $1', [TEXT]);
/** A reply with one image, and the address of its smallest file. */
async function reply(by: Member = 'author') {
  const topicId = await topic('colleague');
  const { media_url, thumbnail_url } = await upload(by);
  await send(by, topicId, [{ media_url, description: ' The liner ' }]);
  return { topicId, id: await sent(), file: thumbnail_url };
}
const opens = async (actor: Actor, url: string) =>
  (
    await as<{ sees: boolean }>(actor, 'select private.sees_file($1) as sees', [
      url.replace('/storage/v1/object/authenticated/pending-media/', ''),
    ])
  ).rows[0]?.sees;
const decide = (actor: Actor, id: string, keep: boolean, hidden: string | null = null) =>
  as(actor, 'select decide_images($1, $2, $3)', [id, keep, hidden]);
const report = (by: Member, id: string, showsPatient = true) =>
  as(
    by,
    'insert into content_reports (reporter_id, content_type, content_id, reason, shows_patient) values ($1, $2, $3, $4, $5)',
    [people[by], 'post', id, 'The face can be seen', showsPatient],
  );
const checked = (...members: Member[]) =>
  owner("update profiles set registration_level = 'checked' where id = any ($1)", [
    members.map((member) => people[member]),
  ]);
const hiddenAt = (id: string) =>
  value<string | null>('select images_hidden_at::text from forum_posts where id = $1', [id]);
const queued = async () =>
  (
    await as<{ kind: string; id: string }>(
      'moderator',
      "select kind, id from review_queue where kind = 'image'",
    )
  ).rows;

describe('images of a post', () => {
  it('are uploads of its author, each once, with what processing measured, and open to who reads the post', async () => {
    const { id, file } = await reply();
    const [image] = await value<Record<string, unknown>[]>('select images from forum_posts where id = $1', [
      id,
    ]);
    expect(image).toMatchObject({ thumbnail_url: file, width: 2000, height: 1125, description: 'The liner' });
    for (const actor of ['visitor', 'colleague', 'author', 'moderator'] as const)
      expect(await opens(actor, file), actor).toBe(true);
    expect(await column('select url from pending_uploads')).toEqual([]);
    expect((await column('select private.stored_urls()')).includes(file)).toBe(true);

    const other = await upload('colleague');
    const topicId = await topic();
    for (const media_url of [other.media_url, file, image?.media_url, '/etc/passwd', null, 7])
      expect((await send('author', topicId, [{ media_url }])).message, String(media_url)).toBe(
        'Images must be files you have uploaded',
      );
    expect(await opens('author', other.thumbnail_url)).toBe(false);
    for (const images of ['text', { media_url: file }, [1], [[]]])
      expect((await send('author', topicId, images)).message).toBe('Images must be a list');
  });

  it('are at most four, with a statement of consent and short descriptions', async () => {
    const topicId = await topic();
    const uploads = await Promise.all(Array.from({ length: 5 }, () => upload()));
    const images = uploads.map(({ media_url }) => ({ media_url }));
    expect((await send('author', topicId, images)).message).toContain('A post can have at most 4 images');
    for (const consent of [null, 'yes'])
      expect((await send('author', topicId, images.slice(0, 4), { consent })).message).toContain(
        'Please choose a consent statement',
      );
    const long = [{ ...images[0], description: 'x'.repeat(501) }];
    expect((await send('author', topicId, long)).message).toContain('at most 500 characters');
    expect((await send('author', topicId, images.slice(0, 4))).rowCount).toBe(1);
    expect(await value('select jsonb_array_length(images) from forum_posts')).toBe(4);
  });

  it('sent twice with one number are there once', async () => {
    const topicId = await topic();
    const { media_url } = await upload();
    const number = randomUUID();
    await send('author', topicId, [{ media_url }], { number });
    expect(await send('author', topicId, [{ media_url }], { number })).toMatchObject({ code: '23505' });
    expect(await column('select jsonb_array_length(images) from forum_posts')).toEqual([1]);
  });

  it('cannot be changed by their author, who can remove them; then no file remains', async () => {
    const { id, file } = await reply();
    await owner('delete from media_jobs');
    for (const change of ["images = '[]'", 'images_checked_at = now()', 'images_hidden_at = null'])
      expect(await as('author', `update forum_posts set ${change}`), change).toMatchObject({ code: '42501' });
    for (const actor of ['visitor', 'colleague'] as const)
      expect(await decide(actor, id, false), actor).toMatchObject({ code: '42501' });
    expect(await decide('author', id, true)).toMatchObject({ code: '42501' });
    expect(await decide('author', id, false)).toMatchObject({ rowCount: 1 });
    expect(await value('select images from forum_posts where id = $1', [id])).toEqual([]);
    expect(await opens('author', file)).toBe(false);
    expect(await jobs()).toEqual(['remove']);
    expect(await column("select type from notifications where type like 'images%'")).toEqual([]);
    for (const actor of ['author', 'moderator'] as const)
      expect((await decide(actor, id, false)).message).toBe('These images have already been removed');
  });

  it('go with their post, and are removed again by a restore from before', async () => {
    const { id, topicId } = await reply();
    await owner('delete from media_jobs');
    const at = new Date().toISOString();
    expect(await repeat([{ at, kind: 'images', id }])).toBe(1);
    expect(await repeat([{ at, kind: 'images', id }])).toBe(0);
    expect(await jobs()).toEqual(['remove']);
    const { media_url } = await upload();
    await owner('delete from forum_posts');
    await send('author', topicId, [{ media_url }]);
    await as('moderator', 'delete from forum_topics where id = $1', [topicId]);
    expect(await jobs()).toEqual(['remove', 'remove']);
    const kept = await reply();
    for (const [kind, isHidden] of [
      ['images_hidden', true],
      ['images_shown', false],
    ] as const) {
      expect(await repeat([{ at, kind, id: kept.id }])).toBe(1);
      expect((await hiddenAt(kept.id)) !== null, kind).toBe(isHidden);
    }
  });

  it('of a topic go with their author’s account, also where others replied', async () => {
    const { media_url, thumbnail_url } = await upload();
    await as(
      'author',
      "insert into forum_topics (title, user_id, images, image_consent) values ('Liners', $1, $2, 'patient_written')",
      [people.author, JSON.stringify([{ media_url }])],
    );
    const topicId = await value<string>("select id from forum_topics where title = 'Liners'");
    await post(topicId, 'colleague');
    expect(await opens('visitor', thumbnail_url)).toBe(true);
    await owner("select private.erase_account($1, 'remove')", [people.author]);
    expect(await value('select images from forum_topics where id = $1', [topicId])).toEqual([]);
    expect(await opens('visitor', thumbnail_url)).toBe(false);
  });

  it('are looked at by a moderator afterwards, who keeps or removes them and tells the author', async () => {
    const first = await reply();
    expect(await queued()).toEqual([{ kind: 'image', id: first.id }]);
    expect(await ask('moderator', 'review_summary')).toMatchObject({ counts: { image: 1 } });
    await ask('moderator', 'claim_review', ['image', first.id]);
    await decide('moderator', first.id, true);
    expect(await queued()).toEqual([]);
    expect(await column('select kind from review_claims')).toEqual([]);
    expect(await ask('moderator', 'review_summary')).toMatchObject({ counts: {} });
    await decide('moderator', first.id, false);
    expect(
      await column("select type from notifications where user_id = $1 and type like 'images%'", [
        people.author,
      ]),
    ).toEqual(['images_removed']);
    expect(await column('select action from audit_events order by id')).toEqual([
      'images_kept',
      'images_removed',
    ]);
    expect(
      await column("select id from private.deletions_since('2000-01-01') where kind = 'images'"),
    ).toEqual([first.id]);
  });
});

describe('reports that images show a patient', () => {
  beforeEach(() => checked('moderator2', 'colleague'));

  it('hide them once two checked members made them, until a moderator decides', async () => {
    const { id, file } = await reply();
    await decide('moderator', id, true);
    // All of a test is one moment.
    await owner("update forum_posts set images_checked_at = images_checked_at - interval '5 minutes'");
    await report('moderator2', id);
    expect(await hiddenAt(id)).toBeNull();
    await report('colleague', id);
    expect(await hiddenAt(id)).not.toBeNull();
    for (const actor of ['visitor', 'colleague'] as const)
      expect(await opens(actor, file), actor).toBe(false);
    for (const actor of ['author', 'moderator'] as const) expect(await opens(actor, file), actor).toBe(true);
    expect(await queued()).toEqual([{ kind: 'image', id }]);
    expect(await column("select actor_id from notifications where type = 'images_hidden'")).toEqual([null]);
    const unread = () =>
      column(
        'select type from notifications where not is_read and type in (select type from private.notice_types where warns) and user_id = $1',
        [people.author],
      );
    expect(await unread()).toEqual(['images_hidden']);
    // One who opened them before that has not seen the reports.
    expect((await decide('moderator', id, true)).message).toContain('since you opened them');
    await decide('moderator', id, true, await hiddenAt(id));
    expect(await unread()).toEqual([]);
    expect(await opens('visitor', file)).toBe(true);
    // The reports were decided on with them: another one counts from the beginning.
    await owner("update content_reports set created_at = created_at - interval '2 minutes'");
    await owner("update forum_posts set images_checked_at = images_checked_at - interval '1 minute'");
    await report('admin', id);
    await checked('admin');
    expect(await hiddenAt(id)).toBeNull();
    await report('admin2', id);
    expect(await hiddenAt(id)).toBeNull();
    await checked('admin2');
    await owner('delete from content_reports where reporter_id = $1', [people.admin2]);
    await report('admin2', id);
    expect(await hiddenAt(id)).not.toBeNull();
    const logged = await column<string>(
      "select kind from private.deletions_since('2000-01-01') where id = $1",
      [id],
    );
    expect(logged.toSorted()).toEqual(['images_hidden', 'images_hidden', 'images_shown', 'images_shown']);
    expect(await column("select type from notifications where type like 'images%' order by type")).toEqual([
      'images_hidden',
      'images_hidden',
      'images_restored',
    ]);
  });

  it('hide nothing from one member, from members who are not checked, or for another reason', async () => {
    const { id } = await reply();
    await report('colleague', id);
    expect(await report('colleague', id)).toMatchObject({ code: '23505' });
    await report('admin', id);
    await report('author', id);
    expect(await hiddenAt(id)).toBeNull();
    await report('moderator2', id, false);
    expect(await hiddenAt(id)).toBeNull();
    expect(
      await as(
        'colleague',
        "insert into content_reports (reporter_id, content_type, content_id, reason, shows_patient) values ($1, 'profile', $1, 'A face', true)",
        [people.colleague],
      ),
    ).toMatchObject({ rowCount: 1 });
    expect(await hiddenAt(id)).toBeNull();
  });
});

describe('the statement of consent, and images that are hidden', () => {
  type Stored = { images: unknown[]; image_consent: string; images_hidden_at: string | null };
  const stored = (actor: Actor, id: string) => ask<Stored | null>(actor, 'images_of_post', [id]);
  const others = ['visitor', 'colleague'] as const;

  /** A topic and a reply in it, by one author, with an image each. */
  async function pair() {
    const [asked, answered] = [await upload(), await upload()];
    await as(
      'author',
      "insert into forum_topics (title, user_id, images, image_consent) values ('Liners', $1, $2, 'patient_written')",
      [people.author, JSON.stringify([{ ...asked, description: 'The liner' }])],
    );
    const topicId = await value<string>("select id from forum_topics where title = 'Liners'");
    await send('author', topicId, [{ ...answered, description: 'The liner' }], {
      consent: 'patient_written',
    });
    return [
      ['forum_topics', topicId],
      ['forum_posts', await sent()],
    ] as const;
  }
  /** All that a reader is told of the topic and its replies. */
  const told = async (actor: Actor, topicId: string) =>
    JSON.stringify([
      await ask(actor, 'forum_topic', [topicId]),
      await ask(actor, 'forum_replies', [topicId]),
      await ask(actor, 'browse_forum'),
    ]);

  it('are read by the author and moderators alone, once their second step is passed', async () => {
    for (const [, id] of await pair()) {
      for (const actor of others) expect(await stored(actor, id), actor).toBeNull();
      for (const actor of ['author', 'moderator'] as const)
        expect(await stored(actor, id), actor).toMatchObject({
          images: [{ description: 'The liner' }],
          image_consent: 'patient_written',
          images_hidden_at: null,
        });
      await owner('savepoint second_step');
      await verifyFactor('author');
      expect(await stored('author', id)).toBeNull();
      await owner('rollback to savepoint second_step');
    }
  });

  it('are in no column that a client can read, compare, order by, or have returned', async () => {
    const [[, topicId]] = await pair();
    for (const table of ['forum_topics', 'forum_posts'])
      for (const actor of [...others, 'author', 'moderator'] as const)
        for (const door of ['image_consent', 'images', 'images_checked_at', '*'].flatMap((read) => [
          `select ${read} from ${table}`,
          `select to_jsonb(t) from ${table} t`,
          ...(read === '*'
            ? []
            : [
                `select id from ${table} where ${read}::text = 'patient_written' or id is null`,
                `select id from ${table} order by ${read}`,
                `select count(${read}) from ${table}`,
                `delete from ${table} where ${read} is null`,
              ]),
        ])) {
          const refused = await as(actor, door);
          expect(refused, `${actor}: ${door}`).toMatchObject({ code: '42501' });
          expect(refused.message).toContain('permission denied for table');
        }
    expect(
      await as(
        'author',
        'insert into forum_posts (topic_id, content, user_id) values ($1, $2, $3) returning image_consent',
        [topicId, TEXT, people.author],
      ),
    ).toMatchObject({ code: '42501' });
    for (const actor of others)
      expect((await as(actor, 'select id, shown_images, images_hidden_at from forum_posts')).rowCount).toBe(
        1,
      );
    expect(await as('author', "update forum_posts set shown_images = '[]'")).toMatchObject({ code: '42501' });
  });

  it('are not told with the topic or its replies; readers are told of the images that are shown', async () => {
    const posts = await pair();
    const [[, topicId]] = posts;
    const readers = [...others, 'author', 'moderator'] as const;
    for (const actor of readers) {
      const all = await told(actor, topicId);
      expect(all.match(/"The liner"/g), actor).toHaveLength(2);
      expect(all).not.toMatch(/consent|patient_written|images_checked_at|told_at|submission_id/);
    }
    for (const [table, id] of posts) {
      await owner('select private.hide_images($1, true)', [id]);
      expect(await value(`select shown_images from ${table} where id = $1`, [id])).toEqual([]);
    }
    for (const actor of others) {
      const all = await told(actor, topicId);
      expect(all, actor).not.toMatch(/"The liner"|pending-media/);
      expect(all.match(/"images_hidden_at": ?"2/g)).toHaveLength(2);
    }
    for (const actor of ['author', 'moderator'] as const)
      expect((await told(actor, topicId)).match(/"The liner"/g), actor).toHaveLength(2);
    // The queue shows a moderator the first of them, and no one else anything.
    expect(await queued()).toHaveLength(2);
    for (const actor of ['author', 'colleague'] as const)
      expect((await as(actor, 'select * from private.posts_with_waiting_images()')).rows).toEqual([]);
    for (const [table, id] of posts) {
      await decide('moderator', id, true, (await stored('moderator', id))?.images_hidden_at);
      expect(await value(`select shown_images = images from ${table} where id = $1`, [id])).toBe(true);
    }
    expect((await told('visitor', topicId)).match(/"The liner"/g)).toHaveLength(2);
  });

  it('are no longer hidden once they are removed', async () => {
    const { id } = await reply();
    await owner('select private.hide_images($1, true)', [id]);
    expect(await decide('author', id, false)).toMatchObject({ rowCount: 1 });
    expect(await hiddenAt(id)).toBeNull();
    expect(await stored('moderator', id)).toMatchObject({ images: [], image_consent: null });
  });
});

describe('images of a first post', () => {
  it('wait with it, are seen by its author and moderators, and are published with it', async () => {
    await owner('update site_settings set reviewed_first_posts = 1');
    const topicId = await topic('author');
    const { media_url, thumbnail_url } = await upload('colleague');
    await send('colleague', topicId, [{ media_url }]);
    const held = await value('select id from held_posts');
    expect(await opens('visitor', thumbnail_url)).toBe(false);
    for (const actor of ['colleague', 'moderator'] as const)
      expect(await opens(actor, thumbnail_url), actor).toBe(true);
    await ask('moderator', 'decide_held_post', [held, true, 1]);
    expect(await opens('visitor', thumbnail_url)).toBe(true);
    // The moderator has seen them.
    expect(await queued()).toEqual([]);
    await owner('update media_jobs set attempts = 1, claimed_at = now()');
    expect(await column('select public.unnamed_files(id, 1) from media_jobs')).toEqual([]);
  });

  it('are not put into one past the processing', async () => {
    const topicId = await topic('author');
    const wait = (images: unknown) =>
      as(
        'colleague',
        'insert into held_posts (topic_id, content, user_id, images, image_consent) values ($1, $2, $3, $4, $5)',
        [topicId, TEXT, people.colleague, JSON.stringify(images), 'no_identifiable_person'],
      );
    expect((await wait([{ media_url: '/etc/passwd', thumbnail_url: 'x' }])).message).toBe(
      'Images must be files you have uploaded',
    );
    const { media_url, thumbnail_url } = await upload('colleague');
    expect((await wait([{ media_url }])).rowCount).toBe(1);
    expect(await opens('colleague', thumbnail_url)).toBe(true);
    const held = await value('select id from held_posts');
    await decide('colleague', held, false);
    expect(await value('select images from held_posts')).toEqual([]);
  });
});
