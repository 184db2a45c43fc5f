import { expect, it } from 'vitest';
import { createScene } from '../access/scene.ts';
import { openDatabase } from '../fixtures.ts';

const world = openDatabase();
const { owner } = world;

/** The longest text each column accepts. */
const longest = {
  'comments.content': 5000,
  'content_reports.admin_response': 5000,
  'content_reports.reason': 2000,
  'forum_posts.content': 10_000,
  'forum_topics.description': 10_000,
  'forum_topics.title': 200,
  'messages.content': 10_000,
  'messages.subject': 200,
  'profiles.bio': 2000,
  'profiles.full_name': 120,
  'profiles.location': 120,
  'profiles.profession': 120,
  'profiles.workplace': 160,
  'resource_suggestions.description': 1000,
  'resource_suggestions.resource_name': 200,
  'sanctions.reason': 2000,
  'solution_files.description': 500,
  'solution_media.description': 500,
  'solution_outcomes.device_before': 200,
  'solution_parts.component': 120,
  'solution_parts.maker': 120,
  'solution_parts.part_number': 80,
  'solution_steps.instruction': 2000,
  'solution_trials.changes': 5000,
  'solution_trials.experience': 5000,
  'solution_versions.change_note': 500,
  'solutions.challenges_overcome': 5000,
  'solutions.change_note': 500,
  'solutions.description': 10_000,
  'solutions.durability_testing': 5000,
  'solutions.patient_outcomes': 5000,
  'solutions.title': 150,
};

it('texts are as long as they may be and no longer', async () => {
  await createScene(world);
  for (const [columnPath, length] of Object.entries(longest)) {
    const [table, column] = columnPath.split('.');
    const fill = (count: number) =>
      // In words, because the forum takes none that is longer than an address.
      owner(
        `update ${table} set ${column} = left(repeat('a length ', ${count}), ${count} - 1) || 'x' returning true`,
      );
    await owner('savepoint before');
    expect(await fill(length), columnPath).not.toEqual([]);
    await owner('rollback to savepoint before');
    await expect(fill(length + 1), columnPath).rejects.toMatchObject({ code: '23514' });
    await owner('rollback to savepoint before');
  }
});
