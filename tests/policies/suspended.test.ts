import { describe, expect, it } from 'vitest';
import { openWorld, people } from './world.ts';

// What moderation.test.ts does not try: each way to add or change something that needs a scene of its own.
const world = openWorld();
const { as, owner } = world;

const ways: Record<string, () => Promise<string>> = {
  'submit a solution': async () =>
    `insert into solutions (title, description, occupation, amputation_level, age_group, prosthesis_type, cost_range)
     select title, description, occupation, amputation_level, age_group, prosthesis_type, cost_range
     from solutions where id = '${await world.solution('approved', 'colleague')}'`,
  'add media': async () => {
    const [solution, file] = [await world.solution('pending'), await world.upload()];
    return `insert into solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type)
      values ('${solution}', '${file.media_url}', '${file.compressed_url}', '${file.thumbnail_url}', 'image')`;
  },
  'describe media': async () => {
    const [solution, file] = [await world.solution('pending'), await world.upload()];
    await owner(
      "insert into solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type) values ($1, $2, $2, $2, 'image')",
      [solution, file.media_url],
    );
    return `update solution_media set description = 'The socket from below' where solution_id = '${solution}'`;
  },
  'edit a reply': async () => {
    const post = await world.post(await world.topic('colleague'), 'author');
    return `update forum_posts set content = 'Other words' where id = '${post}'`;
  },
};

describe('a suspended member', () => {
  it.each(Object.entries(ways))('cannot %s; others can', async (_what, prepare) => {
    const sql = await prepare();
    await owner('savepoint before');
    expect((await as('author', sql)).rowCount).toBe(1);
    await owner('rollback to savepoint before');
    await owner(
      "insert into sanctions (user_id, kind, reason, until) values ($1, 'suspension', 'Advertising', now() + interval '1 day')",
      [people.author],
    );
    expect((await as('author', sql)).message).toMatch(/^You are suspended until/);
  });
});
