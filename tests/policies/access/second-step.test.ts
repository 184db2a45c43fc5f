import { beforeEach, describe, expect, it } from 'vitest';
import { type Member, openDatabase, people } from '../fixtures.ts';
import { attemptsOn } from './attempts.ts';
import { createScene } from './scene.ts';

const world = openDatabase();
const { as, owner } = world;

const factor = (member: Member, status: 'verified' | 'unverified' = 'verified') =>
  owner(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
     values (gen_random_uuid(), $1, 'Phone', 'totp', $2, now(), now())`,
    [people[member], status],
  );
const demand = () => owner('update private.settings set staff_need_second_step = true');

/** Every power of moderators and admins: sets the scene and returns the statement and its values. */
const powers: [string, Member, () => Promise<[string, unknown[]]>][] = [
  [
    'approve a solution',
    'moderator',
    async () => [`update solutions set status = 'approved' where id = $1`, [await world.solution('pending')]],
  ],
  [
    'delete a solution',
    'moderator',
    async () => ['delete from solutions where id = $1', [await world.solution('approved')]],
  ],
  [
    'delete a comment',
    'moderator',
    async () => ['delete from comments where id = $1', [await world.comment(await world.solution())]],
  ],
  [
    'pin a topic',
    'moderator',
    async () => ['update forum_topics set is_pinned = true where id = $1', [await world.topic()]],
  ],
  [
    'delete a topic',
    'moderator',
    async () => ['delete from forum_topics where id = $1', [await world.topic()]],
  ],
  [
    'delete a reply',
    'moderator',
    async () => ['delete from forum_posts where id = $1', [await world.post(await world.topic())]],
  ],
  [
    'decide on a suggestion',
    'moderator',
    async () => {
      const [inserted] = await owner<{ id: string }>(
        `insert into resource_suggestions (resource_name, resource_url, description, category, user_id)
         values ('Socket care', 'https://example.org/care', 'How to clean a liner.', 'Patient Resources', $1) returning id`,
        [people.author],
      );
      return [`update resource_suggestions set status = 'approved' where id = $1`, [inserted?.id]];
    },
  ],
  [
    'check a registration',
    'moderator',
    async () => {
      await owner("insert into member_credentials (user_id, register, number) values ($1, 'HCPC', 'PO1')", [
        people.author,
      ]);
      return [
        `update member_credentials set state = 'checked', checklist = '{"name": true, "number": true, "current": true}' where user_id = $1`,
        [people.author],
      ];
    },
  ],
  [
    'close a report',
    'moderator',
    async () => {
      const [inserted] = await owner<{ id: string }>(
        `insert into content_reports (reporter_id, content_type, content_id, reason)
         values ($1, 'solution', $2, 'spam') returning id`,
        [people.colleague, await world.solution()],
      );
      return [
        `update content_reports set status = 'resolved', admin_response = 'Removed' where id = $1`,
        [inserted?.id],
      ];
    },
  ],
  [
    'tell a member of a deletion',
    'moderator',
    async () => [
      `insert into notifications (user_id, actor_id, type) values ($1, $2, 'content_deleted')`,
      [people.author, people.moderator],
    ],
  ],
  [
    'write to a member who allows no messages',
    'moderator',
    async () => {
      await owner('update profiles set allow_messages = false where id = $1', [people.author]);
      return [
        `insert into messages (sender_id, recipient_id, subject, content) values ($1, $2, 'A word', 'Please call.')`,
        [people.moderator, people.author],
      ];
    },
  ],
  [
    'make a moderator',
    'admin',
    async () => [`insert into user_roles (user_id, role) values ($1, 'moderator')`, [people.colleague]],
  ],
  [
    'take the moderator role away',
    'admin',
    async () => [`delete from user_roles where user_id = $1 and role = 'moderator'`, [people.moderator2]],
  ],
];

describe.each(powers)('to %s', (_power, actor, scene) => {
  let statement: string;
  let values: unknown[];
  beforeEach(async () => {
    [statement, values] = await scene();
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
    /** The number of visible rows of each relation; a user can always read their own role. */
    const seen = async (claims = {}) => {
      const counts: Record<string, number> = {};
      for (const relation of relations) {
        const others = relation === 'user_roles' ? 'where user_id <> auth.uid()' : '';
        counts[relation] = (await as(actor, `select from ${relation} ${others}`, [], claims)).rowCount;
      }
      return counts;
    };
    const atFirst = await seen();
    await factor(actor);
    const afterPassword = await seen();
    expect(await seen({ aal: 'aal2' })).toEqual(atFirst);
    await owner('delete from user_roles where user_id = $1', [people[actor]]);
    const asMember = await seen();
    for (const relation of relations)
      expect(afterPassword[relation], relation).toBeLessThanOrEqual(asMember[relation] ?? 0);
    const staffs = relations.filter((relation) => (atFirst[relation] ?? 0) > (asMember[relation] ?? 0));
    expect(staffs).toEqual(expect.arrayContaining(['takedown_requests', 'content_reports', 'solutions']));
  });
});

describe('the demand', () => {
  it('is off at first, and clients neither see nor change it', async () => {
    expect(await owner('select * from private.settings')).toEqual([
      { only_row: true, staff_need_second_step: false },
    ]);
    for (const actor of ['visitor', 'author', 'moderator', 'admin'] as const) {
      expect((await as(actor, 'select * from private.settings')).code).toBe('42501');
      expect((await as(actor, 'update private.settings set staff_need_second_step = false')).code).toBe(
        '42501',
      );
    }
    await expect(owner('insert into private.settings (only_row) values (false)')).rejects.toThrow();
  });

  it('concerns no member, and no moderator as a member', async () => {
    await demand();
    const id = await world.solution();
    for (const actor of ['colleague', 'moderator'] as const) {
      const comment = 'insert into comments (solution_id, user_id, content) values ($1, $2, $3)';
      expect((await as(actor, comment, [id, people[actor], 'Neat.'])).rowCount).toBe(1);
    }
  });
});

describe('a member who has set up a second step and not taken it', () => {
  const aal2 = { aal: 'aal2' };

  it('writes nothing, and reads nothing that is theirs alone', async () => {
    await factor('colleague');
    const solution = await world.solution();
    await world.message('author', 'colleague');
    const acts: [string, unknown[]][] = [
      ["insert into comments (solution_id, content) values ($1, 'Which liner?')", [solution]],
      ['insert into likes (solution_id) values ($1)', [solution]],
      ["insert into forum_topics (title) values ('Liners for hot days')", []],
      ["insert into messages (recipient_id, content) values ($1, 'Hello')", [people.author]],
    ];
    for (const [sql, values] of acts) {
      expect((await as('colleague', sql, values)).code, sql).toBe('42501');
      expect((await as('colleague', sql, values, aal2)).rowCount, sql).toBe(1);
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
    const seen = async (actor: 'author' | 'visitor', claims = {}) => {
      const counts: Record<string, number> = {};
      for (const relation of relations) {
        const others = ['user_roles', 'sanctions'].includes(relation) ? 'where user_id <> auth.uid()' : '';
        counts[relation] = (await as(actor, `select from ${relation} ${others}`, [], claims)).rowCount;
      }
      return counts;
    };
    const before = await seen('author');
    await factor('author');
    const [asVisitor, afterPassword] = [await seen('visitor'), await seen('author')];
    expect(await seen('author', aal2)).toEqual(before);
    for (const relation of relations)
      expect(afterPassword[relation], relation).toBeLessThanOrEqual(asVisitor[relation] ?? 0);
    for (const own of [
      'solutions',
      'solution_media',
      'media_uploads',
      'solution_reviews',
      'solution_consents',
    ])
      expect(before[own], own).toBeGreaterThan(asVisitor[own] ?? 0);
    expect((await as('author', 'select * from own_sessions()')).rows).toEqual([]);
  });

  it('is asked on every table that members can write', async () => {
    const open = await owner(
      `select c.relname, v.verb from pg_class c, unnest(array['insert', 'update', 'delete']) v (verb)
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'page_views'
         and (has_table_privilege('authenticated', c.oid, v.verb)
           or (v.verb <> 'delete' and has_any_column_privilege('authenticated', c.oid, v.verb)))
         and not exists (
           select from pg_policy p where p.polrelid = c.oid and not p.polpermissive
             and p.polcmd = case v.verb when 'insert' then 'a' when 'update' then 'w' else 'd' end
             and coalesce(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) like '%has_required_aal%'
         )`,
    );
    expect(open).toEqual([]);
  });
});
