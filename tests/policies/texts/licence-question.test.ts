import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openDatabase } from '../fixtures.ts';

const { owner, published, noticesOf } = openDatabase();

const UPGRADE = readFileSync('supabase/migrations/20261201001330_licence_question.sql', 'utf8');

it('an upgrade asks each author once who has public texts without a licence, and no one else', async () => {
  await published({ licence: null });
  await published({ licence: null });
  await owner(UPGRADE);
  const asked = (notices: string[]) => notices.filter((type) => type === 'licence_missing');
  expect(asked(await noticesOf('author'))).toEqual(['licence_missing']);
  expect(asked(await noticesOf('colleague'))).toEqual([]);
});

it('an author of texts with a licence is not asked', async () => {
  await published({ licence: 'All rights reserved' });
  await owner(UPGRADE);
  expect(await noticesOf('author')).not.toContain('licence_missing');
});
