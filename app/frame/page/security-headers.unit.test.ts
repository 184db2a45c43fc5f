import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { allowInlineScripts } from './security-headers.ts';

const NONCE = 'cmFuZG9tIG5vbmNl';
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

it('a script of the page runs by the hash of its text', () => {
  const page = `<script nonce="${NONCE}">start("ü")</script><script type="module" async="" nonce="${NONCE}">import "/a.js"</script>`;
  expect(allowInlineScripts(page, NONCE)).toEqual({
    html: '<script>start("ü")</script><script type="module" async="">import "/a.js"</script>',
    sources: `${hashOf('start("ü")')} ${hashOf('import "/a.js"')}`,
  });
});

it.each([
  ['without a nonce', '<script>alert(1)</script>'],
  ['with another nonce', '<script nonce="guessed">alert(1)</script>'],
  [
    'that a text left open before one of the page',
    `<script nonce="guessed"><script nonce="${NONCE}">own()</script>`,
  ],
])('a script %s gets no hash', (_, script) => {
  const { sources } = allowInlineScripts(`${script}<script nonce="${NONCE}">own()</script>`, NONCE);
  expect(sources).toBe(hashOf('own()'));
});

it('the same script twice is named once', () => {
  const script = `<script nonce="${NONCE}">own()</script>`;
  expect(allowInlineScripts(script + script, NONCE).sources).toBe(hashOf('own()'));
});
