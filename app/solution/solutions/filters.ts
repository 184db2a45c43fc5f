import { cutText } from '../../../texts/cut-text.ts';
import { facetGroups } from './value-lists.ts';

const sorts = ['newest', 'oldest', 'popular', 'tried'] as const;
const matches = ['all', 'any'] as const;
const views = ['grid', 'list'] as const;

/** Pages that one address may request at once; beyond it a reader continues from the last one. */
export const MAX_PAGES = 10;

export interface Filters {
  search: string;
  values: string[];
  match: (typeof matches)[number];
  sort: (typeof sorts)[number];
  view: (typeof views)[number];
  pages: number;
}

const knownOptions = new Set<string>(facetGroups.flatMap((group) => [...group.values]));

function oneOf<Value extends string>(allowed: readonly [Value, ...Value[]], candidate: string | null): Value {
  return allowed.find((value) => value === candidate) ?? allowed[0];
}

/** Parses an address of browse; unknown values are left out. */
export function readFilters(params: URLSearchParams): Filters {
  return {
    search: cutText((params.get('q') ?? '').trim(), 200),
    values: [...new Set(params.getAll('filter'))].filter((value) => knownOptions.has(value)),
    match: oneOf(matches, params.get('match')),
    sort: oneOf(sorts, params.get('sort')),
    view: oneOf(views, params.get('view')),
    pages: Math.min(Math.max(Number.parseInt(params.get('page') ?? '1', 10) || 1, 1), MAX_PAGES),
  };
}

/** The address of browse for these filters; defaults are left out. */
export function browseUrl(filters: Partial<Filters>): string {
  const params = new URLSearchParams();
  if (filters.search) params.set('q', filters.search);
  for (const value of filters.values ?? []) params.append('filter', value);
  if (filters.match && filters.match !== matches[0]) params.set('match', filters.match);
  if (filters.sort && filters.sort !== sorts[0]) params.set('sort', filters.sort);
  if (filters.view && filters.view !== views[0]) params.set('view', filters.view);
  if (filters.pages && filters.pages > 1) params.set('page', String(filters.pages));
  return params.size > 0 ? `/browse?${params}` : '/browse';
}

/** The address of the feed of these results, which has the newest first. */
export const feedUrl = ({ search, values, match }: Partial<Filters>): string =>
  browseUrl({ ...(search && { search }), ...(values && { values }), ...(match && { match }) }).replace(
    '/browse',
    '/browse.atom',
  );
