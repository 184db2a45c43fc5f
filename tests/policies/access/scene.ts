import { randomUUID } from 'node:crypto';
import { type Member, type openDatabase, people } from '../fixtures.ts';

const { author, moderator, admin2 } = people;

/** A safety notice by the member `who`, in SQL. */
export const safetyNotice = (who: string, solution: string) =>
  `insert into safety_notices (solution_id, user_id, kind, content) values ('${solution}', ${who}, 'caution', 'The pin shears.')`;

/** A notice on a part, in SQL. */
export const partNotice =
  "insert into part_notices (maker, part_number, kind, content) values ('Ottobock', '4R54', 'caution', 'The screw shears.')";

/** A request to remove pictures, in SQL. */
export const removalRequest = (status: string, solution: string) =>
  `insert into removal_requests (tracking_id, solution_id, media_ids, asker, status, resolved_at)
   values (gen_random_uuid(), '${solution}', array[gen_random_uuid()], 'patient', '${status}', ${status === 'removed' ? 'now()' : 'null'})`;

/** One row of every kind at least, most of them the author's; returns the ids that `trialsOn` uses. */
export async function createScene(world: ReturnType<typeof openDatabase>) {
  const { owner } = world;
  const solutions = {
    approved: await world.solution('approved'),
    pending: await world.solution('pending'),
    rejected: await world.solution('rejected'),
    'the moderator’s own pending': await world.solution('pending', 'moderator'),
  };
  const { approved, pending } = solutions;
  const restricted = {
    'approved, for members': await world.solution('approved'),
    'approved, for checked professionals': await world.solution('approved'),
  };
  await owner(
    `update solutions set audience = 'members', created_at = now() - interval '2 days' where id = '${restricted['approved, for members']}';
     update solutions set audience = 'checked', created_at = now() - interval '2 days' where id = '${restricted['approved, for checked professionals']}'`,
  );
  const comment = await world.comment(approved, 'author');
  const hidden = await world.comment(pending, 'author');
  await world.like(approved, 'author');
  await world.like(pending, 'author');
  const topic = await world.topic('author');
  const locked = await world.topic('author', true);
  const old = await world.topic('author');
  const followable = await world.topic('author');
  // Topics are followed by their authors from the start.
  await owner('delete from follows');
  const post = await world.post(topic, 'author');
  await world.owner(
    'update forum_posts set images = \'[{"media_url": "/full.webp"}]\', image_consent = \'no_identifiable_person\', images_checked_at = now() where id = $1',
    [post],
  );
  await world.post(locked, 'author');
  const sent = await world.message('author', 'admin2');
  const received = await world.message('admin2', 'author');
  const deleted = await world.message('admin2', 'author');
  await owner('insert into message_deletions (message_id, user_id) values ($1, $2)', [deleted, author]);
  const toModerator = await world.message('admin2', 'moderator');
  const media = async (solution: string) => {
    const file = await world.upload();
    await owner(
      `insert into solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type) values ($1, $2, $3, $4, 'image')`,
      [solution, file.media_url, file.compressed_url, file.thumbnail_url],
    );
  };
  await media(approved);
  await media(pending);
  await media(approved);
  await owner(
    `update solution_media set hidden_at = now(), description = 'withheld'
     where id = (select id from solution_media where solution_id = '${approved}' order by id limit 1)`,
  );
  await owner(
    `insert into solution_outcomes (solution_id, position, measure, score_before, score_after, people, follow_up_weeks)
     values ('${approved}', 0, 'TUG', 18.2, 12.4, 1, 12), ('${pending}', 0, 'TUG', 18.2, 12.4, 1, 12)`,
  );
  await owner(
    `insert into solution_fabrication (solution_id, hours) values ('${approved}', 2), ('${pending}', 2);
     insert into solution_parts (solution_id, position, component, quantity) values ('${approved}', 0, 'Bolt', 1), ('${pending}', 0, 'Bolt', 1);
     insert into solution_steps (solution_id, position, instruction) values ('${approved}', 0, 'Turn.'), ('${pending}', 0, 'Turn.')`,
  );
  const [trial, waitingTrial, ownTrial] = [randomUUID(), randomUUID(), randomUUID()];
  await owner(
    `insert into solution_trials (id, solution_id, version, user_id, status, result, amputation_level, age_group, prosthesis_type, consent_basis, consent_version) values
       ('${trial}', '${approved}', 1, '${people.colleague}', 'approved', 'worked', 'Transtibial (Below Knee)', 'Adults', 'Passive', 'patient_written', '2026-11-01'),
       ('${waitingTrial}', '${approved}', 1, '${admin2}', 'pending', 'worked', 'Transtibial (Below Knee)', 'Adults', 'Passive', 'patient_written', '2026-11-01'),
       ('${ownTrial}', '${approved}', 1, '${moderator}', 'pending', 'worked', 'Transtibial (Below Knee)', 'Adults', 'Passive', null, null)`,
  );
  const trialMedia = async (of: string) => {
    const file = await world.upload();
    await owner(
      `insert into solution_media (solution_id, trial_id, media_url, compressed_url, thumbnail_url, media_type) values ($1, $2, $3, $4, $5, 'image')`,
      [approved, of, file.media_url, file.compressed_url, file.thumbnail_url],
    );
    await owner(
      `insert into solution_outcomes (solution_id, trial_id, position, measure, score_after, people) values ($1, $2, 0, 'TUG', 12.4, 1)`,
      [approved, of],
    );
  };
  await owner(
    `insert into use_questions (solution_id, trial_id, user_id, months) values
       ('${approved}', null, '${author}', 3), ('${approved}', '${trial}', '${people.colleague}', 3), ('${approved}', '${ownTrial}', '${moderator}', 3)`,
  );
  await trialMedia(trial);
  await trialMedia(waitingTrial);
  const buildFile = await world.buildFile();
  await owner(
    `insert into solution_files (solution_id, position, file_url, file_name, file_type, byte_size, facts, previews, page_texts, hidden_at)
     select s.id, p, '/storage/v1/object/authenticated/pending-media/x/' || s.id || p, 'clamp.pdf', 'pdf', 1, '{}', '{}', '{}', case p when 1 then now() end
     from solutions s, generate_series(0, 1) p where s.id = '${approved}' or s.id = '${pending}' and p = 0`,
  );
  const translated = await world.solution('approved', 'colleague');
  const texts = JSON.stringify({ title: 'Casquillo', description: 'Un casquillo de dos piezas.' });
  const [translation, waitingTranslation, ownTranslation] = [randomUUID(), randomUUID(), randomUUID()];
  await owner(
    `update solutions set licence = 'CC BY 4.0' where id = '${translated}';
     update solution_versions set content = content || '{"licence": "CC BY 4.0"}' where solution_id = '${translated}';
     insert into solution_translations (id, solution_id, version, language, user_id, status, texts) values
       ('${translation}', '${translated}', 1, 'es', '${people.colleague}', 'approved', '${texts}'),
       ('${waitingTranslation}', '${translated}', 1, 'fr', '${admin2}', 'pending', '${texts}'),
       ('${ownTranslation}', '${translated}', 1, 'it', '${moderator}', 'pending', '${texts}')`,
  );
  const source = await world.solution('approved', 'colleague');
  await owner(
    `insert into solution_sources (solution_id, source_id) values ('${approved}', '${source}'), ('${pending}', '${source}');
     update solutions set version = 2 where id = '${approved}';
     insert into solution_versions (solution_id, version, content) select solution_id, 2, content from solution_versions where solution_id = '${approved}'`,
  );
  // A new version of a published solution.
  const revised = await world.solution('approved');
  await owner(`update solutions set created_at = now() - interval '2 days' where id = '${revised}'`);
  const [revision] = await owner<{ id: string }>(
    `insert into solutions (user_id, status, revises, created_at, title, description, occupation, amputation_level, age_group, prosthesis_type, cost_range)
     select user_id, 'pending', id, created_at, title, description, occupation, amputation_level, age_group, prosthesis_type, cost_range from solutions where id = '${revised}'
     returning id`,
  );
  await owner(
    "insert into withdrawn_solutions (id, title, reason) values (gen_random_uuid(), 'Withdrawn for its error', 'error')",
  );
  const upload = await world.upload();
  const sanction = async (kind: string, of: Member) =>
    owner('insert into sanctions (user_id, kind, reason, created_by) values ($1, $2, $3, $4)', [
      people[of],
      kind,
      'Advertising again',
      admin2,
    ]);
  await owner(`update forum_topics set created_at = now() - interval '1 hour' where id = '${old}'`);
  await sanction('warning', 'author');
  const [banned, blocked, collection, heldPost] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await owner(
    `insert into auth.users (id, email) values ('${banned}', 'banned@clinic.example'), ('${blocked}', 'blocked@clinic.example')`,
  );
  await owner(
    `insert into sanctions (user_id, kind, reason, created_by) values ('${banned}', 'ban', 'Advertising', '${admin2}');
     insert into user_roles (user_id, role) values ('${author}', 'user');
     insert into member_blocks (blocker_id, blocked_id) values ('${author}', '${blocked}');
     insert into review_claims (kind, item_id, moderator_id) values ('solution', '${pending}', '${moderator}');
     insert into collections (id, user_id, title, is_shared) values ('${collection}', '${author}', 'Bow holds', true);
     with other as (insert into collections (user_id, title) values ('${author}', 'Hooks') returning id)
     insert into collection_items (collection_id, user_id, solution_id, note) select o.id, '${author}', '${approved}', 'Ask' from other o;
     insert into held_posts (id, user_id, solution_id, content) values ('${heldPost}', '${author}', '${approved}', 'My first');
     insert into follows (user_id, tag) values ('${author}', 'bow');
     insert into refused_addresses (user_id, address) values ('${author}', 'author@example.org');
     insert into cpd_entries (user_id, activity, subject, day, minutes) values ('${author}', 'read', 'Bow holds', '2026-01-01', 30);
     insert into member_registrations (user_id, register, number) values ('${author}', 'HCPC', 'PO31415'), ('${moderator}', 'GMC', '7654321');
     insert into solution_drafts (user_id, solution_id, content) values ('${author}', null, '{"title": "Half"}');
     insert into content_reports (reporter_id, content_type, content_id, reason) values ('${author}', 'topic', '${topic}', 'Off topic');
     insert into content_reports (reporter_id, content_type, content_id, reason, status, resolved_at) values ('${author}', 'topic', '${locked}', 'Rude', 'dismissed', now());
     insert into page_views (page_path, user_id) values ('/forum', '${author}');
     insert into incoming_uploads (name, user_id) values ('${author}/a.webp', '${author}');
     insert into storage.objects (bucket_id, name)
     select b, '${author}/a.webp' from unnest(array['incoming-media', 'pending-media', 'solution-media', 'avatars']) b;
     insert into media_jobs (solution_id) values ('${pending}');
     insert into resource_suggestions (user_id, resource_name, resource_url, description, category, status)
     select '${author}', 'ISPO', 'https://www.ispoint.org/', 'The international society.', 'Professional Organizations', s
     from unnest(array['pending', 'approved', 'rejected']) s`,
  );

  await owner(
    `insert into staff_notes (about_id, solution_id, content, created_by) values
       ('${author}', null, 'Sells a liner', '${moderator}'), (null, '${pending}', 'Ask for the angle', '${admin2}')`,
  );
  await owner(
    `${removalRequest('received', approved)}; ${removalRequest('removed', approved)}; ${safetyNotice(`'${author}'`, approved)}; ${safetyNotice(`'${author}'`, approved)}; ${partNotice}; ${partNotice}`,
  );

  return {
    solutions: { ...solutions, ...restricted, 'new version of an approved one': String(revision?.id) },
    source,
    trial,
    waitingTrial,
    ownTrial,
    translated,
    translation,
    waitingTranslation,
    ownTranslation,
    comment,
    hidden,
    heldPost,
    topic,
    locked,
    old,
    post,
    sent,
    received,
    toModerator,
    upload,
    buildFile,
    banned,
    followable,
    collection,
  };
}
