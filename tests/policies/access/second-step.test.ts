import { beforeEach, describe, expect, it } from 'vitest';
import { type Actor, type Member, openDatabase, people } from '../fixtures.ts';
import { attemptsOn } from './attempts.ts';
import { createScene } from './scene.ts';

const world = openDatabase();
const { as, owner, insert } = world;

const factor = world.verifyFactor;
const demand = () => owner('update site_settings set staff_second_step = true');

/** Every power of moderators and admins: a statement, and what it is about. */
const powers: [string, Member, string, () => unknown][] = [
  [
    'approve a solution',
    'moderator',
    "update solutions set status = 'approved' where id = $1",
    () => world.solution('pending'),
  ],
  ['delete a solution', 'moderator', 'delete from solutions where id = $1', () => world.solution()],
  [
    'delete a comment',
    'moderator',
    'delete from comments where id = $1',
    async () => world.comment(await world.solution()),
  ],
  ['pin a topic', 'moderator', 'update forum_topics set is_pinned = true where id = $1', () => world.topic()],
  ['delete a topic', 'moderator', 'delete from forum_topics where id = $1', () => world.topic()],
  [
    'delete a reply',
    'moderator',
    'delete from forum_posts where id = $1',
    async () => world.post(await world.topic()),
  ],
  [
    'decide on a suggestion',
    'moderator',
    "update resource_suggestions set status = 'approved' where id = $1",
    () =>
      world.value(
        `insert into resource_suggestions (resource_name, resource_url, description, category, user_id)
         values ('Socket care', 'https://example.org/care', 'How to clean a liner.', 'Patient Resources', $1) returning id`,
        [people.author],
      ),
  ],
  [
    'check a registration',
    'moderator',
    `update member_registrations set state = 'checked', checklist = '{"name": true, "number": true, "current": true}' where user_id = $1`,
    async () => {
      await insert('author', 'member_registrations', { register: 'HCPC', number: 'PO1' });
      return people.author;
    },
  ],
  [
    'close a report',
    'moderator',
    "update content_reports set status = 'resolved', admin_response = 'Removed' where content_id = $1",
    async () => {
      const content_id = await world.solution();
      await insert('colleague', 'content_reports', { content_type: 'solution', content_id, reason: 'spam' });
      return content_id;
    },
  ],
  [
    'tell a member of a deletion',
    'moderator',
    "insert into notifications (user_id, actor_id, type) values ($1, auth.uid(), 'content_deleted')",
    () => people.author,
  ],
  [
    'write to a member who allows no messages',
    'moderator',
    "insert into messages (recipient_id, content) values ($1, 'Please call.')",
    async () => {
      await owner('update profiles set allow_messages = false where id = $1', [people.author]);
      return people.author;
    },
  ],
  [
    'make a moderator',
    'admin',
    "insert into user_roles (user_id, role) values ($1, 'moderator')",
    () => people.colleague,
  ],
  [
    'take the moderator role away',
    'admin',
    "delete from user_roles where user_id = $1 and role = 'moderator'",
    () => people.moderator2,
  ],
];

/** The number of rows of each relation that someone sees, without their own of the roles and sanctions, which all may read. */
async function seenBy(relations: string[], actor: Actor, claims = {}) {
  const counts: Record<string, number> = {};
  for (const relation of relations) {
    const others = ['user_roles', 'sanctions'].includes(relation) ? 'where user_id <> auth.uid()' : '';
    counts[relation] = (await as(actor, `select from ${relation} ${others}`, [], claims)).rowCount;
  }
  return counts;
}

describe.each(powers)('to %s', (_power, actor, statement, about) => {
  let values: unknown[];
  beforeEach(async () => {
    values = [await about()];
  });
  const attempt = async (claims = {}) => {
    const { rowCount, code } = await as(actor, statement, values, claims);
    // Policies either hide the row or forbid the new one.
    return rowCount === 1 ? 'done' : ['42501', undefined].includes(code) ? 'refused' : code;
  };

  it('the password is enough for who has no second step', async () => {
    await factor('author');
    await factor(actor, 'unverified');
    expect(await attempt()).toBe('done');
  });

  it('whoever has set up a second step must have taken it', async () => {
    await factor(actor);
    expect(await attempt()).toBe('refused');
    expect(await attempt({ aal: null })).toBe('refused');
    expect(await attempt({ app_metadata: { aal: 'aal2' }, user_metadata: { aal: 'aal2' } })).toBe('refused');
    expect(await attempt({ aal: 'aal2' })).toBe('done');
  });

  it('everyone must, where the site demands it', async () => {
    await demand();
    expect(await attempt()).toBe('refused');
    expect(await attempt({ aal: 'aal2' })).toBe('done');
  });
});

