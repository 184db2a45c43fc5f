import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from '../fixtures.ts';

const { as, ask, column, insert, like, owner, solution, value, verifyFactor } = openDatabase();

/** Changes settings as an admin does on the dashboard. */
const set = (assignments: string, actor: Actor = 'admin') =>
  as(actor, `update site_settings set ${assignments}`);
const audit = () =>
  owner(
    "select actor_id, action, target_id, before, after from audit_events where action not like 'role_%' order by id",
  );
const mails = () =>
  owner(
    "select address, notice ->> 'type' as type from private.mail_jobs where address is not null order by id",
  );

/** Adds an account as the authentication service does; the refusal, or undefined. */
async function signUp(email: string | null, columns: Record<string, unknown> = {}) {
  await owner('savepoint sign_up');
  await owner('set local role supabase_auth_admin');
  const row = { id: randomUUID(), email, ...columns };
  try {
    await owner(
      `insert into auth.users (${Object.keys(row)}) values (${Object.keys(row).map((_, at) => `$${at + 1}`)})`,
      Object.values(row),
    );
    return undefined;
  } catch (error) {
    const { message, hint } = error as { message: string; hint: string };
    return [hint, message];
  } finally {
    await owner('rollback to savepoint sign_up');
  }
}
const CLOSED = ['signup_disabled', 'Signups not allowed for this instance'];

describe('a setting', () => {
  it('is changed by admins alone, who leave a trace with both values', async () => {
    for (const actor of ['author', 'moderator'] as const)
      expect((await set("site_name = 'Mine'", actor)).rowCount, actor).toBe(0);
    expect((await set("site_name = ' Leeds  Limbs '")).rowCount).toBe(1);
    expect(await value('select site_name from site_settings')).toBe('Leeds Limbs');
    expect(await audit()).toEqual([
      {
        actor_id: people.admin,
        action: 'setting_changed',
        target_id: 'site_name',
        before: { site_name: 'Limb Commons' },
        after: { site_name: 'Leeds Limbs' },
      },
    ]);
  });

  it.each([
    ["sign_up = 'ajar'", 'Sign-up must be open, invite or closed'],
    ["email_domains = array['clinic']", 'Enter up to 50 domains, such as clinic.example'],
    ["site_name = ' '", 'The name must be 1 to 80 characters'],
  ])('of the wrong kind (%s) is refused in a sentence, and the others stay', async (wrong, sentence) => {
    expect((await set(`show_points = false, ${wrong}`)).message).toContain(sentence);
    expect(await owner('select show_points from site_settings')).toEqual([{ show_points: true }]);
  });
});

