import { beforeEach, describe, expect, it } from 'vitest';
import { DECLARATION_VERSION } from '#app/account/credentials/rules.ts';
import { openDatabase, people } from './fixtures.ts';

const { as, ask, owner, column } = openDatabase();
/** A change of the author’s own profile. */
const change = (name: string, value: string) =>
  as<Record<string, string>>(
    'author',
    `update profiles set ${name} = $1 where id = auth.uid() returning ${name}`,
    [value],
  );

it('a profile holds no email address, and hides a member’s settings from visitors', async () => {
  const { rows } = await as('colleague', 'select * from profiles where id = $1', [people.author]);
  expect(rows).toMatchObject([
    { bio: 'Twenty years at the bench.', allow_messages: true, email_notifications: false },
  ]);
  expect(JSON.stringify(rows)).not.toContain('@clinic.example');
  expect((await as('visitor', 'select allow_messages from public_profiles')).code).toBe('42703');
});

describe('writing profiles', () => {
  it('stamps the time, whatever was sent', async () => {
    const edited = await as(
      'author',
      "update profiles set bio = 'New', updated_at = '2000-01-01' where id = $1 returning updated_at > '2020-01-01' as stamped",
      [people.author],
    );
    expect(edited.rows).toEqual([{ stamped: true }]);
  });

  it('refuses to take over an identity by upsert', async () => {
    const upsert =
      'insert into profiles (id, full_name) values ($1, $2) on conflict (id) do update set id = excluded.id, full_name = excluded.full_name';
    expect((await as('colleague', upsert, [people.colleague, 'Myself'])).rowCount).toBe(1);
    expect((await as('colleague', upsert, [people.author, 'Somebody'])).code).toBe('42501');
  });

  it.each(['nhs', 'a', 'with space', 'ｍｏｄｅｒａｔｏｒ', '-dash', `x${'y'.repeat(30)}`])(
    'refuses the username %s',
    async (name) => {
      expect((await change('username', name)).code).toBe('23514');
    },
  );

  it('refuses a name that differs from another only by case, and says whether one is free', async () => {
    expect((await change('username', 'COLLEAGUE.one')).code).toBe('23505');
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
  });

  it('refuses the name that admins have given the site, in any spelling, and keeps those there were', async () => {
    const named = (name: string) => owner('update site_settings set site_name = $1', [name]);
    expect((await change('full_name', 'Leeds Limb Network')).rowCount).toBe(1);
    await named('Leeds Limb Network');
    expect((await change('bio', 'Still here.')).rowCount).toBe(1);
    for (const name of ['Leeds-Limb.Network', '1eedsLimbNetwork', 'leeds.limb.network.team'])
      expect((await change('username', name)).message, name).toBe('This username is reserved');
    for (const name of ['The LEEDS Limb Netw0rk', 'Limb Commons'])
      expect((await change('full_name', name)).message, name).toContain(
        "Please enter your own name, not one of the site's staff",
      );
    expect(
      (await as('author', "select * from name_refusals('leedslimbnetwork', 'Leeds Limb Network')")).rows,
    ).toEqual([
      {
        username_refusal: 'This username is reserved',
        full_name_refusal: "Please enter your own name, not one of the site's staff",
      },
    ]);
    await named('Limbs');
    expect((await change('username', 'limbs')).message).toBe('This username is reserved');
    expect((await change('username', 'limbs.of.leeds')).rowCount).toBe(1);
    await named('義肢');
    expect((await change('full_name', 'Amara Okafor')).rowCount).toBe(1);
  });

  it.each(['jo@clinic.example', 'jo＠clinic．example'])(
    'refuses an email address as a name: %s',
    async (name) => {
      expect((await change('full_name', name)).message).toContain(
        'Please enter your actual name, not an email address',
      );
    },
  );

  it('takes interests from the list only', async () => {
    expect((await change('interests', 'Gait Analysis, 3D Printing')).rowCount).toBe(1);
    expect((await change('interests', 'Gait Analysis, Gossip')).code).toBe('23514');
  });

  it('keeps avatars to the member’s own folder and drops any foreign host', async () => {
    const set = (url: string) => change('avatar_url', url);
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
    expect(await column('select object_names from media_jobs')).toEqual([
      [own.replace('/storage/v1/object/public/', '')],
    ]);
  });
});

