import { useQuery } from '@tanstack/react-query';
import { Bookmark, Link2, Lock } from 'lucide-react';
import { Link } from 'react-router';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { pageTitle } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { collectionsQuery } from './data.ts';

export const meta = () => [{ title: pageTitle('Saved') }, { name: 'robots', content: 'noindex' }];

/** The member's collections. */
export default function SavedPage() {
  const member = useRequiredMember();
  const { data, isError, refetch } = useQuery({
    ...collectionsQuery(browserClient, member?.id ?? ''),
    enabled: member !== undefined,
  });
  return (
    <div className="page py-8 md:py-10">
      <div className="mx-auto max-w-[896px]">
        <h1 className="text-2xl md:text-3xl">Saved</h1>
        <p className="mt-2 max-w-[66ch] text-ink-2">
          Solutions that you saved, in collections with your own notes. A collection is private until you
          share its link.
        </p>
        <div className="mt-8">
          {data && data.length > 0 ? (
            <ul className="flex flex-col gap-3">
              {data.map(({ id, title, is_shared, items }) => {
                const Icon = is_shared ? Link2 : Lock;
                return (
                  <li
                    key={id}
                    className="relative flex items-center gap-4 rounded-md border bg-surface px-5 py-4 hover:bg-chip"
                  >
                    <div className="min-w-0 flex-1">
                      <h2 className="text-lg">
                        <Link
                          to={`/collections/${id}`}
                          className="wrap-anywhere after:absolute after:inset-0"
                        >
                          <bdi dir="auto">{title}</bdi>
                        </Link>
                      </h2>
                      <p className="text-sm text-ink-3">
                        {items.length} {items.length === 1 ? 'solution' : 'solutions'}
                      </p>
                    </div>
                    <span className="flex items-center gap-1.5 text-sm text-ink-2">
                      <Icon className="size-4" strokeWidth={2} aria-hidden />
                      {is_shared ? 'Shared by link' : 'Private'}
                    </span>
                  </li>
                );
              })}
            </ul>
          ) : data ? (
            <EmptyState
              icon={Bookmark}
              action={
                <Link to="/browse" className={buttonClass('primary')}>
                  Browse Solutions
                </Link>
              }
            >
              Press the bookmark on a card, or “Save” on a solution, to keep it here.
            </EmptyState>
          ) : (
            <NotLoaded what="your collections" query={{ isError, refetch }} />
          )}
        </div>
      </div>
    </div>
  );
}
