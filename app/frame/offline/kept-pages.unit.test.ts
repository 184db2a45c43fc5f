import { expect, it } from 'vitest';
import { isForOne, isKept } from './kept-pages.ts';

it.each([
  ['/', true, false],
  ['/solutions/1.data', true, false],
  ['/solutions/1/removal-request', true, false],
  ['/upload', true, true],
  ['/upload.data', true, false],
  ['/auth', false, true],
  ['/profile.data', false, false],
  ['/messages/1', false, true],
  // A link of an email leads through a service to a page.
  ['/auth/v1/verify', false, false],
  ['/storage/v1/object/public/a.webp', false, false],
  ['/take-with-you', true, false],
  ['/field-pack/field-pack-1.zip', false, false],
])('%s is kept: %s, and for one person alone: %s', (path, kept, forOne) => {
  expect([isKept(path), isForOne(path)]).toEqual([kept, forOne]);
});
