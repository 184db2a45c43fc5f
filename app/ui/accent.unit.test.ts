import { expect, it } from 'vitest';
import { accentRules, accentTokens, barColours, luminanceOf, themesIn } from './accent.ts';
import { dark, light, surface } from './tokens.ts';

const contrast = (one: string, other: string) => {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

it.each(['#ffff00', '#0000ff', '#ff0000', '#00ff00', '#ffffff', '#000000', '#7b2d8b', '#ff7a00', '#123456'])(
  'the accent colour %s is as readable as our own, in both themes',
  (chosen) => {
    const made = accentTokens(chosen);
    for (const [theme, own] of [
      ['light', light],
      ['dark', dark],
    ] as const) {
      const ours: Record<string, string> = own;
      const tokens = made[theme];
      const pairs = [
        ['accent', own.bg],
        ['accent', own.surface],
        ['accent-ink', tokens['accent-soft'] ?? ''],
        ['on-accent', tokens.accent ?? ''],
        ['focus', own.bg],
      ] as const;
      for (const [name, ground] of pairs) expect(contrast(tokens[name] ?? '', ground)).toBeGreaterThan(4.5);
      for (const [name, colour] of Object.entries(tokens))
        expect(luminanceOf(colour)).toBeCloseTo(luminanceOf(ours[name] ?? ''), 1);
    }
  },
);

it('without a colour there are no rules, and none for what is no colour', () => {
  expect(accentRules('')).toBe('');
  expect([themesIn('').dark, themesIn('red').light, barColours('')]).toEqual([dark, light, surface]);
  expect(accentRules('red}body{display:none')).toBe('');
  expect(accentRules('#7b2d8b')).toMatch(
    /^html:root\{--accent:#[0-9a-f]{6};.*\}@media screen\{html\.dark\{.*\}\}$/,
  );
});
