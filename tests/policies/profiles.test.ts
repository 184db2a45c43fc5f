import { beforeEach, describe, expect, it } from 'vitest';
import { DECLARATION_VERSION } from '#app/account/account/rules.ts';
import { openDatabase, people } from './fixtures.ts';

const { as, owner } = openDatabase();

describe('reading profiles', () => {
  it('shows a visitor the nine public columns and nothing else', async () => {
    const open = await as(
      'visitor',
      'select id, username, full_name, profession, workplace, avatar_url, credential_level, credential_register, credential_checked_on from profiles where id = $1',
      [people.author],
    );
    expect(open.rows).toMatchObject([{ username: 'author.one', profession: 'Prosthetist' }]);
    expect((await as('visitor', 'select * from profiles')).code).toBe('42501');
    expect((await as('visitor', 'select allow_messages from profiles')).code).toBe('42501');
    expect((await as('visitor', 'select bio from profiles')).code).toBe('42501');
  });

  it('shows members the whole profile, which holds no email address', async () => {
    const { rows } = await as('colleague', 'select * from profiles where id = $1', [people.author]);
    expect(rows).toMatchObject([
      {
        bio: 'Twenty years at the bench.',
        allow_messages: true,
        allow_notifications: true,
        email_notifications: false,
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain('@clinic.example');
  });

  it('lets no one write through the public view', async () => {
    expect(
      (await as('visitor', 'select * from public_profiles where id = $1', [people.author])).rows,
    ).toHaveLength(1);
    expect((await as('author', "update public_profiles set full_name = 'X'")).code).toBe('42501');
    expect((await as('visitor', 'select allow_messages from public_profiles')).code).toBe('42703');
  });
});

describe('writing profiles', () => {
  it('lets members edit their own profile and stamps the time, whatever was sent', async () => {
    const edited = await as(
      'author',
      "update profiles set bio = 'New', updated_at = '2000-01-01' where id = $1 returning updated_at > '2020-01-01' as stamped",
      [people.author],
    );
    expect(edited.rows).toEqual([{ stamped: true }]);
  });

  it("leaves other members' profiles alone", async () => {
    expect(
      (await as('colleague', "update profiles set bio = 'hacked' where id = $1", [people.author])).rowCount,
    ).toBe(0);
    expect((await as('colleague', "update profiles set bio = 'mine'")).rowCount).toBe(1);
    expect(await owner('select bio from profiles where id = $1', [people.author])).toEqual([
      { bio: 'Twenty years at the bench.' },
    ]);
  });

  it('refuses to take over an identity by upsert or by changing the id', async () => {
    const upsert =
      'insert into profiles (id, full_name) values ($1, $2) on conflict (id) do update set id = excluded.id, full_name = excluded.full_name';
    expect((await as('colleague', upsert, [people.colleague, 'Myself'])).rowCount).toBe(1);
    expect((await as('colleague', upsert, [people.author, 'Somebody'])).code).toBe('42501');
    expect(
      (await as('colleague', 'update profiles set id = gen_random_uuid() where id = $1', [people.colleague]))
        .code,
    ).toBe('42501');
  });

  it('refuses columns that are not the member’s to write', async () => {
    expect(
      (await as('author', "update profiles set created_at = '2000-01-01' where id = $1", [people.author]))
        .code,
    ).toBe('42501');
    expect((await as('author', 'delete from profiles where id = $1', [people.author])).code).toBe('42501');
    expect((await as('visitor', "update profiles set full_name = 'X'")).code).toBe('42501');
  });

  it.each([
    'ADMIN',
    'Moderator',
    'nhs',
    'a',
    'with space',
    'ｍｏｄｅｒａｔｏｒ',
    '-dash',
    `x${'y'.repeat(30)}`,
  ])('refuses the username %s', async (name) => {
    expect(
      (await as('author', 'update profiles set username = $2 where id = $1', [people.author, name])).code,
    ).toBe('23514');
  });

  it('refuses a name that differs from another only by case, and says whether one is free', async () => {
    expect(
      (await as('colleague', "update profiles set username = 'AUTHOR.one' where id = $1", [people.colleague]))
        .code,
    ).toBe('23505');
    const refusals = async (username: string, fullName: string) =>
      (await as('colleague', 'select * from name_refusals($1, $2)', [username, fullName])).rows[0];
    const nothing = { username_refusal: null, full_name_refusal: null };
    expect(await refusals('AUTHOR.one', '')).toEqual({
      ...nothing,
      username_refusal: 'This username is already taken',
    });
    expect(await refusals('colleague.ONE', 'Dr Colleague')).toEqual(nothing);
    expect(await refusals('moderator', 'Limb Commons Team')).toEqual({
      username_refusal: 'This username is reserved',
      full_name_refusal: "Please enter your own name, not one of the site's staff",
    });
    expect(await refusals('', 'Anna\u200B')).toMatchObject({
      full_name_refusal: 'Names must not have invisible characters',
    });
    expect(await refusals('', `Anna${'\u0301'.repeat(6)}`)).toMatchObject({
      full_name_refusal: 'Names must not have more than four marks on a letter',
    });
    // Vietnamese and Yoruba, written letter by letter and mark by mark.
    for (const name of ['Nguyễn Thị Ngọc', 'Ọlọ́runfẹ́mi'])
      expect(await refusals('', name.normalize('NFD'))).toEqual(nothing);
    expect((await as('visitor', "select name_refusals('x', 'x')")).code).toBe('42501');
  });

  it('refuses an email address as a name, in the specification’s words', async () => {
    for (const name of ['jo@clinic.example', 'jo＠clinic．example'])
      expect(
        await as('author', 'update profiles set full_name = $2 where id = $1', [people.author, name]),
      ).toMatchObject({
        code: '23514',
        message: expect.stringContaining('Please enter your actual name, not an email address'),
      });
  });

  it('takes interests from the list only', async () => {
    expect(
      (
        await as('author', "update profiles set interests = 'Gait Analysis, 3D Printing' where id = $1", [
          people.author,
        ])
      ).rowCount,
    ).toBe(1);
    expect(
      (
        await as('author', "update profiles set interests = 'Gait Analysis, Gossip' where id = $1", [
          people.author,
        ])
      ).code,
    ).toBe('23514');
  });

  it('keeps avatars to the member’s own folder and drops any foreign host', async () => {
    const set = (url: string) =>
      as<{ avatar_url: string }>(
        'author',
        'update profiles set avatar_url = $2 where id = $1 returning avatar_url',
        [people.author, url],
      );
    const own = `/storage/v1/object/public/avatars/${people.author}/1700000000000.webp`;
    expect((await set(own)).rows[0]?.avatar_url).toBe(own);
    expect((await set(`https://evil.example${own}`)).rows[0]?.avatar_url).toBe(own);
    for (const url of [
      'javascript:alert(1)',
      'https://evil.example/x.gif',
      `/storage/v1/object/public/avatars/${people.colleague}/1.webp`,
      `${own}/../../x.webp`,
    ]) {
      expect((await set(url)).code, url).toBe('23514');
    }
    // The file of a picture that is no longer shown goes; one that is set again does not.
    await set(own);
    expect(await owner('select id from media_jobs')).toEqual([]);
    await set(own.replace('1700000000000', '1800000000000'));
    expect(await owner('select object_names from media_jobs')).toEqual([
      { object_names: [own.replace('/storage/v1/object/public/', '')] },
    ]);
  });
});

describe('declarations', () => {
  beforeEach(() => owner('delete from member_declarations'));

  it('are the member’s own and cannot be changed afterwards', async () => {
    const declare =
      "insert into member_declarations (user_id, statement, text_version) values ($1, 'adult_healthcare_professional', '2026-11-01')";
    expect((await as('author', declare, [people.author])).rowCount).toBe(1);
    expect((await as('author', declare, [people.colleague])).code).toBe('42501');
    expect((await as('author', "update member_declarations set text_version = '2020-01-01'")).code).toBe(
      '42501',
    );
    expect((await as('colleague', 'select * from member_declarations')).rows).toEqual([]);
  });

  it.each(['2099-01-01', '2026-11-1', ''])('name a text there is, not one of %j', async (version) => {
    const declare =
      "insert into member_declarations (user_id, statement, text_version) values (auth.uid(), 'adult_healthcare_professional', $1)";
    const refused = await as('author', declare, [version]);
    expect(refused.message).toContain('This version of the text is not known');
    await owner(
      "insert into auth.users (id, email, raw_user_meta_data) values (gen_random_uuid(), 'new@clinic.example', jsonb_build_object('declaration_version', $1::text))",
      [version],
    );
    expect(await owner('select * from member_declarations')).toEqual([]);
    expect((await as('author', declare, [DECLARATION_VERSION])).rowCount).toBe(1);
  });

  it('are stored at sign-up with the version of the text', async () => {
    await owner(
      'insert into auth.users (id, email, raw_user_meta_data) values (gen_random_uuid(), \'new@clinic.example\', \'{"declaration_version":"2026-11-01"}\')',
    );
    expect(await owner('select statement, text_version from member_declarations')).toEqual([
      { statement: 'adult_healthcare_professional', text_version: '2026-11-01' },
    ]);
  });
});

describe('a name', () => {
  const rename = (column: string, value: string) =>
    as('colleague', `update profiles set ${column} = $1 where id = auth.uid()`, [value]);

  it.each([
    ...[0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
    ...[0x7, 0xad, 0x34f, 0x180e, 0x200b, 0x200c, 0x2028, 0x2060, 0x3164, 0xfe0f, 0xfeff, 0xe0041],
  ])('has no invisible character, such as U+%i', async (code) => {
    for (const column of ['full_name', 'workplace', 'profession', 'location'])
      expect((await rename(column, `Anna ${String.fromCodePoint(code)}Berg`)).message, column).toContain(
        'Names must not have invisible characters',
      );
  });

  it.each([
    'Moderator',
    'Anna (Moderator)',
    'MODERATOR Anna',
    'M o d e r a t o r',
    'Mоderаtor',
    'm0derator',
    'Ｍｏｄｅｒａｔｏｒ',
    'Admin',
    'ΑDMIΝ',
    'adrnin',
    'Site Admin',
    '@dm1n',
    'Limb Commons team',
    'Limb-Commons',
    'Iimb Cornmons',
    'The Limb Commons',
    'Support Team',
    'Staff',
    'N.H.S.',
    'Former Member',
  ])('is not one of the staff’s or the site’s: %s', async (name) => {
    expect((await rename('full_name', name)).message).toContain(
      "Please enter your own name, not one of the site's staff",
    );
  });

  it.each(['m0derator', 'the.admin', 'Limb.Commons', 'moderator_anna', 'n-h-s', 'supp0rt-team'])(
    'is no such username: %s',
    async (name) => {
      expect((await rename('username', name)).message).toContain('This username is reserved');
    },
  );

  it.each([
    'Anna Staff',
    'Dr Mod Suwan',
    'علی‌رضا محمدی',
    'Zoë Ó Briain-Łukasz',
    'Юлия Королёва',
    'Νίκος Παπαδόπουλος',
    'Adminah Binti Musa',
    'Lim B. Common',
    '李小龍',
  ])('is anyone’s own: %s', async (name) => {
    const { message, rowCount } = await rename('full_name', name);
    expect([message, rowCount]).toEqual([undefined, 1]);
  });

  it('are found by members alone, by part of a name or username, without accents, literally', async () => {
    await owner("update profiles set full_name = 'Amélie Durand' where id = $1", [people.colleague]);
    const found = async (search: string) =>
      (
        await as<{ found: { username: string }[] }>('author', 'select search_members($1) as found', [search])
      ).rows[0]?.found.map(({ username }) => username);
    expect(await found('amelie')).toEqual(['colleague.one']);
    expect(await found('COLLEAGUE.O')).toEqual(['colleague.one']);
    // Those whose username begins with the text come first.
    expect((await found('a'))?.slice(0, 3)).toEqual(['author.one', 'abel.one', 'ada.one'].sort());
    expect(await found('%')).toEqual([]);
    expect(await found('_')).toEqual([]);
    expect(await found('  ')).toEqual([]);
    expect((await as('visitor', "select search_members('a')")).code).toBe('42501');
  });
});
