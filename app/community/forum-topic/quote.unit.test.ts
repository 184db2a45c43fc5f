import { expect, it } from 'vitest';
import { stripMarkdown } from '#app/community/forum/strip-markdown.ts';
import { quoteOf } from './quote.ts';

const author = {
  id: '1',
  username: 'olu.adeyemi',
  full_name: 'Olu',
  profession: null,
  avatar_url: null,
  registration_level: null,
  registration_register: null,
  registration_checked_on: null,
};

it('quotes line by line after the name of the author', () => {
  expect(quoteOf({ user_id: '1', author, content: 'PETG too.\n\nSunlight yellows it.' })).toBe(
    '@olu.adeyemi wrote:\n> PETG too.\n>\n> Sunlight yellows it.\n\n',
  );
  expect(quoteOf({ user_id: null, author: null, content: 'x' })).toBe('Former member wrote:\n> x\n\n');
});

it('leaves out what was quoted before', () => {
  expect(
    quoteOf({ user_id: '1', author, content: '@ruth wrote:\n> First\n> Second\n\nYes, and she wrote:\nno.' }),
  ).toBe('@olu.adeyemi wrote:\n> Yes, and she wrote:\n> no.\n\n');
});

it('shows texts on one line without the signs that format them', () => {
  expect(stripMarkdown('> said\n- **Two** `screws`, 5 * 3 mm\n1. [here](https://a.example) snake_case')).toBe(
    'said Two screws, 5 * 3 mm here snake_case',
  );
});
