import { useEffect } from 'react';
import { pageTitle } from '#app/site.ts';

/** Names the page by what its reader sees, which may be more than the visitor for whom the server named it. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = pageTitle(title);
  }, [title]);
}
