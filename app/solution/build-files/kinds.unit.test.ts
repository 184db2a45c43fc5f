import { expect, it } from 'vitest';
import { formatBytes } from './kinds.ts';

const MB = 1024 * 1024;

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1024, '1 KB'],
  [1.44 * MB, '1.4 MB'],
  [758 * MB, '758 MB'],
  [1023.9 * MB, '1 GB'],
  [100 * 1024 * MB, '100 GB'],
])('%d is %s', (bytes, text) => {
  expect(formatBytes(bytes).replace('\u00a0', ' ')).toBe(text);
});
