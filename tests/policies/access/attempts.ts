import { people } from '../fixtures.ts';
import { type createScene, partNotice, removalRequest, safetyNotice } from './scene.ts';

/** The access matrix's attempts on one relation. */
export interface Attempt {
  /** Existing rows, by name, each with the condition that finds it. */
  rows: Record<string, string>;
  /** Inserts by name. `auth.uid()` is the actor. */
  inserts?: Record<string, string>;
  /**
   * Changes by name, as assignments; without any, every column that may be written is set to its present
   * value.
   */
  changes?: Record<string, string>;
  /** A change that is tried on all rows at once, in values alone. */
  everywhere?: string;
}

const { author, colleague, moderator, admin, admin2 } = people;
const is = (column: string, id: string) => `${column} = '${id}'`;

/** The attempts on each relation; a new one needs its rows in the scene and its own lines here. */
export function attemptsOn(scene: Awaited<ReturnType<typeof createScene>>): Record<string, Attempt> {
  const {
    solutions,
    comment,
    hidden,
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
    source,
    trial,
    waitingTrial,
    ownTrial,
    translated,
    translation,
    waitingTranslation,
    ownTranslation,
  } = scene;
  const { approved, pending, 'the moderator’s own pending': other } = solutions;
  const suggestion = (who: string) =>
    `insert into resource_suggestions (user_id, resource_name, resource_url, description, category) values (${who}, 'ISPO', 'https://www.ispoint.org/', 'The international society.', 'Professional Organizations')`;
  const inTwoNames = (statement: (who: string) => string) => ({
    'in one’s own name': statement('auth.uid()'),
    'in another’s name': statement(`'${admin2}'`),
  });
  /** A table in which the author has rows and may add some. */
  const ofAuthor = (statement: (who: string) => string, owner = 'user_id') => ({
    rows: { 'the author’s': is(owner, author) },
    inserts: inTwoNames(statement),
  });
  const submitted = (who: string, status = 'pending') =>
    `insert into solutions (user_id, title, description, status, occupation, amputation_level, age_group, prosthesis_type, cost_range)
     select ${who}, title, description, '${status}', occupation, amputation_level, age_group, prosthesis_type, cost_range from solutions where id = '${approved}'`;
  const translate = (of: string) =>
    `insert into solution_translations (solution_id, version, language, texts) values ('${of}', 1, 'de', '{"title": "Hülse", "description": "Zwei Teile."}')`;
  const notice = (type: string, actor: string) =>
    `insert into notifications (user_id, actor_id, type) values ('${admin2}', ${actor}, '${type}')`;
  const punish = (kind: string, of: string) =>
    `insert into sanctions (user_id, kind, reason) values ('${of}', '${kind}', 'Advertising again')`;
  const report = (type: string, id: string, who = 'auth.uid()') =>
    `insert into content_reports (reporter_id, content_type, content_id, reason) values (${who}, '${type}', '${id}', 'Rude')`;
  const role = (of: string, name: string) =>
    `insert into user_roles (user_id, role) values (${of}, '${name}')`;
  const claim = (solution: string, who: string) =>
    `insert into review_claims (kind, item_id, moderator_id) values ('solution', '${solution}', ${who})`;
  const tried = (who: string, of: string, status?: string) =>
    `insert into solution_trials (solution_id, version, user_id, result, amputation_level, age_group, prosthesis_type${status ? ', status' : ''}) values ('${of}', 1, ${who}, 'worked', 'Partial Foot', 'Adults', 'Passive'${status ? `, '${status}'` : ''})`;
  const ofSolutions = (column: string) => ({
    'of the approved solution': is(column, approved),
    'of the pending solution': is(column, pending),
  });

  return {
    audit_events: {
      rows: { 'an event': 'true' },
      inserts: {
        'an event': "insert into audit_events (action, target_type, target_id) values ('x', 'y', 'z')",
      },
    },
    badges: {
      rows: { 'a badge': "name = 'First Solution'" },
      inserts: {
        'a badge':
          "insert into badges (name, description, icon_url, tier, criterion, threshold) values ('x', 'y', '/badges/x.svg', 1, 'like', 7)",
      },
    },
    collection_items: ofAuthor(
      (who) =>
        `insert into collection_items (collection_id, user_id, solution_id) values ('${collection}', ${who}, '${approved}')`,
    ),
    collections: ofAuthor((who) => `insert into collections (user_id, title) values (${who}, 'Liners')`),
    comment_counts: {
      rows: {
        'of the approved solution': is('solution_id', approved),
        'of the pending solution': is('solution_id', pending),
      },
      inserts: {
        'of another solution': `insert into comment_counts (solution_id, comments_count) values ('${source}', 9)`,
      },
    },
    comments: {
      rows: { 'on the approved solution': is('id', comment), 'on the pending solution': is('id', hidden) },
      inserts: {
        ...inTwoNames(
          (who) =>
            `insert into comments (solution_id, user_id, content) values ('${approved}', ${who}, 'Good')`,
        ),
        'on the pending solution': `insert into comments (solution_id, user_id, content) values ('${pending}', auth.uid(), 'Good')`,
      },
    },
    content_reports: {
      rows: { open: "status = 'pending'", closed: "status = 'dismissed'" },
      inserts: {
        'of a topic': report('topic', old),
        'of a topic in another’s name': report('topic', old, `'${admin2}'`),
        'of the pending solution': report('solution', pending),
        'of a message to the moderator': report('message', toModerator),
        'of a shared collection': report('collection', collection),
      },
      changes: {
        'status to dismissed': "status = 'dismissed'",
        'status to resolved, with a response': "status = 'resolved', admin_response = 'Thank you'",
        'status to pending': "status = 'pending'",
      },
    },
    cpd_entries: {
      rows: { 'the author’s': is('user_id', author) },
      inserts: inTwoNames(
        (who) =>
          `insert into cpd_entries (user_id, activity, subject, day, minutes) values (${who}, 'read', 'Liners', '2026-01-01', 30)`,
      ),
      changes: {
        reflection: "reflection = 'Ask about the spring'",
        'what an audit asks for':
          "kind = 'other', benefit = 'Fewer visits', in_detail = true, gap_reason = 'Leave'",
      },
    },
    follows: {
      rows: { 'the author’s': is('user_id', author) },
      inserts: {
        ...inTwoNames((who) => `insert into follows (user_id, tag) values (${who}, 'liners')`),
        'of the pending solution': `insert into follows (solution_id) values ('${pending}')`,
        'of a topic': `insert into follows (topic_id) values ('${followable}')`,
      },
    },
    forum_posts: {
      rows: { 'to the open topic': is('id', post), 'to the locked topic': is('topic_id', locked) },
      inserts: {
        ...inTwoNames(
          (who) =>
            `insert into forum_posts (topic_id, user_id, content) values ('${topic}', ${who}, 'Suction')`,
        ),
        'to the locked topic': `insert into forum_posts (topic_id, user_id, content) values ('${locked}', auth.uid(), 'Suction')`,
      },
      changes: { content: "content = 'Another reply'" },
    },
    forum_topics: {
      rows: { new: is('id', topic), locked: is('id', locked), 'an hour old': is('id', old) },
      inserts: inTwoNames((who) => `insert into forum_topics (title, user_id) values ('Liners', ${who})`),
      changes: {
        'title, description, category':
          "title = 'Another', description = 'Other words', category = 'technical'",
        is_pinned: 'is_pinned = not is_pinned',
        is_locked: 'is_locked = not is_locked',
      },
    },
    incoming_uploads: ofAuthor(
      (who) => `insert into incoming_uploads (name, user_id) values (${who} || '/x', ${who})`,
    ),
    likes: {
      rows: ofSolutions('solution_id'),
      inserts: {
        ...inTwoNames((who) => `insert into likes (solution_id, user_id) values ('${approved}', ${who})`),
        'of the pending solution': `insert into likes (solution_id, user_id) values ('${pending}', auth.uid())`,
      },
    },
    media_jobs: {
      rows: { 'a job': is('solution_id', pending) },
      inserts: { 'a job': 'insert into media_jobs default values' },
    },
    held_posts: {
      rows: { 'the author’s': is('id', scene.heldPost) },
      inserts: {
        ...inTwoNames(
          (who) =>
            `insert into held_posts (user_id, solution_id, content) values (${who}, '${approved}', 'Good')`,
        ),
        'on the pending solution': `insert into held_posts (solution_id, content) values ('${pending}', 'Good')`,
        'in the locked topic': `insert into held_posts (topic_id, content) values ('${locked}', 'Good')`,
      },
      changes: { content: "content = 'Another first post'" },
    },
    member_blocks: ofAuthor(
      (who) => `insert into member_blocks (blocker_id, blocked_id) values (${who}, '${banned}')`,
      'blocker_id',
    ),
    member_registrations: {
      rows: { 'the author’s': is('user_id', author), 'the moderator’s': is('user_id', moderator) },
      inserts: inTwoNames(
        (who) =>
          `insert into member_registrations (user_id, register, number) values (${who}, 'HCPC', 'PO1')`,
      ),
      changes: {
        'register, number': "register = 'ABC', number = 'CPO1'",
        'state to checked': `state = 'checked', checklist = '{"name": true, "number": true, "current": true}'`,
        'state to declined, with a reason': "state = 'declined', decline_reason = 'Another name'",
        'state to waiting': "state = 'waiting'",
        'state to lapsed': "state = 'lapsed'",
      },
    },
    member_declarations: ofAuthor(
      (who) =>
        `insert into member_declarations (user_id, statement, text_version) values (${who}, 'adult_healthcare_professional', '2026-11-01')`,
    ),
    message_deletions: ofAuthor(
      (who) => `insert into message_deletions (message_id, user_id) values ('${toModerator}', ${who})`,
    ),
    messages: {
      everywhere: 'read = true',
      rows: { 'sent by the author': is('id', sent), 'received by the author': is('id', received) },
      inserts: {
        ...inTwoNames(
          (who) =>
            `insert into messages (sender_id, recipient_id, content) values (${who}, '${banned}', 'Hello')`,
        ),
        'about the pending solution': `insert into messages (sender_id, recipient_id, content, solution_id) values (auth.uid(), '${banned}', 'Hello', '${pending}')`,
      },
    },
    notifications: {
      everywhere: 'is_read = true',
      rows: { 'the author’s': `${is('user_id', author)} and ${is('message_id', received)}` },
      inserts: {
        'content_deleted in one’s own name': notice('content_deleted', 'auth.uid()'),
        'content_deleted in another’s name': notice('content_deleted', `'${admin2}'`),
        'content_deleted with another’s message': `insert into notifications (user_id, actor_id, type, message_id) values ('${author}', auth.uid(), 'content_deleted', '${received}')`,
        'another type': notice('like', 'auth.uid()'),
      },
    },
    outcome_measures: {
      rows: { 'a measure': is('abbreviation', 'TUG') },
      inserts: {
        'a measure':
          "insert into outcome_measures (abbreviation, position, name, construct, limb, ages, unit, minimum, maximum, decimals, direction, reference, reference_url) values ('X', 99, 'x', 'x', 'both', '{Adults}', 's', 0, 1, 0, 'lower', 'x', 'https://x.example')",
      },
    },
    page_views: {
      rows: { 'the author’s': is('page_path', '/forum') },
      inserts: {
        'of nobody': "insert into page_views (page_path) values ('/forum')",
        ...inTwoNames((who) => `insert into page_views (page_path, user_id) values ('/forum', ${who})`),
      },
    },
    point_events: ofAuthor(
      (who) =>
        `insert into point_events (user_id, cause, source_id, points) values (${who}, 'like', gen_random_uuid(), 5)`,
    ),
    profiles: {
      everywhere: "bio = 'x'",
      rows: { 'the author’s': is('id', author) },
      changes: {
        'what others see':
          "username = 'new.name', full_name = 'Another', bio = 'x', workplace = 'x', profession = 'x', location = 'x', avatar_url = null, interests = ''",
        settings:
          'allow_messages = false, allow_notifications = false, email_notifications = true, asks_still_in_use = false',
      },
      inserts: inTwoNames(
        (who) =>
          `insert into profiles (id, bio) values (${who}, 'x') on conflict (id) do update set bio = excluded.bio`,
      ),
    },
    public_profiles: ofAuthor(
      (who) => `insert into public_profiles (id, username) values (${who}, 'new.name')`,
      'id',
    ),
    registers: {
      rows: { 'a register': is('code', 'HCPC') },
      inserts: {
        'a register':
          "insert into registers (code, name, country, professions, search_url) values ('XX', 'x', 'y', 'z', 'https://x.example/')",
      },
      changes: { is_retired: 'is_retired = true', code: "code = 'XX'" },
    },
    incident_authorities: {
      rows: { 'an authority': is('code', 'GB') },
      inserts: {
        'an authority':
          "insert into incident_authorities (code, country, name, url) values ('XX', 'x', 'y', 'https://x.example/')",
      },
      changes: { url: "url = 'https://x.example/'" },
    },
    refused_addresses: ofAuthor(
      (who) => `insert into refused_addresses (user_id, address) values (${who}, 'old@example.org')`,
    ),
    resource_suggestions: {
      rows: {
        pending: "status = 'pending'",
        approved: "status = 'approved'",
        rejected: "status = 'rejected'",
      },
      inserts: inTwoNames(suggestion),
      changes: {
        'status to approved': "status = 'approved'",
        'status to rejected': "status = 'rejected'",
        'status to pending': "status = 'pending'",
      },
    },
    review_claims: {
      rows: { 'the moderator’s': is('item_id', pending) },
      inserts: {
        'of a pending solution': claim(other, 'auth.uid()'),
        'of the approved solution': claim(approved, 'auth.uid()'),
        'in another’s name': claim(other, `'${admin2}'`),
      },
      changes: { 'to oneself': 'moderator_id = auth.uid()', 'to another': `moderator_id = '${admin2}'` },
    },
    review_queue: {
      rows: {
        'the pending solution': is('id', pending),
        'the open report': "kind = 'report'",
        'the pending suggestion': "kind = 'resource'",
        'the open removal request': "kind = 'removal_request'",
        'the waiting registration': "kind = 'registration'",
        'the waiting post': "kind = 'post'",
      },
    },
    safety_notices: {
      rows: { 'that holds': 'ended_at is null', 'that was replaced': 'ended_at is not null' },
      inserts: {
        ...inTwoNames((who) => safetyNotice(who, approved)),
        'on the pending solution': safetyNotice('auth.uid()', pending),
      },
      changes: { 'ended_at to now': 'ended_at = now()', 'ended_at to nothing': 'ended_at = null' },
    },
    sanctions: {
      rows: { 'a warning of the author': is('user_id', author), 'a ban': is('user_id', banned) },
      inserts: {
        'a warning of a member': punish('warning', banned),
        'a ban of a member': punish('ban', banned),
        'a warning of a moderator': punish('warning', moderator),
        'a warning of an admin': punish('warning', admin2),
      },
      changes: { 'lifted_at to now': 'lifted_at = now()', 'lifted_at to nothing': 'lifted_at = null' },
    },
    staff_notes: {
      rows: {
        'a moderator’s, on the author': is('created_by', moderator),
        'an admin’s, on the pending solution': is('created_by', admin2),
      },
      inserts: {
        ...inTwoNames(
          (who) =>
            `insert into staff_notes (about_id, content, created_by) values ('${colleague}', 'Kind', ${who})`,
        ),
        'on the pending solution': `insert into staff_notes (solution_id, content) values ('${pending}', 'Ask again')`,
      },
    },
    site_settings: {
      rows: { 'the settings': 'true' },
      inserts: { 'other settings': 'insert into site_settings default values' },
      changes: { 'sign_up to closed': "sign_up = 'closed'", only_row: 'only_row = false' },
    },
    search_synonyms: {
      rows: { 'a synonym': "terms @> '{fibre}'" },
      inserts: inTwoNames(
        (who) => `insert into search_synonyms (terms, created_by) values ('{liner,sleeve}', ${who})`,
      ),
    },
    solution_consents: {
      rows: ofSolutions('solution_id'),
      inserts: {
        'for the author’s solution': `insert into solution_consents (solution_id, basis, statement_version, recorded_by) values ('${solutions.rejected}', 'patient_written', '2026-11-01', auth.uid())`,
        'for the author’s solution in another’s name': `insert into solution_consents (solution_id, basis, statement_version, recorded_by) values ('${solutions.rejected}', 'patient_written', '2026-11-01', '${admin2}')`,
      },
      changes: {
        'basis, statement_version':
          "basis = 'guardian_written', statement_version = '2026-11-01', recorded_by = auth.uid()",
        'recorded_by to another': `recorded_by = '${admin2}'`,
      },
    },
    solution_drafts: {
      everywhere: "content = '{}'",
      rows: { 'the author’s': is('user_id', author) },
      inserts: {
        ...inTwoNames((who) => `insert into solution_drafts (user_id, content) values (${who}, '{}')`),
        'for the author’s solution': `insert into solution_drafts (user_id, solution_id, content) values (auth.uid(), '${approved}', '{}')`,
      },
    },
    solution_fabrication: {
      rows: ofSolutions('solution_id'),
      inserts: {
        'for the author’s solution': `insert into solution_fabrication (solution_id, hours) values ('${pending}', 2)`,
      },
    },
    solution_files: {
      rows: {
        'of the approved solution': `${is('solution_id', approved)} and hidden_at is null`,
        'of the approved solution, withheld': `${is('solution_id', approved)} and hidden_at is not null`,
        'of the pending solution': is('solution_id', pending),
      },
      inserts: {
        'for the author’s solution': `insert into solution_files (solution_id, position, file_url, file_name, file_type, byte_size, facts, previews, page_texts) values ('${pending}', 1, 'a', 'b.pdf', 'pdf', 1, '{}', '{}', '{}')`,
      },
    },
    solution_media: {
      everywhere: "description = 'x'",
      rows: {
        'of the approved solution': `${is('solution_id', approved)} and trial_id is null and hidden_at is null`,
        'of the approved solution, withheld': `${is('solution_id', approved)} and hidden_at is not null`,
        'of the pending solution': is('solution_id', pending),
        'of the colleague’s approved trial': is('trial_id', trial),
        'of admin2’s pending trial': is('trial_id', waitingTrial),
      },
      inserts: {
        'the author’s upload to admin2’s trial': `insert into solution_media (solution_id, trial_id, media_url, compressed_url, thumbnail_url, media_type) values ('${approved}', '${waitingTrial}', '${upload.media_url}', '${upload.compressed_url}', '${upload.thumbnail_url}', 'image')`,
        'the author’s upload to the author’s solution': `insert into solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type) values ('${pending}', '${upload.media_url}', '${upload.compressed_url}', '${upload.thumbnail_url}', 'image')`,
        'the author’s upload to the moderator’s solution': `insert into solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type) values ('${solutions['the moderator’s own pending']}', '${upload.media_url}', '${upload.compressed_url}', '${upload.thumbnail_url}', 'image')`,
      },
    },
    solution_outcomes: {
      rows: {
        'of the approved solution': `${is('solution_id', approved)} and trial_id is null`,
        'of the pending solution': is('solution_id', pending),
        'of the colleague’s approved trial': is('trial_id', trial),
        'of admin2’s pending trial': is('trial_id', waitingTrial),
      },
      inserts: {
        'for a trial': `insert into solution_outcomes (solution_id, trial_id, position, measure, score_after, people) values ('${approved}', '${waitingTrial}', 1, 'TUG', 12, 1)`,
        'for the author’s solution': `insert into solution_outcomes (solution_id, position, measure, score_after, people) values ('${pending}', 1, 'TUG', 12, 1)`,
      },
    },
    solution_parts: {
      rows: ofSolutions('solution_id'),
      inserts: {
        'for the author’s solution': `insert into solution_parts (solution_id, position, component, quantity) values ('${pending}', 1, 'Bolt', 1)`,
      },
    },
    solution_reviews: {
      rows: ofSolutions('solution_id'),
      inserts: {
        'a decision': `insert into solution_reviews (solution_id, reviewer_id, decision) values ('${pending}', auth.uid(), 'approved')`,
      },
    },
    solution_sources: {
      rows: ofSolutions('solution_id'),
      inserts: {
        'to the author’s pending solution': `insert into solution_sources (solution_id, source_id) values ('${pending}', '${approved}')`,
        'to the author’s approved solution': `insert into solution_sources (solution_id, source_id) values ('${approved}', '${solutions['new version of an approved one']}')`,
        'to the moderator’s solution': `insert into solution_sources (solution_id, source_id) values ('${other}', '${approved}')`,
      },
    },
    solution_steps: {
      rows: ofSolutions('solution_id'),
      inserts: {
        'for the author’s solution': `insert into solution_steps (solution_id, position, instruction) values ('${pending}', 1, 'Turn.')`,
      },
    },
    solution_translations: {
      rows: {
        'the colleague’s approved': is('id', translation),
        'admin2’s pending': is('id', waitingTranslation),
        'the moderator’s own pending': is('id', ownTranslation),
      },
      inserts: {
        'of an approved solution with a licence': translate(translated),
        'of one without': translate(approved),
        'of the pending solution': translate(pending),
      },
      changes: {
        'version and texts': `version = 1, texts = '{"title": "Otro", "description": "Otra"}'`,
        'status to approved': "status = 'approved'",
        'status to approved, with a checklist': `status = 'approved', checklist = '{"consent": true}'`,
        'status to rejected, with a reason': "status = 'rejected', rejection_reason = 'A name is seen.'",
        'status to pending': "status = 'pending', rejection_reason = null",
        rejection_reason: "rejection_reason = 'Reworded'",
      },
    },
    solution_trials: {
      rows: {
        'the colleague’s approved': is('id', trial),
        'admin2’s pending': is('id', waitingTrial),
        'the moderator’s own pending': is('id', ownTrial),
      },
      inserts: {
        ...inTwoNames((who) => tried(who, source)),
        'of the pending solution': tried('auth.uid()', pending),
        'already approved': tried('auth.uid()', source, 'approved'),
      },
      changes: {
        'result and what else the form asks for':
          "result = 'did_not_work', changes = 'x', experience = 'y', amputation_level = 'Partial Foot', age_group = 'Children', prosthesis_type = 'Hybrid', consent_basis = 'patient_written', consent_version = '2026-11-01', submission_id = gen_random_uuid()",
        'status to approved': "status = 'approved'",
        'status to approved, with a checklist': `status = 'approved', checklist = '{"consent": true}'`,
        'status to rejected, with a reason': "status = 'rejected', rejection_reason = 'A name is seen.'",
        'status to pending': "status = 'pending', rejection_reason = null",
        rejection_reason: "rejection_reason = 'Reworded'",
        author_answer: "author_answer = 'Thank you'",
      },
    },
    solution_versions: {
      rows: {
        'of the approved solution, earlier': `${is('solution_id', approved)} and version = 1`,
        'of the approved solution, current': `${is('solution_id', approved)} and version = 2`,
      },
      inserts: {
        'a version': `insert into solution_versions (solution_id, version, content) values ('${approved}', 9, '{}')`,
      },
      changes: { 'content to none': 'content = null', 'content to another': `content = '{"title": "x"}'` },
      everywhere: 'content = null',
    },
    solutions: {
      rows: Object.fromEntries(Object.entries(solutions).map(([name, id]) => [name, is('id', id)])),
      inserts: {
        ...inTwoNames((who) => submitted(who)),
        'already approved': submitted('auth.uid()', 'approved'),
      },
      changes: {
        'title and what else the form asks for':
          "title = 'Another title for it', description = repeat('Other words. ', 9), occupation = 'Walking', amputation_level = 'Partial Foot', age_group = 'Children', prosthesis_type = 'Passive', cost_range = 'High-end (>$5000)', materials = '{Titanium}', custom_tags = '{bow}', durability_testing = 'x', patient_outcomes = 'y', challenges_overcome = 'z', licence = 'CC0 1.0', thumbnail_url = null, change_note = 'n'",
        'status to approved': "status = 'approved'",
        'status to approved, with a checklist': `status = 'approved', checklist = '{"consent": true}'`,
        'checklist without a decision': `checklist = '{"consent": true}'`,
        'status to rejected, with a reason': "status = 'rejected', rejection_reason = 'A name is seen.'",
        'status to pending': "status = 'pending', rejection_reason = null",
        rejection_reason: "rejection_reason = 'Reworded'",
        'audience to checked professionals': "audience = 'checked'",
        'audience to everybody': "audience = 'public'",
      },
    },
    withdrawn_solutions: {
      rows: { 'a withdrawn one': "reason = 'error'" },
      inserts: { 'a withdrawn one': 'insert into withdrawn_solutions (id) values (gen_random_uuid())' },
    },
    'storage.objects': {
      rows: Object.fromEntries(
        ['incoming-media', 'pending-media', 'solution-media', 'avatars'].map((bucket) => [
          `the author’s in ${bucket}`,
          `bucket_id = '${bucket}' and name like '${author}/%'`,
        ]),
      ),
      inserts: Object.fromEntries(
        ['incoming-media', 'pending-media', 'solution-media', 'avatars'].map((bucket) => [
          `into one’s own folder of ${bucket}`,
          `insert into storage.objects (bucket_id, name) values ('${bucket}', auth.uid() || '/b.webp')`,
        ]),
      ),
      changes: { name: "name = auth.uid() || '/c.webp'" },
    },
    removal_requests: {
      rows: { received: "status = 'received'", decided: "status = 'removed'" },
      inserts: { 'a request': removalRequest('received', approved) },
      changes: {
        'status to hidden': "status = 'hidden'",
        'status to removed': "status = 'removed'",
        'status to kept, with an answer': "status = 'kept', answer = 'A drawing.'",
        'status to received': "status = 'received'",
      },
    },
    part_notices: {
      rows: { 'that holds': 'ended_at is null', 'that was replaced': 'ended_at is not null' },
      inserts: { 'of a part': partNotice },
      changes: { 'ended_at to now': 'ended_at = now()', 'ended_at to nothing': 'ended_at = null' },
    },
    pending_uploads: {
      rows: { 'the author’s image': is('url', upload.media_url), 'their build file': is('url', buildFile) },
      inserts: inTwoNames(
        (who) =>
          `insert into pending_uploads (user_id, urls, byte_size, made) values (${who}, '{a}', 1, '{}')`,
      ),
    },
    use_questions: {
      rows: {
        'about the author’s solution': `${is('solution_id', approved)} and trial_id is null`,
        'about the colleague’s trial': is('trial_id', trial),
      },
      inserts: inTwoNames(
        (who) => `insert into use_questions (solution_id, user_id, months) values ('${pending}', ${who}, 3)`,
      ),
    },
    user_badges: ofAuthor(
      (who) =>
        `insert into user_badges (user_id, badge_id) select ${who}, id from badges where name = 'Reference Work'`,
    ),
    user_points: ofAuthor((who) => `insert into user_points (user_id, total_points) values (${who}, 9)`),
    user_roles: {
      rows: {
        'user, of the author': is('user_id', author),
        'moderator, of the moderator': is('user_id', moderator),
        'admin, of another admin': is('user_id', admin2),
        'admin, of the admin': is('user_id', admin),
      },
      inserts: {
        'moderator for a member': role(`'${colleague}'`, 'moderator'),
        'admin for a member': role(`'${colleague}'`, 'admin'),
        'moderator for an admin': role(`'${admin2}'`, 'moderator'),
        'admin for oneself': role('auth.uid()', 'admin'),
      },
    },
  };
}
