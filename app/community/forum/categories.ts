import { cutText } from '../../../texts/cut-text.ts';
/** The forum's categories as they are stored, with their labels. */
export const categories = [
  { value: 'general', label: 'General Discussion' },
  { value: 'technical', label: 'Technical Questions' },
  { value: 'success-stories', label: 'Success Stories' },
  { value: 'materials', label: 'Materials & Methods' },
  { value: 'research', label: 'Research & Innovation' },
] as const;

export const MAX_TITLE_LENGTH = 200;
export const MAX_TEXT_LENGTH = 10_000;
export const MAX_SUMMARY_LENGTH = 2000;

/** The category in the words that readers see; an unknown one stands for itself. */
export function categoryLabel(value: string): string {
  return categories.find((category) => category.value === value)?.label ?? value;
}

/** The list's filters and position, all of them kept in the address. */
export interface ForumChoice {
  category: string | null;
  search: string;
  /** Where the list begins, for readers who load more without JavaScript. */
  after: string | null;
}

/** Parses an address of the forum; unknown values are left out. */
export function readChoice(params: URLSearchParams): ForumChoice {
  const category = params.get('category');
  const after = params.get('after') ?? '';
  return {
    category: categories.some(({ value }) => value === category) ? category : null,
    search: cutText((params.get('q') ?? '').trim(), 200),
    after: /^[tf]~[\d\-T:. +]{10,40}~[0-9a-f-]{36}$/.test(after) ? after : null,
  };
}

/** The address of the forum with this choice. */
export function forumUrl({ category, search, after }: Partial<ForumChoice>): string {
  const params = new URLSearchParams();
  if (category) params.set('category', category);
  if (search) params.set('q', search);
  if (after) params.set('after', after);
  return params.size > 0 ? `/forum?${params}` : '/forum';
}

/** The address of the feed of a category's topics, or of all. */
export const forumFeedUrl = ({ category }: Pick<ForumChoice, 'category'>): string =>
  forumUrl({ category }).replace('/forum', '/forum.atom');
