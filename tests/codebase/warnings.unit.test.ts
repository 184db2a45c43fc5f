import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Where a solution's title is only a name within what warns already, or is its author's or a moderator's own work. */
const WITHOUT = [
  // The page of the solution begins with the notice, and these lie on it.
  'app/finding/solution-page/author-card.tsx',
  'app/sharing/trials/trials.tsx',
  'app/solution/translations/translation-card.tsx',
  // On cards, which have the mark.
  'app/finding/browse/solution-list.tsx',
  'app/people/collections/note.tsx',
  'app/people/profiles/my-solutions.tsx',
  // The subject of a message to its author.
  'app/frame/members/message-dialog.tsx',
  // For moderators, beside the case.
  'app/solution/staff-notes/staff-notes.tsx',
  // A solution before its publication, which has no notice.
  'app/solution/review/decision.tsx',
];

it('what shows the title of a solution says first that readers are warned of it', () => {
  const files = globSync('app/**/*.tsx', { cwd: root }).filter(
    // What moderators alone see, its reviews among it.
    (path) => !/\/moderation\/|-review[./]/.test(path) && !WITHOUT.includes(path),
  );
  expect(files.length).toBeGreaterThan(300);
  const without = files.filter((path) => {
    const text = readFileSync(resolve(root, path), 'utf8');
    return (
      /\b(solution|point|question)(\.data)?\??\.title\b/.test(text) &&
      !/\b(SafetyMark|SafetyNotices|warnedTitle)\b/.test(text)
    );
  });
  expect(without).toEqual([]);
});
