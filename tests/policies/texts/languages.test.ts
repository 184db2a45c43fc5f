import { describe, expect, it } from 'vitest';
import { languages } from '#app/ui/languages/languages.ts';
import { SOLUTION } from '../../solution.ts';
import { openDatabase, people } from '../fixtures.ts';

const { as, ask, insert, owner, value, column, solution, topic, submitted, resubmit, approve, revisionOf } =
  openDatabase();

const REFUSED = { code: '23514', message: expect.stringContaining('Please choose a language from the list') };
const languageOf = (table: string) => value(`select language from ${table} limit 1`);
const filtered = (...filters: string[]) =>
  ask<{ total: number; facets: { language: Record<string, number> } }>('visitor', 'browse_solutions', {
    filters,
  });

describe('the language of a text', () => {
  it('is one of the list that the form offers', async () => {
    expect(await value('select private.languages()')).toEqual([...languages]);
  });

  it.each(['', 'xx', 'EN', 'de-', 'zh-hans', 'english', 'en; drop table solutions', 'a'.repeat(10_000)])(
    'that does not exist is refused and changes nothing: %s',
    async (language) => {
      const on = await solution('approved');
      const about = await topic('author');
      const sent = [
        await insert('colleague', 'comments', { solution_id: on, content: 'How wide?', language }),
        await insert('colleague', 'forum_topics', { title: 'Liners', category: 'general', language }),
        await insert('colleague', 'forum_posts', { topic_id: about, content: 'Which?', language }),
        await insert('author', 'solutions', { ...SOLUTION, language }),
        await as('colleague', 'select submit_trial($1, 1, $2, $3)', [
          on,
          JSON.stringify({
            language,
            result: 'worked',
            amputation_level: SOLUTION.amputation_level,
            age_group: SOLUTION.age_group,
            prosthesis_type: SOLUTION.prosthesis_type,
          }),
          '[]',
        ]),
        await resubmit(on, { title: 'Another title for it', language }),
      ];
      for (const answer of sent) expect(answer).toMatchObject(REFUSED);
      expect(
        await column('select count(*)::int from comments union all select count(*)::int from solutions'),
      ).toEqual([0, 1]);
      expect(await languageOf('solutions')).toBe('en');
    },
  );

  it('is English for a form that says none', async () => {
    await submitted({ ...SOLUTION });
    expect(await languageOf('solutions')).toBe('en');
  });

  it('is kept with comments, topics and replies, also with those that wait for a moderator', async () => {
    const on = await solution('approved');
    const about = await topic('author');
    const posts = [
      ['comments', { solution_id: on, content: 'Wie breit ist er?', language: 'de' }],
      ['forum_topics', { title: 'بطانة', description: 'أيهما؟', category: 'general', language: 'ar' }],
      ['forum_posts', { topic_id: about, content: '假肢', language: 'zh-Hans' }],
    ] as const;
    for (const [table, row] of posts) {
      await insert('colleague', table, row);
      expect(await column(`select language from ${table} where user_id = $1`, [await member()])).toEqual([
        row.language,
      ]);
      await owner(`delete from ${table} where user_id = $1`, [await member()]);
    }
    await owner('update site_settings set reviewed_first_posts = 5');
    for (const [table, row] of posts) {
      await insert('colleague', table, row);
      expect(await languageOf('held_posts')).toBe(row.language);
      const id = await value('select id from held_posts');
      await as('moderator', 'select decide_held_post($1, true, 1)', [id]);
      expect(await column(`select language from ${table} where id = $1`, [id])).toEqual([row.language]);
    }
    expect(await ask('visitor', 'comment_threads', { solution: on })).toMatchObject({
      items: [{ language: 'de' }],
    });
    expect(await ask('visitor', 'browse_forum', { search: '假肢' })).toMatchObject({
      items: [{ found: { language: 'zh-Hans' } }],
    });
  });

  it('is kept with messages, notices, collections and their notes, resources, biographies and summaries', async () => {
    const [on, asked] = [await solution('approved'), await topic('author')];
    const mine = '11111111-1111-4111-8111-111111111111';
    const sent = [
      await insert('colleague', 'messages', {
        sender_id: people.colleague,
        recipient_id: people.author,
        content: 'Quelle largeur ?',
        language: 'fr',
      }),
      await insert('author', 'safety_notices', {
        solution_id: on,
        user_id: people.author,
        kind: 'recall',
        content: 'پیچ می‌شکند.',
        language: 'fa',
      }),
      await insert('moderator', 'part_notices', {
        maker: 'Otto Bock',
        part_number: '4R57',
        kind: 'caution',
        content: 'Der Stift schert ab.',
        language: 'de',
      }),
      await insert('author', 'resource_suggestions', {
        user_id: people.author,
        resource_name: 'Orthopédie sans frontières',
        resource_url: 'https://osf.example',
        description: 'Guides pour les ateliers.',
        category: 'Standards & Guidelines',
        language: 'fr',
      }),
      await insert('author', 'collections', {
        id: mine,
        user_id: people.author,
        title: 'Kinder',
        language: 'de',
      }),
      await insert('author', 'collection_items', {
        collection_id: mine,
        user_id: people.author,
        solution_id: on,
        note: 'Mesurer deux fois.',
        language: 'fr',
      }),
      await as('author', "update profiles set bio = 'Orthopädietechnik', bio_language = 'de' where id = $1", [
        people.author,
      ]),
      await as('author', "select summarise_topic($1, 'Das Gurtband hält.', 'de')", [asked]),
    ];
    expect(sent.map(({ rowCount }) => rowCount)).toEqual(sent.map(() => 1));
    expect(await ask('author', 'conversations')).toMatchObject({ items: [{ language: 'fr' }] });
    expect(await ask('author', 'own_collections')).toMatchObject([{ title: 'Kinder', language: 'de' }]);
    expect(await ask('author', 'collection_page', [mine])).toMatchObject({
      language: 'de',
      items: [{ note: 'Mesurer deux fois.', language: 'fr', solution: { id: on } }],
    });
    expect(await ask('visitor', 'forum_topic', [asked])).toMatchObject({ summary_language: 'de' });
    for (const table of ['safety_notices', 'part_notices'])
      expect((await as('visitor', `select language from ${table}`)).rows, table).toHaveLength(1);
    // A summary that is taken away leaves no language behind.
    await as('author', 'select summarise_topic($1)', [asked]);
    expect(await ask('visitor', 'forum_topic', [asked])).toMatchObject({
      summary: null,
      summary_language: null,
    });
  });

  it('that is corrected alone is an edit that readers see', async () => {
    await insert('colleague', 'comments', {
      solution_id: await solution('approved'),
      content: 'Wie breit?',
      language: 'en',
    });
    await as('colleague', "update comments set language = 'de'");
    expect(await owner('select language, edited_at is not null as edited from comments')).toEqual([
      { language: 'de', edited: true },
    ]);
  });

  it('of a solution is reviewed, recorded with its versions, and a filter that is counted', async () => {
    const id = await submitted({ ...SOLUTION, language: 'ar' });
    await approve(id);
    await solution('approved');
    expect(await filtered()).toMatchObject({
      total: 2,
      facets: { language: { 'language:ar': 1, 'language:en': 1 } },
    });
    expect(await filtered('language:ar')).toMatchObject({ total: 1, items: [{ id, language: 'ar' }] });
    // As an edit of any other part it waits for review.
    await resubmit(id, { language: 'de' });
    expect(await filtered('language:de')).toMatchObject({ total: 0 });
    await approve(await revisionOf(id));
    expect(await filtered('language:de')).toMatchObject({ total: 1, items: [{ id, language: 'de' }] });
    expect(await filtered('language:ar')).toMatchObject({ total: 0 });
    expect(
      await column(
        "select content ->> 'language' from solution_versions where solution_id = $1 order by version",
        [id],
      ),
    ).toEqual(['ar', 'de']);
  });

  it('of a case for members alone is counted for them alone', async () => {
    await owner("update solutions set audience = 'members', language = 'he' where id = $1", [
      await solution('approved'),
    ]);
    expect((await filtered()).facets.language['language:he']).toBe(0);
    const seen = await ask<Awaited<ReturnType<typeof filtered>>>('colleague', 'browse_solutions', {
      filters: [],
    });
    expect(seen.facets.language['language:he']).toBe(1);
  });

  const member = () => value("select id from profiles where username = 'colleague.one'");
});
