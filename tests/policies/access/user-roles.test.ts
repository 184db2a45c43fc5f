import { describe, expect, it } from 'vitest';
import { openDatabase, people } from '../fixtures.ts';

const { as, owner } = openDatabase();
const grant = 'insert into user_roles (user_id, role) values ($1, $2)';
const remove = 'delete from user_roles where user_id = $1 and role = $2';

describe('roles', () => {
  it('are read by their owner, and all of them by admins', async () => {
    expect((await as('admin', 'select * from user_roles')).rows).toHaveLength(4);
    expect((await as('moderator', 'select role from user_roles')).rows).toEqual([{ role: 'moderator' }]);
    expect((await as('author', 'select * from user_roles')).rows).toEqual([]);
    expect((await as('visitor', 'select * from user_roles')).rows).toEqual([]);
  });

  it('are given by admins only, and only the moderator role', async () => {
    expect((await as('author', grant, [people.author, 'moderator'])).code).toBe('42501');
    expect((await as('moderator', grant, [people.colleague, 'moderator'])).code).toBe('42501');
    expect((await as('admin', grant, [people.colleague, 'admin'])).code).toBe('42501');
    expect((await as('admin', grant, [people.admin2, 'moderator'])).code).toBe('42501');
    expect((await as('admin', grant, [people.colleague, 'moderator'])).rowCount).toBe(1);
    expect((await as('admin', grant, [people.colleague, 'moderator'])).code).toBe('23505');
  });

  it('cannot be changed into another', async () => {
    expect((await as('moderator', "update user_roles set role = 'admin'")).code).toBe('42501');
    expect((await as('admin', "update user_roles set role = 'admin'")).code).toBe('42501');
  });

  it('of admins cannot be taken through the API; moderators’ can, by admins and themselves', async () => {
    expect((await as('admin', remove, [people.admin2, 'admin'])).rowCount).toBe(0);
    expect((await as('moderator', remove, [people.moderator2, 'moderator'])).rowCount).toBe(0);
    expect((await as('moderator', remove, [people.moderator, 'moderator'])).rowCount).toBe(1);
    expect((await as('admin', remove, [people.moderator2, 'moderator'])).rowCount).toBe(1);
  });

  it('come from the table and never from the token', async () => {
    const forged = await as('author', grant, [people.author, 'moderator'], {
      user_metadata: { role: 'admin' },
      app_metadata: { role: 'admin' },
    });
    expect(forged.code).toBe('42501');
  });

  it('need two-step sign-in for writing once the person has set it up', async () => {
    await owner(
      "insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at) values (gen_random_uuid(), $1, 'phone', 'totp', 'verified', now(), now())",
      [people.admin],
    );
    expect((await as('admin', grant, [people.colleague, 'moderator'])).code).toBe('42501');
    expect((await as('admin', grant, [people.colleague, 'moderator'], { aal: 'aal2' })).rowCount).toBe(1);
  });

  it('leave a trace when given and taken, and none when refused', async () => {
    await as('author', grant, [people.author, 'moderator']);
    await as('admin', grant, [people.colleague, 'moderator']);
    await as('admin', remove, [people.colleague, 'moderator']);
    expect(await owner('select actor_id, action, target_id from audit_events order by id')).toEqual([
      { actor_id: people.admin, action: 'role_granted', target_id: people.colleague },
      { actor_id: people.admin, action: 'role_removed', target_id: people.colleague },
    ]);
  });
});

describe('the audit log', () => {
  it('is read by admins and written by no one', async () => {
    await as('admin', grant, [people.colleague, 'moderator']);
    expect((await as('admin', 'select * from audit_events')).rows).toHaveLength(1);
    expect((await as('moderator', 'select * from audit_events')).rows).toEqual([]);
    expect((await as('visitor', 'select * from audit_events')).code).toBe('42501');
    for (const actor of ['author', 'moderator', 'admin'] as const) {
      expect((await as(actor, "update audit_events set action = 'nothing'")).code).toBe('42501');
      expect((await as(actor, 'delete from audit_events')).code).toBe('42501');
      expect(
        (await as(actor, "insert into audit_events (action, target_type, target_id) values ('x', 'y', 'z')"))
          .code,
      ).toBe('42501');
    }
  });
});