describe('declarations', () => {
  beforeEach(() => owner('delete from member_declarations'));

  it.each(['2099-01-01', '2026-11-1', ''])(
    'at sign-up name a text there is, not one of %j',
    async (version) => {
      await owner(
        "insert into auth.users (id, email, raw_user_meta_data) values (gen_random_uuid(), 'new@clinic.example', jsonb_build_object('declaration_version', $1::text))",
        [version],
      );
      expect(await owner('select * from member_declarations')).toEqual([]);
    },
  );

  it('are stored at sign-up with the version of the text', async () => {
    await owner(
      "insert into auth.users (id, email, raw_user_meta_data) values (gen_random_uuid(), 'new@clinic.example', jsonb_build_object('declaration_version', $1::text))",
      [DECLARATION_VERSION],
    );
    expect(await owner('select statement, text_version from member_declarations')).toEqual([
      { statement: 'adult_healthcare_professional', text_version: DECLARATION_VERSION },
    ]);
  });
});

describe('a name', () => {
  it.each([
    ...[0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
    ...[0x7, 0xad, 0x34f, 0x180e, 0x200b, 0x200c, 0x2028, 0x2060, 0x3164, 0xfe0f, 0xfeff, 0xe0041],
  ])('has no invisible character, such as U+%i', async (code) => {
    for (const name of ['full_name', 'workplace', 'profession', 'location'])
      expect((await change(name, `Anna ${String.fromCodePoint(code)}Berg`)).message, name).toContain(
        'Names must not have invisible characters',
      );
  });

  it('has the emoji that are made of several', async () => {
    for (const emoji of ['\u{1F469}\u200D\u2695\uFE0F', '\u{1F469}\u{1F3FD}\u200D\u{1F52C}', '\u2764\uFE0F'])
      expect((await change('full_name', `Anna ${emoji} Berg`)).message, emoji).toBeUndefined();
    expect((await change('full_name', 'Anna \u{1F469}\u200D Berg')).message).toContain('invisible');
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
    'Moderɑtor',
    'Mɵderator',
    'ᴍᴏᴅᴇʀᴀᴛᴏʀ',
    'Liɱb Cᴑmmons',
    '🅼🅾🅳🅴🆁🅰🆃🅾🆁',
    '🅐🅓🅜🅘🅝',
    '🇦🇩🇲🇮🇳',
    '🄰🄳🄼🄸🄽',
    '(M)⒪derator',
    'M⓿derator',
    'ꓟꓳꓓꓰꓣꓮꓔꓳꓣ',
    'ᎷᎾderator',
  ])('is not one of the staff’s or the site’s: %s', async (name) => {
    expect((await change('full_name', name)).message).toContain(
      "Please enter your own name, not one of the site's staff",
    );
  });

  it.each(['m0derator', 'the.admin', 'Limb.Commons', 'moderator_anna', 'n-h-s', 'supp0rt-team'])(
    'is no such username: %s',
    async (name) => {
      expect((await change('username', name)).message).toContain('This username is reserved');
    },
  );

  it.each([
    'Jаne Smith',
    'Jane Smіth',
    'Αnna',
    'Ivan Ивaнов',
    'TomašΑ',
    'Jանe',
    '𝐉аne',
    'J𐐬e',
    'T𐌀m',
    '𑣈nna',
    'Jɑne Smith',
    'Geoꓣge',
    'Maɡɡie',
    'ᴊane',
  ])('has no word of several alphabets: %s', async (name) => {
    expect((await change('full_name', name)).message).toBe('Each word of a name must be of one alphabet');
    expect(await ask('author', 'name_refusals', ['jane', name])).toContain('of one alphabet');
  });

  it.each(['...', '🦿🦾', '\u2800', '´`´'])('has letters or digits that can be read: %s', async (name) => {
    expect((await change('full_name', name)).message).toBe('A name must have letters or digits');
    expect(await ask('author', 'name_refusals', ['jane', name])).toContain('letters or digits');
  });

  it.each([
    ['Moderator, Limb Commons', ''],
    ['Modеrator of L1mb-Commons', 'Leeds'],
    ['Support', 'The Limb Commons team'],
    ['🅰🅳🅼🅸🅽', 'Limb Commons'],
    ['Site admin', 'Leeds Limb Network'],
  ])('has beside it no office of the site: %s at %s', async (profession, workplace) => {
    await owner("update site_settings set site_name = 'Leeds Limb Network'");
    expect(
      (
        await as('author', 'update profiles set profession = $1, workplace = $2 where id = auth.uid()', [
          profession,
          workplace,
        ])
      ).message,
    ).toMatch(
      /^(Please enter your own profession and workplace|Each word of a name must be of one alphabet)/,
    );
  });

  it('has beside it any other office, and words of one alphabet each', async () => {
    for (const [profession, workplace] of [
      ['Administrator', 'Leeds Teaching Hospitals'],
      ['Member of staff', 'Limb Centre'],
      ['Prosthetist', 'Limb Commons'],
      ['Ортопед-Orthotist', 'Клиника Ottobock'],
      ['義肢装具士', ''],
    ])
      expect(
        (
          await as('author', 'update profiles set profession = $1, workplace = $2 where id = auth.uid()', [
            profession,
            workplace,
          ])
        ).rowCount,
        profession,
      ).toBe(1);
    for (const line of ['profession', 'workplace', 'location'])
      expect((await change(line, 'Prоsthetist')).message, line).toBe(
        'Each word of a name must be of one alphabet',
      );
  });

  it('of several alphabets stands where it was there before, until it is changed', async () => {
    await owner('alter table profiles disable trigger user');
    await owner("update profiles set full_name = 'Jаne Smith' where id = $1", [people.author]);
    await owner('alter table profiles enable trigger user');
    expect(
      await as('author', "update profiles set full_name = 'Jаne Smith', bio = 'At the bench.'"),
    ).toMatchObject({
      rowCount: 1,
    });
  });

  it.each([
    'Anna Staff',
    'Anna Иванова-Smith',
    'Tom 太郎 Tanaka太郎',
    'Иван IV',
    'Dr Mod Suwan',
    'علی‌رضا محمدی',
    'Zoë Ó Briain-Łukasz',
    'Юлия Королёва',
    'Νίκος Παπαδόπουλος',
    'Adminah Binti Musa',
    'Lim B. Common',
    '李小龍',
    'Nguyễn Thị Ngọc Hân',
    'Işıl İpek Çağrı',
    'Zażółć Gęślą-Łódź',
    'Þórður Æsir Guðmundsdóttir',
    'Əli Məmmədov',
    'Ɓala Ɗanladi',
    'Aŋɛlɔ Mɔdɛstɔ',
    'Ɛkow Ɔfɔri',
    'Kaʻiulani Oʼneill',
    'ሰላም ተስፋዬ',
    'สมชาย ใจดี',
    'ꓡꓲꓢꓴ ꓟꓯ',
    '𐐔𐐯𐑅𐐨𐑉𐐯𐐻',
    'Anna 🇬🇧',
    'X',
    '1',
  ])('is anyone’s own: %s', async (name) => {
    const { message, rowCount } = await change('full_name', name);
    expect([message, rowCount]).toEqual([undefined, 1]);
  });

  it('are found by part of a name or username, without accents, literally', async () => {
    await owner("update profiles set full_name = 'Amélie Durand' where id = $1", [people.colleague]);
    const found = async (search: string) =>
      (await ask<{ username: string }[]>('author', 'search_members', [search])).map(
        ({ username }) => username,
      );
    expect(await found('amelie')).toEqual(['colleague.one']);
    expect(await found('COLLEAGUE.O')).toEqual(['colleague.one']);
    // Those whose username begins with the text come first.
    expect((await found('a')).slice(0, 3)).toEqual(['author.one', 'abel.one', 'ada.one'].sort());
    for (const search of ['%', '_', '  ']) expect(await found(search)).toEqual([]);
    for (const [name, ...searches] of [
      ['李小龍', '李', '小', '小龍', '李小龍'],
      ['Юлия Королёва', 'юли', 'королева', 'ролё', 'юлия ко', 'ия кор'],
      ['أحمد منصور', 'منصور', 'حمد'],
    ] as const) {
      await owner('update profiles set full_name = $2 where id = $1', [people.colleague, name]);
      for (const search of searches) expect(await found(search), search).toEqual(['colleague.one']);
    }
  });
});
