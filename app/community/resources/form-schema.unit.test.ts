import { describe, expect, it } from 'vitest';
import { categories } from './categories.ts';
import { suggestionSchema } from './form-schema.ts';
import { builtInLinks } from './links.ts';

const good = {
  resource_name: 'ISPO',
  resource_url: 'https://www.ispoint.org/',
  description: 'The international society.',
  category: 'Professional Organizations',
};
const problems = (changes: Partial<typeof good>) =>
  suggestionSchema.safeParse({ ...good, ...changes }).error?.issues.map(({ message }) => message);

describe('a suggestion', () => {
  it.each([
    ['Resource name is required', { resource_name: '  ' }],
    ['Name must be less than 200 characters', { resource_name: 'x'.repeat(201) }],
    ['Please enter a valid URL', { resource_url: 'ispoint' }],
    ['Please enter a valid URL', { resource_url: 'javascript:alert(1)' }],
    ['Please enter a valid URL', { resource_url: 'https://www.ispoint.org@evil.example/' }],
    ['Please enter a valid URL', { resource_url: 'http://127.0.0.1/' }],
    ['URL must be less than 500 characters', { resource_url: `https://a.example/${'x'.repeat(490)}` }],
    ['Description must be at least 10 characters', { description: ' short ' }],
    ['Description must be less than 1000 characters', { description: 'x'.repeat(1001) }],
    ['Please select a category', { category: '' }],
  ])('is refused with "%s"', (message, changes) => {
    expect(problems(changes)).toEqual([message]);
  });

  it('names the first problem in the order of the form, and is trimmed', () => {
    expect(problems({ resource_name: '', resource_url: '', description: '', category: '' })?.[0]).toBe(
      'Resource name is required',
    );
    expect(suggestionSchema.parse({ ...good, resource_url: ' https://www.ispoint.org/ ' })).toEqual(good);
    for (const length of [1, 200]) expect(problems({ resource_name: 'x'.repeat(length) })).toBeUndefined();
    for (const length of [10, 1000]) expect(problems({ description: 'x'.repeat(length) })).toBeUndefined();
  });
});

describe('the built-in links', () => {
  it('are five to eight in each category, fit the rules for suggestions and are listed once', () => {
    const all = categories.flatMap(({ name }) => {
      expect(builtInLinks[name].length).toBeGreaterThanOrEqual(5);
      expect(builtInLinks[name].length).toBeLessThanOrEqual(8);
      return builtInLinks[name].map((link) => ({ ...link, category: name }));
    });
    for (const { name, url, text, category } of all)
      expect(
        suggestionSchema.safeParse({ resource_name: name, resource_url: url, description: text, category })
          .success,
      ).toBe(true);
    expect(new Set(all.map(({ url }) => url)).size).toBe(all.length);
    expect(all.every(({ url }) => url.startsWith('https://'))).toBe(true);
  });
});
