import { describe, expect, it } from 'vitest';
import { type Actor, openDatabase, people } from '../fixtures.ts';
import { createScene } from './scene.ts';

const world = openDatabase();
const { as, owner } = world;

/** The columns by which rows belong to a solution, in all tables that there are. */
const columns = () =>
  owner<{ door: string; column: string }>(
    `select c.relname as door, a.attname as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and a.attname in ('solution_id', 'source_id') and not a.attisdropped
     order by 1, 2`,
  );

describe('a solution that is shown to fewer', () => {
  it('takes every row of every table that hangs on it from those it was closed to, but their own', async () => {
    const { solutions } = await createScene(world);
    const id = solutions.approved;
    await owner(
      `insert into solution_translations (solution_id, version, user_id, language, status, texts)
       values ('${id}', 1, '${people.moderator2}', 'es', 'approved', '{}')`,
    );
    const seen = async (actor: Actor) => {
      const tables: string[] = [];
      for (const { door, column } of await columns()) {
        const { rows } = await as(actor, `select ${column} from ${door} where ${column} = $1`, [id]);
        if (rows.length > 0) tables.push(`${door}.${column}`);
      }
      return tables;
    };
    const hanging = [
      'comment_counts.solution_id',
      'comments.solution_id',
      'likes.solution_id',
      'safety_notices.solution_id',
      'solution_fabrication.solution_id',
      'solution_files.solution_id',
      'solution_media.solution_id',
      'solution_outcomes.solution_id',
      'solution_parts.solution_id',
      'solution_sources.solution_id',
      'solution_steps.solution_id',
      'solution_translations.solution_id',
      'solution_trials.solution_id',
      'solution_versions.solution_id',
    ];
    expect(await seen('visitor')).toEqual(hanging);
    expect(await seen('colleague')).toEqual(
      [...hanging, 'notifications.solution_id', 'use_questions.solution_id'].toSorted(),
    );
    await owner("update solutions set audience = 'checked' where id = $1", [id]);
    expect(await seen('visitor')).toEqual([]);
    // Their own trial, that it was approved, and what they were asked about it.
    expect(await seen('colleague')).toEqual([
      'notifications.solution_id',
      'solution_trials.solution_id',
      'use_questions.solution_id',
    ]);
    expect(
      (await as('colleague', 'select distinct user_id = auth.uid() as own from solution_trials')).rows,
    ).toEqual([{ own: true }]);
    expect(await seen('moderator')).toEqual(expect.arrayContaining(hanging));
    expect(await seen('author')).toEqual(expect.arrayContaining(hanging));
  });
});
