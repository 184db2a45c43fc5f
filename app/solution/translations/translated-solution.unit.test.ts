import { describe, expect, it } from 'vitest';
import type { Solution } from '#app/solution/solutions/data.ts';
import { bySection } from '#app/solution/solutions/value-lists.ts';
import { contentOf } from '#app/solution/versions/content.ts';
import { noticeName, translatableTexts } from './texts.ts';
import { translatedSolution } from './translated-solution.ts';

const solution = {
  language: 'en',
  title: 'A clamp for oars',
  description: 'It holds an oar.\n\nIt opens by itself.',
  ...bySection('column', () => null),
  patient_outcomes: 'They row again.',
  version: 2,
  outcomes: [],
  notices: [{ id: 'n', content: 'Not above 60 kg.', language: 'en' }],
  partNotices: [],
  fabrication: {
    hours: 2,
    tools: ['Saw'],
    currency: null,
    parts: [],
    steps: [{ instruction: 'Cut the strap.', media_id: 'copy' }],
  },
  // A file of a later version is a copy of the one that its first version knows.
  media: [{ id: 'copy', copy_of: 'first', description: 'The oar' }],
  files: [],
  sources: [],
} as unknown as Solution;

const texts = Object.fromEntries(
  translatableTexts(contentOf(solution)).map(({ name, original }) => [name, `[${original}]`]),
);
const translation = { language: 'ar', version: 2, texts: { ...texts, [noticeName({ id: 'n' })]: '[60]' } };

describe('a solution in another language', () => {
  it('says every text as its translation does, and keeps the files and places of the original', () => {
    const { shown, missing } = translatedSolution(solution, translation, contentOf(solution));
    expect(shown).toMatchObject({
      language: 'ar',
      title: '[A clamp for oars]',
      patient_outcomes: '[They row again.]',
      durability_testing: null,
      media: [{ id: 'copy', description: '[The oar]' }],
      fabrication: { tools: ['[Saw]'], steps: [{ instruction: '[Cut the strap.]', media_id: 'copy' }] },
    });
    expect([...missing.texts]).toEqual([]);
  });

  it('names the notices that stand in another language, also those on parts', () => {
    const noticed = {
      ...solution,
      partNotices: [
        { id: 'p', content: 'The screw shears.', language: 'en' },
        { id: 'q', content: 'ينكسر البرغي.', language: 'ar' },
      ],
    } as unknown as Solution;
    const { missing } = translatedSolution(noticed, translation, contentOf(solution));
    expect([...missing.texts]).toEqual([['The screw shears.', undefined]]);
  });

  it('says what the original says otherwise since then as the original does, and names it', () => {
    const before = { ...contentOf(solution), title: 'A clamp', description: 'It holds an oar.' };
    const { shown, missing } = translatedSolution(
      solution,
      { language: 'ar', version: 1, texts: { ...texts, title: '[A clamp]', description: '[It holds.]' } },
      before,
    );
    expect(shown).toMatchObject({
      title: solution.title,
      description: solution.description,
      patient_outcomes: '[They row again.]',
    });
    expect([...missing.texts]).toEqual([
      ['A clamp for oars', '[A clamp]'],
      ['It holds an oar.', '[It holds.]'],
      ['It opens by itself.', ''],
      ['Not above 60 kg.', undefined],
    ]);
    expect(missing).toMatchObject({ original: 'en', translated: 'ar', version: 1 });
  });
});
