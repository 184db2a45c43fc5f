import { useQuery } from '@tanstack/react-query';
import { Bookmark, Link2, Lock } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAction } from '#app/frame/act/use-action.ts';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { CLOSED, pageTitle } from '#app/site.ts';
import { CardPicture } from '#app/solution/cards/card-picture.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { collectionsQuery, createCollection, type Named, type OwnCollection } from './data.ts';

const TitleDialog = lazyDialog(() => import('./title-dialog.tsx'), 'TitleDialog');

export const handle = CLOSED;

export const meta = () => [{ title: pageTitle('Saved') }, { name: 'robots', content: 'noindex' }];

/** The member's collections. */
export default function SavedPage() {
  const member = useRequiredMember();
  const [isCreating, setIsCreating] = useState(false);
  const { data, isError, refetch } = useQuery({
    ...collectionsQuery(browserClient, member?.id ?? ''),
    enabled: member !== undefined,
  });
  const creating = useAction({
    act: async ({ userId, ...named }: { userId: string } & Named) =>
      createCollection(await browserClient(), userId, named),
    failed: 'Failed to create the collection',
    fallback: 'Please try again',
    refresh: [['collections']],
  });
  return (
    <div className="page py-8 md:py-10">
      <div className="page-column">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <h1 className="text-2xl md:text-3xl">Saved</h1>
          {member && (
            <Button onClick={() => setIsCreating(true)}>
              <span className="icon icon-plus" />
              New collection
            </Button>
          )}
        </div>
        <p className="mt-2 max-w-[66ch] text-ink-2">
          Solutions that you saved, with your own notes. A collection is private until you share its link.
        </p>
        <div className="mt-8">
          {data && data.length > 0 ? (
            <ul className="grid gap-x-8 gap-y-9 sm:grid-cols-2">
              {data.map((collection) => (
                <Collection key={collection.id} collection={collection} />
              ))}
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
            <NotLoaded
              loading="Loading your collections"
              failed="Failed to load your collections"
              query={{ isError, refetch }}
            />
          )}
        </div>
      </div>
      {isCreating && member && (
        <TitleDialog
          heading="New collection"
          action={{ label: 'Create', busy: 'Creating' }}
          onSave={(named) =>
            creating.mutateAsync({ userId: member.id, ...named }).then(
              () => true,
              () => false,
            )
          }
          onClose={() => setIsCreating(false)}
        />
      )}
    </div>
  );
}

function Collection({ collection }: { collection: OwnCollection }) {
  const { id, title, language, is_shared: isShared, size, latest } = collection;
  const Icon = isShared ? Link2 : Lock;
  return (
    <li className="group relative">
      {/* As high as four images side by side, however many there are. */}
      <div className="flex aspect-16/3 gap-1 overflow-clip rounded-md empty:bg-chip [&>img]:picture [&>img]:h-full [&>img]:min-w-0 [&>img]:flex-1 [&>img]:object-cover">
        {latest.map((solution) => (
          <CardPicture key={solution.id} path={solution.thumbnail_url} eager={false} />
        ))}
      </div>
      <h2 className="mt-3 text-lg">
        <Link
          to={`/collections/${id}`}
          className="wrap-anywhere group-hover:underline after:absolute after:inset-0"
        >
          <bdi {...asWritten(title, language)}>{title}</bdi>
        </Link>
      </h2>
      <p className="flex flex-wrap gap-x-4 text-sm text-ink-3">
        {size} {size === 1 ? 'solution' : 'solutions'}
        <span className="flex items-center gap-2 text-ink-2">
          <Icon className="size-4" strokeWidth={2} aria-hidden />
          {isShared ? 'Shared by link' : 'Private'}
        </span>
      </p>
    </li>
  );
}
