import { expect, it } from 'vitest';
import { formatMinutes, percentage } from './data.ts';

it('says 100% of nothing less', () => {
  expect(percentage({ up: 43_200, measured: 43_200 })).toBe('100%');
  expect(percentage({ up: 43_199, measured: 43_200 })).toBe('99.99%');
  expect(percentage({ up: 129_599, measured: 129_600 })).toBe('99.99%');
  expect(percentage({ up: 0, measured: 60 })).toBe('0%');
  expect(percentage({ up: 0, measured: 0 })).toBeUndefined();
});

it('says how long a gap was', () => {
  expect([0, 7, 60, 125].map(formatMinutes)).toEqual(['none', '7 min', '1 h', '2 h 5 min']);
});
