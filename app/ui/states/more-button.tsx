import type { ReactNode } from 'react';
import { Button } from '#app/ui/controls/button.tsx';
import { fetchNextPage } from './next-page.ts';

interface MoreButtonProps {
  query: Parameters<typeof fetchNextPage>[0] & { hasNextPage: boolean; isFetchingNextPage: boolean };
  className: string;
  children: ReactNode;
}

/** The button that fetches the next page of a list, as long as there is one. */
export const MoreButton = ({ query, className, children }: MoreButtonProps) =>
  query.hasNextPage && (
    <Button
      className={className}
      busy={query.isFetchingNextPage && 'Loading'}
      onClick={() => void fetchNextPage(query)}
    >
      {children}
    </Button>
  );
