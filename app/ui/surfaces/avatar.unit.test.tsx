import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Avatar } from './avatar.tsx';

it.each([
  ['Amara Osei', 'AO'],
  ['Dr Anna-Lena von Bülow', 'AB'],
  ['Dr. med. Jörg Klein-Hüttenbach', 'JK'],
  ['J. Smith', 'JS'],
  ['élan', 'É'],
  // Each of these is one sign to its reader, whatever it is made of.
  ['👩🏽‍⚕️ Nia', '👩🏽‍⚕️N'],
  ['नमस्ते', 'न'],
  ['', ''],
])('the initials of %s are %s', (name, initials) => {
  const html = renderToStaticMarkup(<Avatar name={name} />);
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe(initials);
});
