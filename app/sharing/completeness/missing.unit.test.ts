import { describe, expect, it } from 'vitest';
import { missingOf } from './missing.ts';

const BARE = {
  licence: null,
  durability_testing: null,
  patient_outcomes: null,
  challenges_overcome: null,
  outcomes: [],
  fabrication: null,
  files: [],
  media: [{ media_type: 'image', description: null }],
} satisfies Parameters<typeof missingOf>[0];

const texts = (changes: Record<string, unknown> = {}) =>
  missingOf({ ...BARE, ...changes } as typeof BARE).map(({ text }) => text);

describe('what readers will miss', () => {
  it('is all of it in a case that has only what the form requires', () => {
    expect(texts()).toHaveLength(8);
  });

  it.each([
    ['How long it was in use, and how it held up', { durability_testing: 'A year.' }],
    [
      'How long it was in use, and how it held up',
      { outcomes: [{ follow_up_weeks: 6, score_before: null }] },
    ],
    ['A score before and after', { outcomes: [{ follow_up_weeks: null, score_before: 0 }] }],
    ['A licence to copy and translate the texts and images', { licence: 'All rights reserved' }],
    ['What the person who uses it says', { patient_outcomes: 'Plays again.' }],
    ['What went wrong, and what it can’t do', { challenges_overcome: 'The weight.' }],
    ['The steps to build it', { fabrication: { steps: [{ instruction: 'Cut.' }] } }],
    ['A drawing or model to build from', { files: [{}] }],
    [
      'What the images show, for readers who can’t see them',
      { media: [{ media_type: 'video', description: null }] },
    ],
    ['What the images show, for readers who can’t see them', { media: [] }],
  ])('is not "%s" once it is there', (text, changes) => {
    expect(texts()).toContain(text);
    expect(texts(changes)).not.toContain(text);
    expect(texts(changes)).toHaveLength(7);
  });
});
