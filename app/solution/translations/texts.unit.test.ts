import { describe, expect, it } from 'vitest';
import { bySection } from '#app/solution/solutions/value-lists.ts';
import type { Content } from '#app/solution/versions/content-schema.ts';
import { beginnings, changedSentences, translatableTexts, translatedContent } from './texts.ts';

const content: Content = {
  language: 'en',
  title: 'A clamp for oars',
  description: 'It holds an oar. It opens by itself.',
  occupation: 'Walking',
  amputation_level: 'Partial Foot',
  age_group: 'Adults',
  prosthesis_type: 'Passive',
  cost_range: 'Low-cost (<$500)',
  licence: 'CC BY 4.0',
  materials: [],
  custom_tags: [],
  ...bySection('column', () => null),
  patient_outcomes: 'They row again.',
  outcomes: [],
  fabrication: {
    hours: 2,
    tools: ['Saw'],
    currency: null,
    parts: [{ component: 'Strap', maker: null, part_number: null, quantity: 1, cost: null, link: null }],
    steps: [
      { instruction: 'Cut the strap.', media_id: null },
      { instruction: 'Sew it.', media_id: null },
    ],
  },
  media: [{ id: 'm', description: 'The oar' }],
  files: [],
  based_on: [],
};

const texts = Object.fromEntries(
  translatableTexts(content).map(({ name, original }) => [name, `[${original}]`]),
);
const withSteps = (...instructions: string[]): Content => ({
  ...content,
  fabrication: content.fabrication && {
    ...content.fabrication,
    steps: instructions.map((instruction) => ({ instruction, media_id: null })),
  },
});

describe('a translation', () => {
  it('says every text in the other language, and leaves out what it no longer says of an image', () => {
    const shown = translatedContent(content, 'es', texts);
    expect(shown.language).toBe('es');
    expect(translatableTexts(shown).every(({ original }) => /^\[.*\]$/s.test(original))).toBe(true);
    expect(translatableTexts(shown).map(({ name }) => name)).toEqual(Object.keys(texts));
    const { 'media/m': _, ...others } = texts;
    expect(translatedContent(content, 'es', others).media).toEqual([{ id: 'm', description: null }]);
  });

  it('begins with what was translated before, also of a step that has moved', () => {
    const now = translatableTexts({
      ...withSteps('Wash your hands.', 'Cut the strap.'),
      title: 'A clamp for two oars',
    });
    const found = beginnings(texts, translatableTexts(content), now);
    expect(found.get('step/1')).toEqual({ text: '[Cut the strap.]', isChanged: false });
    expect(found.get('step/0')).toEqual({ text: '[Cut the strap.]', isChanged: true });
    expect(found.get('title')).toEqual({ text: '[A clamp for oars]', isChanged: true });
    expect(found.get('description')?.isChanged).toBe(false);
    expect(found.has('durability_testing')).toBe(false);
  });

  it('is out of date by the sentences that changed, and not by what only moved', () => {
    expect(changedSentences(content, withSteps('Sew it.', 'Cut the strap.'))).toEqual({
      added: [],
      removed: [],
    });
    expect(
      changedSentences(content, { ...content, description: 'It holds an oar. It opens by a lever.' }),
    ).toEqual({
      added: ['It opens by a lever.'],
      removed: ['It opens by itself.'],
    });
    const japanese = { ...content, language: 'ja', description: '櫂を持つ。自分で開く。' };
    expect(changedSentences(japanese, { ...japanese, description: '櫂を持つ。手で開く。' })).toEqual({
      added: ['手で開く。'],
      removed: ['自分で開く。'],
    });
  });
});
