import { describe, expect, it } from 'vitest';
import { browseUrl, type Filters, MAX_PAGES, readFilters } from './filters.ts';
import { facetGroups } from './value-lists.ts';

const plain: Filters = { search: '', values: [], match: 'all', sort: 'newest', view: 'grid', pages: 1 };
const parse = (url: string) => readFilters(new URL(url, 'https://site.example').searchParams);

describe('the address of browse', () => {
  it('is bare without any choice', () => {
    expect(browseUrl(plain)).toBe('/browse');
    expect(parse('/browse')).toEqual(plain);
  });

  it('keeps every choice on the way out and back', () => {
    const chosen: Filters = {
      search: 'socket & liner',
      values: ['Transtibial (Below Knee)', 'Low-cost (<$500)', 'Grasping & Gripping'],
      match: 'any',
      sort: 'popular',
      view: 'list',
      pages: 3,
    };
    expect(parse(browseUrl(chosen))).toEqual(chosen);
  });

  it('reads what a form without JavaScript sends', () => {
    expect(parse('/browse?q=&match=all&sort=newest&view=grid&filter=Walking&filter=Walking')).toEqual({
      ...plain,
      values: ['Walking'],
    });
  });

  it('ignores what it does not know', () => {
    expect(parse('/browse?filter=Nonsense&match=none&sort=loud&view=3d&page=-4')).toEqual(plain);
    expect(parse('/browse?page=10000').pages).toBe(MAX_PAGES);
    expect(parse('/browse?page=many').pages).toBe(1);
  });

  it('cuts and trims the search', () => {
    expect(parse(`/browse?q=%20%20knee%20`).search).toBe('knee');
    expect(parse(`/browse?q=${'x'.repeat(500)}`).search).toHaveLength(200);
  });
});

it('no facet value stands in two groups, since an address names values alone', () => {
  const all = facetGroups.flatMap((group) => [...group.values]);
  expect(new Set(all).size).toBe(all.length);
});