describe('who signs up', () => {
  it('is refused where sign-up is closed, in every way', async () => {
    expect(await signUp('new@clinic.example')).toBeUndefined();
    await set("sign_up = 'closed'");
    expect(await signUp('new@clinic.example')).toEqual(CLOSED);
    expect(await signUp(null, { phone: '447700900123' })).toEqual(CLOSED);
    expect(await signUp('new@clinic.example', { is_sso_user: true })).toEqual(CLOSED);
    // With the service key.
    expect(await signUp('new@clinic.example', { invited_at: new Date() })).toBeUndefined();
  });

  it('needs an invitation where it takes one', async () => {
    await set("sign_up = 'invite'");
    await ask('admin', 'invite_member', [' New@Clinic.example ']);
    expect(await signUp('new@clinic.example')).toBeUndefined();
    expect(await signUp('other@clinic.example')).toEqual(CLOSED);
    expect(await mails()).toEqual([{ address: 'new@clinic.example', type: 'invitation' }]);
    expect((await audit()).at(-1)).toMatchObject({ action: 'member_invited', target_id: 'clinic.example' });
    await owner("update private.invitations set invited_at = now() - interval '31 days'");
    expect(await signUp('new@clinic.example')).toEqual(CLOSED);
    await owner('select expire_retained_records()');
    expect(await column('select count(*)::integer from private.invitations')).toEqual([0]);
  });

  it('has an address of a domain that is allowed, where some are', async () => {
    await set("email_domains = array['@NHS.example', 'clinic.example']");
    const refused = [
      'email_address_not_authorized',
      'Please use an email address at clinic.example or nhs.example',
    ];
    expect(await signUp('new@nhs.example')).toBeUndefined();
    expect(await signUp('new@sub.nhs.example')).toEqual(refused);
    expect(await signUp('nhs.example@elsewhere.example')).toEqual(refused);
    expect(await signUp(null)).toEqual(refused);
    await ask('admin', 'invite_member', ['guest@elsewhere.example']);
    expect(await signUp('guest@elsewhere.example')).toBeUndefined();
  });

  it('cannot change to an address of another domain afterwards', async () => {
    await set("email_domains = array['clinic.example']");
    const change = async (to: string) => {
      await owner('set local role supabase_auth_admin');
      const changing = owner('update auth.users set email_change = $2 where id = $1', [people.author, to]);
      return changing.finally(() => owner('reset role').catch(() => undefined));
    };
    await change('me@clinic.example');
    // Nor where no one can sign up.
    await set("sign_up = 'closed'");
    await expect(change('me@elsewhere.example')).rejects.toMatchObject({
      hint: 'email_address_not_authorized',
    });
  });

  it('comes to no address of another domain by a provider either', async () => {
    await set("email_domains = array['clinic.example']");
    const take = async (assignments: string) => {
      await owner('set local role supabase_auth_admin');
      const taking = owner(`update auth.users set ${assignments} where id = $1`, [people.author]);
      return taking.finally(() => owner('reset role').catch(() => undefined));
    };
    await take("email = 'me@clinic.example'");
    await take("email_change = 'you@clinic.example'");
    await set("email_domains = array['nhs.example']");
    // A confirmed change was asked for when it was allowed.
    await take("email = 'you@clinic.example', email_change = ''");
    await take("email = 'what-is-left-of-a-deleted-account'");
    await expect(take("email = 'me@elsewhere.example'")).rejects.toMatchObject({
      message: 'Please use an email address at nhs.example',
      hint: 'email_address_not_authorized',
    });
  });

  it('is on a list of those invited until they have signed up or it is withdrawn, for admins alone', async () => {
    for (const name of ['one', 'two', 'three'])
      await ask('admin', 'invite_member', [`${name}@clinic.example`]);
    const pending = async (actor: Actor = 'admin', after = '') =>
      (await as(actor, 'select email, lapses_at > now() as lapses from pending_invitations($1)', [after]))
        .rows;
    const [one, two, three] = ['one', 'two', 'three'].map((name) => ({
      email: `${name}@clinic.example`,
      lapses: true,
    }));
    expect(await pending()).toEqual([one, three, two]);
    expect(await pending('admin', 'one@clinic.example')).toEqual([three, two]);
    for (const actor of ['author', 'moderator'] as const) {
      expect(await pending(actor)).toEqual([]);
      expect((await as(actor, "select withdraw_invitation('one@clinic.example')")).message).toBe(
        'Only admins can withdraw invitations',
      );
    }
    const withdraw = () => as('admin', "select withdraw_invitation(' One@clinic.example')");
    expect((await withdraw()).rowCount).toBe(1);
    expect((await withdraw()).message).toBe('There is no invitation to this address');
    expect((await audit()).at(-1)).toMatchObject({
      action: 'invitation_withdrawn',
      target_id: 'clinic.example',
    });
    expect((await mails()).map(({ address }) => address)).toEqual([
      'two@clinic.example',
      'three@clinic.example',
    ]);
    await owner(
      "update auth.users set email = 'two@clinic.example', email_confirmed_at = now() where id = $1",
      [people.author],
    );
    expect(await pending()).toEqual([three]);
    await set("sign_up = 'invite'");
    expect(await signUp('one@clinic.example')).toEqual(CLOSED);
    await owner("update private.invitations set invited_at = now() - interval '31 days'");
    expect(await pending()).toEqual([]);
  });

  it('is invited by admins alone, once there is no account and with an address', async () => {
    const invite = (actor: Actor, email: string) => as(actor, 'select invite_member($1)', [email]);
    for (const actor of ['author', 'moderator'] as const)
      expect((await invite(actor, 'new@clinic.example')).message).toBe('Only admins can invite people');
    expect((await invite('admin', 'nobody')).message).toBe(
      'Enter an email address, such as name@example.org',
    );
    await owner('update auth.users set email_confirmed_at = now()');
    expect((await invite('admin', 'author@clinic.example')).message).toBe(
      'There is an account with this email already',
    );
    // That of an organisation is another one than the invited one.
    await owner("update auth.users set is_sso_user = true, email_confirmed_at = now() - interval '1 day'");
    expect((await invite('admin', 'author@clinic.example')).rowCount).toBe(1);
    expect((await as('admin', 'select email from pending_invitations()')).rows).toEqual([
      { email: 'author@clinic.example' },
    ]);
    await owner('delete from private.invitations');
    await owner(
      "insert into private.invitations (email) select n || '@clinic.example' from generate_series(1, 100) n",
    );
    expect((await invite('admin', 'new@clinic.example')).message).toContain('100 invitations were sent');
  });
});

