import { describe, expect, it } from 'vitest';
import { type Actor, type Member, openDatabase, people } from '../fixtures.ts';
import { openParts } from '../parts/parts.ts';

const world = openDatabase();
const { as, ask, owner, value, insert, solution, comment } = world;
const { withPart, saves } = openParts(world);

interface Home {
  waiting: {
    kind: string;
    id: string;
    solution_id: string;
    text: string | null;
    text_language: string | null;
    number: number | null;
  }[];
  warnings: { kind: string; solution_id: string; part: string | null; why: string[]; content: string }[];
  news: { label: string; items: { solution_id: string }[] }[];
  pictures: { id: string }[];
}

const home = (actor: Actor) => ask<Home>(actor, 'member_home');
const waiting = async (actor: Actor) => (await home(actor)).waiting;
const warnings = async (actor: Actor) => (await home(actor)).warnings;

const trial = (of: string, by: Member, status = 'approved') =>
  value(
    `insert into solution_trials (solution_id, version, user_id, result, amputation_level, age_group, prosthesis_type, status,
       rejection_reason)
     values ($1, 1, $2, 'worked', 'Transtibial (Below Knee)', 'Adults', 'Passive', $3, case $3 when 'rejected' then 'No numbers.' end)
     returning id`,
    [of, people[by], status],
  );
const warn = (of: string, kind: 'caution' | 'recall', content: string) =>
  value(
    'insert into safety_notices (solution_id, user_id, kind, content) values ($1, $2, $3, $4) returning id',
    [of, people.author, kind, content],
  );

describe('the home page of a member', () => {
  it('has nothing for a new member, and is not for visitors', async () => {
    await solution();
    expect(await home('colleague')).toEqual({ waiting: [], warnings: [], news: [], pictures: [] });
    expect((await as('visitor', 'select member_home()')).message).toContain('permission denied');
  });

  it('asks the latest question of each case that is public and not answered, and no one else’s', async () => {
    const of = await solution();
    const report = await trial(of, 'colleague');
    const question = (months: number, answer: string | null = null) =>
      value(
        `insert into use_questions (solution_id, trial_id, user_id, months, answer, answered_at)
         values ($1, $2, $3, $4, $5::text, case when $5::text is not null then now() end) returning id`,
        [of, report, people.colleague, months, answer],
      );
    await question(3);
    const latest = await question(6);
    expect(await waiting('colleague')).toMatchObject([
      { kind: 'question', id: latest, solution_id: of, number: 6 },
    ]);
    expect(await waiting('author')).toEqual([]);
    await question(12, 'sometimes');
    expect(await waiting('colleague')).toEqual([]);
  });

  it('brings back what was sent back, with the reason, until it is sent again', async () => {
    const published = await solution();
    const rejected = await solution('rejected');
    await owner("update solutions set rejection_reason = 'Which socket?' where id = $1", [rejected]);
    const other = await solution('approved', 'colleague');
    const report = await trial(other, 'author', 'rejected');
    const translation = await value(
      `insert into solution_translations (solution_id, version, language, user_id, texts, status, rejection_reason)
       values ($1, 1, 'es', $2, '{}', 'rejected', 'Too strong.') returning id`,
      [published, people.author],
    );
    const found = await waiting('author');
    expect(found).toHaveLength(3);
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'solution', solution_id: rejected, text: 'Which socket?' }),
        expect.objectContaining({ kind: 'trial', id: report, solution_id: other, text: 'No numbers.' }),
        expect.objectContaining({ kind: 'translation', id: translation, text_language: 'es' }),
      ]),
    );
    expect(await waiting('colleague')).toEqual([]);
    await owner("update solutions set status = 'pending', rejection_reason = null where id = $1", [rejected]);
    expect((await waiting('author')).map(({ kind }) => kind)).not.toContain('solution');
  });

  it('counts the comments in whose thread the author has not written, newest first, without those taken back', async () => {
    const of = await solution();
    const first = await comment(of, 'colleague');
    const second = await comment(of, 'moderator');
    await owner(
      "update comments set content = 'Which sleeve?', created_at = now() + interval '1 s' where id = $1",
      [second],
    );
    await comment(of, 'author');
    expect(await waiting('author')).toMatchObject([
      { kind: 'comments', solution_id: of, number: 2, text: 'Which sleeve?' },
    ]);
    expect(await waiting('colleague')).toEqual([]);
    await insert('author', 'comments', {
      solution_id: of,
      parent_comment_id: second,
      content: 'The long one.',
    });
    expect(await waiting('author')).toMatchObject([{ kind: 'comments', number: 1 }]);
    await owner("update comments set created_at = now() - interval '91 days' where id = $1", [first]);
    expect(await waiting('author')).toEqual([]);
  });

  it('warns of what the member shared, tried, saved and follows, recalls first, while the notice holds', async () => {
    const shared = await solution();
    const [tried, saved, strange] = await Promise.all([
      solution('approved', 'colleague'),
      solution('approved', 'colleague'),
      solution('approved', 'colleague'),
    ]);
    await trial(tried, 'author');
    await saves('author', saved);
    await insert('author', 'follows', { solution_id: saved });
    await warn(shared, 'caution', 'Check the ring.');
    await warn(tried, 'caution', 'Check the pin.');
    await warn(strange, 'recall', 'Of no concern.');
    const recall = await warn(saved, 'recall', 'The pin can shear.');
    expect(await warnings('author')).toMatchObject([
      {
        kind: 'recall',
        solution_id: saved,
        why: ['follow', 'saved'],
        content: 'The pin can shear.',
        part: null,
      },
      { kind: 'caution' },
      { kind: 'caution' },
    ]);
    expect((await warnings('author')).map(({ why }) => why)).toEqual(
      expect.arrayContaining([['shared'], ['tried']]),
    );
    expect(await warnings('moderator2')).toEqual([]);
    await owner('update safety_notices set ended_at = now() where id = $1', [recall]);
    expect((await warnings('author')).map(({ kind }) => kind)).toEqual(['caution', 'caution']);
  });

  it('warns of a part of what the member saved, once, and of nothing that they can no longer see', async () => {
    const of = await withPart('Northfold', 'BJ-10');
    await saves('colleague', of);
    await owner(
      "insert into part_notices (user_id, maker, part_number, kind, content) values ($1, 'NORTHFOLD', 'BJ 10', 'caution', 'The ring loosens.')",
      [people.moderator],
    );
    expect(await warnings('colleague')).toMatchObject([
      { kind: 'caution', solution_id: of, part: 'NORTHFOLD BJ 10', why: ['saved'] },
    ]);
    await owner("update solutions set audience = 'checked' where id = $1", [of]);
    expect(await warnings('colleague')).toEqual([]);
  });

  it('has the news of what is followed, with the pictures', async () => {
    await insert('colleague', 'follows', { member_id: people.author });
    await insert('colleague', 'follows', { tag: 'nothing-like-this' });
    const of = await solution();
    await owner('update solutions set approved_at = now() where id = $1', [of]);
    const { news, pictures } = await home('colleague');
    expect(news.map(({ items }) => items.map(({ solution_id }) => solution_id))).toEqual([[of]]);
    expect(pictures.map(({ id }) => id)).toEqual([of]);
  });
});
