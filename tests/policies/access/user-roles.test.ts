import { describe, expect, it } from 'vitest';
import { openDatabase, people } from '../fixtures.ts';

const { as, owner } = openDatabase();
const grant = 'insert into user_roles (user_id, role) values ($1, $2)';
const remove = 'delete from user_roles where user_id = $1 and role = $2';

describe('roles', () => {
  it('are given once', async () => {
    expect((await as('admin', grant, [people.colleague, 'moderator'])).rowCount).toBe(1);
    expect((await as('admin', grant, [people.colleague, 'moderator'])).code).toBe('23505');
  });

  it('are given to no account without a completed profile', async () => {
    await owner('update profiles set username = null where id = $1', [people.colleague]);
    expect((await as('admin', grant, [people.colleague, 'moderator'])).code).toBe('42501');
    await owner("update profiles set username = 'colleague' where id = $1", [people.colleague]);
    await owner('delete from member_declarations where user_id = $1', [people.colleague]);
    expect((await as('admin', grant, [people.colleague, 'moderator'])).code).toBe('42501');
  });

  it('of moderators can be taken by themselves', async () => {
    expect((await as('moderator', remove, [people.moderator2, 'moderator'])).rowCount).toBe(0);
    expect((await as('moderator', remove, [people.moderator, 'moderator'])).rowCount).toBe(1);
  });

  it('come from the table and never from the token', async () => {
    const forged = await as('author', grant, [people.author, 'moderator'], {
      user_metadata: { role: 'admin' },
      app_metadata: { role: 'admin' },
    });
    expect(forged.code).toBe('42501');
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