describe('an account', () => {
  const session = () =>
    owner('insert into auth.sessions (id, user_id, created_at, updated_at) values ($1, $2, now(), now())', [
      randomUUID(),
      people.author,
    ]);
  const sessions = () => column('select count(*)::integer from auth.sessions');
  const confirmed = () => owner('update auth.users set email_confirmed_at = now()');

  it('that an admin disables is signed out and tells its owner, until it is enabled', async () => {
    await confirmed();
    await session();
    await ask('admin', 'set_account_disabled', [people.author, true]);
    expect(await sessions()).toEqual([0]);
    expect(await ask('admin', 'member_account', [people.author])).toEqual({
      disabled: true,
      second_step: false,
    });
    await ask('admin', 'set_account_disabled', [people.author, false]);
    expect(await ask('admin', 'member_account', [people.author])).toMatchObject({ disabled: false });
    expect((await audit()).map(({ action }) => action)).toEqual(['account_disabled', 'account_enabled']);
    expect(await mails()).toEqual([
      { address: 'author@clinic.example', type: 'account_disabled' },
      { address: 'author@clinic.example', type: 'account_enabled' },
    ]);
  });

  it('loses a second step whose owner has lost it', async () => {
    await confirmed();
    await session();
    const remove = () => as('admin', 'select remove_second_step($1)', [people.author]);
    expect((await remove()).message).toBe('This member has not set up two-step sign-in');
    await verifyFactor('author');
    expect(await ask('admin', 'member_account', [people.author])).toMatchObject({ second_step: true });
    expect((await remove()).rowCount).toBe(1);
    expect(await ask('admin', 'member_account', [people.author])).toMatchObject({ second_step: false });
    expect(await sessions()).toEqual([0]);
    expect((await audit()).map(({ action }) => action)).toEqual(['second_step_removed']);
    expect(await mails()).toEqual([{ address: 'author@clinic.example', type: 'second_step_removed' }]);
  });

  it('is no one’s to touch but an admin’s, and an admin’s no one’s', async () => {
    const acts = ['set_account_disabled($1, true)', 'remove_second_step($1)'];
    const refused = 'Only admins can do this, and not to an admin’s account';
    for (const act of acts) {
      for (const actor of ['author', 'moderator'] as const)
        expect((await as(actor, `select ${act}`, [people.colleague])).message, actor).toBe(refused);
      for (const one of [people.admin, people.admin2])
        expect((await as('admin', `select ${act}`, [one])).message).toBe(refused);
      expect((await as('visitor', `select ${act}`, [people.colleague])).code).toBe('42501');
    }
    for (const actor of ['author', 'moderator'] as const)
      expect(await ask(actor, 'member_account', [people.author])).toBeNull();
  });
});

describe('a register', () => {
  const add = (actor: Actor) =>
    insert(actor, 'registers', {
      code: 'HPR',
      name: 'Helsepersonellregisteret',
      country: 'Norway',
      professions: 'All',
      search_url: 'https://register.example/',
    });
  const state = () => insert('author', 'member_registrations', { register: 'HPR', number: '1234567' });

  it('is added and changed by admins alone, who leave a trace', async () => {
    for (const actor of ['author', 'moderator'] as const)
      expect((await add(actor)).code, actor).toBe('42501');
    expect((await add('admin')).rowCount).toBe(1);
    const rename = "update registers set name = 'Norwegian register' where code = 'HPR'";
    expect((await as('moderator', rename)).rowCount).toBe(0);
    expect((await as('admin', rename)).rowCount).toBe(1);
    expect((await audit()).map(({ action, target_id }) => [action, target_id])).toEqual([
      ['register_added', 'HPR'],
      ['register_changed', 'HPR'],
    ]);
  });

  it('that is retired takes no new registration, and keeps those it has', async () => {
    await add('admin');
    expect((await state()).rowCount).toBe(1);
    await as('admin', "update registers set is_retired = true where code = 'HPR'");
    expect((await as('author', "update member_registrations set number = '7654321'")).rowCount).toBe(1);
    await as('author', 'delete from member_registrations');
    expect((await state()).message).toBe('Please choose a register from the list');
  });
});

it('points and badges that the site does not show are read by no one, and no one is told of a badge', async () => {
  const read = async (actor: Actor) => {
    const counts = [];
    for (const table of ['user_points', 'user_badges', 'badges', 'point_events'])
      counts.push((await as(actor, `select from ${table}`)).rowCount);
    return counts;
  };
  const notices = async () =>
    (await as('author', "select from notifications where type = 'badge_earned'")).rowCount;
  await solution();
  expect((await read('author')).every((count) => count > 0)).toBe(true);
  expect(await notices()).toBeGreaterThan(0);
  await set('show_points = false');
  for (const actor of ['visitor', 'author', 'moderator', 'admin'] as const)
    expect(await read(actor), actor).toEqual([0, 0, 0, 0]);
  expect(await notices()).toBe(0);
  const told = () => value<number>("select count(*)::integer from notifications where type = 'badge_earned'");
  const before = await told();
  await owner("update badges set threshold = 1 where name = 'Appreciated'");
  await like(await solution());
  expect(await told()).toBe(before);
  await set('show_points = true');
  expect(await value("select name from badges where name = 'Appreciated'")).toBe('Appreciated');
});
