import type { InfiniteData } from '@tanstack/react-query';

/** The loaded pages of a list with each item as it is now. */
export const withItems = <Page extends { items: unknown[] }, Param>(
  loaded: InfiniteData<Page, Param>,
  change: (item: Page['items'][number]) => Page['items'][number],
): InfiniteData<Page, Param> => ({
  ...loaded,
  pages: loaded.pages.map((page) => ({ ...page, items: page.items.map(change) })),
});