describe.each(['moderator', 'admin'] as const)('an account of the %s', (actor) => {
  it('reads no more than a member’s with the password alone where a second step is set up, on every relation', async () => {
    const relations = Object.keys(attemptsOn(await createScene(world)));
    expect(relations.length).toBeGreaterThan(30);
    const seen = (claims = {}) => seenBy(relations, actor, claims);
    const atFirst = await seen();
    await factor(actor);
    const afterPassword = await seen();
    expect(await seen({ aal: 'aal2' })).toEqual(atFirst);
    await owner('delete from user_roles where user_id = $1', [people[actor]]);
    const asMember = await seen();
    for (const relation of relations)
      expect(afterPassword[relation], relation).toBeLessThanOrEqual(asMember[relation] ?? 0);
    const staffs = relations.filter((relation) => (atFirst[relation] ?? 0) > (asMember[relation] ?? 0));
    expect(staffs).toEqual(expect.arrayContaining(['removal_requests', 'content_reports', 'solutions']));
  });
});

describe('the demand', () => {
  it('is off at first; an admin turns it on with a second step of their own, and no one else', async () => {
    const turnOn = (actor: Actor, claims = {}) =>
      as(actor, 'update site_settings set staff_second_step = true', [], claims);
    expect(await owner('select staff_second_step from site_settings')).toEqual([
      { staff_second_step: false },
    ]);
    for (const actor of ['author', 'moderator'] as const)
      expect((await turnOn(actor, { aal: 'aal2' })).rowCount, actor).toBe(0);
    expect((await turnOn('visitor')).code).toBe('42501');
    expect((await turnOn('admin')).message).toBe('Set up two-step sign-in for your own account first');
    expect((await turnOn('admin', { aal: 'aal2' })).rowCount).toBe(1);
    expect((await as('admin', 'update site_settings set staff_second_step = false')).rowCount).toBe(0);
  });

  it('closes the staff’s own data to who has no second step', async () => {
    await world.solution('pending');
    const seen = async (claims = {}) =>
      (await as('moderator', "select id from solutions where status = 'pending'", [], claims)).rowCount;
    expect(await seen()).toBe(1);
    await demand();
    expect([await seen(), await seen({ aal: 'aal2' })]).toEqual([0, 1]);
  });

  it('concerns no member, and no moderator as a member', async () => {
    await demand();
    const id = await world.solution();
    for (const actor of ['colleague', 'moderator'] as const) {
      expect((await insert(actor, 'comments', { solution_id: id, content: 'Neat.' })).rowCount).toBe(1);
    }
  });
});

describe('a member who has set up a second step and not taken it', () => {
  const aal2 = { aal: 'aal2' };

  it('writes nothing, and reads nothing that is theirs alone', async () => {
    await factor('colleague');
    const solution = await world.solution();
    await world.message('author', 'colleague');
    for (const [table, row] of Object.entries({
      comments: { solution_id: solution, content: 'Which liner?' },
      likes: { solution_id: solution },
      forum_topics: { title: 'Liners for hot days' },
      messages: { recipient_id: people.author, content: 'Hello' },
    })) {
      expect((await insert('colleague', table, row)).code, table).toBe('42501');
      expect((await insert('colleague', table, row, aal2)).rowCount, table).toBe(1);
    }
    const rename = "update profiles set bio = 'Taken over.' where id = $1";
    expect((await as('colleague', rename, [people.colleague])).rowCount).toBe(0);
    expect((await as('colleague', rename, [people.colleague], aal2)).rowCount).toBe(1);
    expect((await as('colleague', 'select * from messages')).rowCount).toBe(0);
    expect((await as('colleague', 'select * from messages', [], aal2)).rowCount).toBe(2);
    expect((await as('colleague', 'select export_account()')).code).toBe('42501');
    expect((await as('colleague', 'select id from solutions')).rowCount).toBe(1);
  });

  it('reads what a visitor reads, on every relation, until they have', async () => {
    const relations = Object.keys(attemptsOn(await createScene(world)));
    await world.upload();
    await world.buildFile();
    const seen = (actor: Actor, claims = {}) => seenBy(relations, actor, claims);
    const before = await seen('author');
    await factor('author');
    const [asVisitor, afterPassword] = [await seen('visitor'), await seen('author')];
    expect(await seen('author', aal2)).toEqual(before);
    for (const relation of relations)
      expect(afterPassword[relation], relation).toBeLessThanOrEqual(asVisitor[relation] ?? 0);
    for (const own of ['solutions', 'solution_media', 'pending_uploads', 'solution_reviews'])
      expect(before[own], own).toBeGreaterThan(asVisitor[own] ?? 0);
    expect((await as('author', 'select * from own_sessions()')).rows).toEqual([]);
  });
});
