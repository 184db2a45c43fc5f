import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, Bookmark, Download, Flag, Pencil, Printer, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { messageOf } from '#app/errors.ts';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { NotFound } from '#app/frame/layout/not-found.tsx';
import { PrintedAddress } from '#app/frame/printing/printed-address.tsx';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember, useSession } from '#app/session.ts';
import { CLOSED, pageTitle } from '#app/site.ts';
import { SolutionCardSkeleton } from '#app/solution/cards/solution-card.tsx';
import { downloadAll } from '#app/solution/citing/download-all.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { CopyLink } from '#app/ui/controls/copy-link.tsx';
import { Switch } from '#app/ui/controls/switch.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import type { Route } from './+types/collection-page.ts';
import { CardSaves, SavableCard } from './card-saves.tsx';
import { collectionQuery, deleteCollection, renameCollection, setSaved, setShared } from './data.ts';
import { Note } from './note.tsx';
import { ReadingList } from './reading-list.tsx';

const ReportDialog = lazyDialog(() => import('#app/frame/members/report-dialog.tsx'), 'ReportDialog');
const TitleDialog = lazyDialog(() => import('./title-dialog.tsx'), 'TitleDialog');

export const handle = CLOSED;

export const meta = () => [{ title: pageTitle('Collection') }, { name: 'robots', content: 'noindex' }];

/** A collection: for its owner with notes to edit, for others to read when it is shared. */
export default function CollectionPage({ params: { id } }: Route.ComponentProps) {
  const session = useSession();
  const member = useMember();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [isRenaming, setIsRenaming] = useState(false);
  const [isReporting, setIsReporting] = useState(false);
  const signInFirst = useRequireSignIn();
  const {
    data: collection,
    isError,
    refetch,
  } = useQuery({
    ...collectionQuery(browserClient, id),
    enabled: session !== undefined,
  });
  const removal = useConfirmedAction({
    title: 'Delete collection',
    question: 'We delete the collection and its notes, and its link stops working. The solutions stay.',
    verb: 'Delete collection',
    busy: 'Deleting',
    act: async () => deleteCollection(await browserClient(), id),
    failed: 'Failed to delete the collection',
    fallback: 'Please try again',
    onDone: () => navigate('/saved', { replace: true }),
    refresh: [['collections']],
  });
  const runAction = async (title: string, work: () => Promise<void>) => {
    let isDone = false;
    try {
      await work();
      isDone = true;
    } catch (error) {
      toast({ tone: 'error', title, text: messageOf(error, 'Please try again') });
    }
    await cache.invalidateQueries({ queryKey: ['collections'] });
    return isDone;
  };
  const report = () => {
    if (member) return setIsReporting(true);
    signInFirst('Please sign in to report content', 'Authentication required');
  };
  if (collection === null) return <NotFound />;
  if (!collection)
    return (
      <div className="page py-8 md:py-10">
        {isError ? (
          <LoadFailed isTold title="Failed to load the collection" onRetry={() => void refetch()} />
        ) : (
          <div
            role="status"
            aria-label="Loading the collection"
            className="grid gap-8 sm:grid-cols-2 lg:grid-cols-3"
          >
            <SolutionCardSkeleton />
            <SolutionCardSkeleton />
            <SolutionCardSkeleton />
          </div>
        )}
      </div>
    );
  const isOwn = member?.id === collection.user_id;
  return (
    <div className="page pt-6 pb-16 md:pt-8 print:p-0">
      {collection.is_shared && <PrintedAddress path={`/collections/${id}`} />}
      {isOwn && (
        <Link to="/saved" className="link mb-4 inline-flex items-center gap-2 print:hidden">
          <ArrowLeft className="size-4" strokeWidth={2} aria-hidden />
          Saved
        </Link>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1
            {...asWritten(collection.title, collection.language)}
            className="text-left text-2xl wrap-anywhere md:text-3xl"
          >
            {collection.title}
          </h1>
          <p className="mt-1 text-ink-2">
            {collection.items.length} {collection.items.length === 1 ? 'solution' : 'solutions'}, collected by{' '}
            <bdi>{collection.owner}</bdi>
          </p>
          {collection.unseen ? (
            <p className="mt-1 text-sm text-ink-3 print:hidden">
              {collection.unseen === 1
                ? 'Another solution that you saved here is not public at the moment.'
                : `${collection.unseen} more solutions that you saved here are not public at the moment.`}
            </p>
          ) : null}
        </div>
        <div className="flex flex-wrap gap-3 max-md:gap-2 max-md:*:px-3 print:hidden">
          {collection.items.length > 0 && (
            <Button onClick={() => void downloadAll('collection', id, collection.is_shared && !member)}>
              <Download className="size-5" strokeWidth={1.75} aria-hidden />
              Download all
            </Button>
          )}
          <Button onClick={() => window.print()}>
            <Printer className="size-5" strokeWidth={1.75} aria-hidden />
            Print
          </Button>
          {!isOwn && (
            <Button onClick={report}>
              <Flag className="size-5" strokeWidth={1.75} aria-hidden />
              Report
            </Button>
          )}
          {isOwn && (
            <Button onClick={() => setIsRenaming(true)}>
              <Pencil className="size-5" strokeWidth={1.75} aria-hidden />
              Rename
            </Button>
          )}
          {isOwn && (
            <Button className="text-red-ink" onClick={() => removal.ask()}>
              <Trash2 className="size-5" strokeWidth={1.75} aria-hidden />
              Delete<span className="sr-only"> collection</span>
            </Button>
          )}
        </div>
      </div>
      {isOwn && collection.link_removed_at && (
        <p className="mt-6 max-w-[66ch] rounded-md border bg-surface px-5 py-4 print:hidden">
          A moderator removed the link of this collection on {formatDay(collection.link_removed_at)}, so only
          you can read it. Their{' '}
          <Link to="/messages" className="link">
            message
          </Link>{' '}
          says why.
        </p>
      )}
      {isOwn && !collection.link_removed_at && (
        <div className="mt-6 max-w-[640px] rounded-md border bg-surface px-5 py-4 print:hidden">
          <Switch
            checked={collection.is_shared}
            onChange={(shared) =>
              void runAction('Failed to change sharing', async () =>
                setShared(await browserClient(), id, shared),
              )
            }
            hint="Everyone who has the link can read this collection and your notes. Leave out anything that could identify a patient."
            className="w-full justify-between"
          >
            Share by link
          </Switch>
          {collection.is_shared && (
            <div className="mt-3">
              <CopyLink url={new URL(`/collections/${id}`, window.location.href).href} />
            </div>
          )}
        </div>
      )}
      {collection.items.length > 0 ? (
        <CardSaves solutions={collection.items.map(({ solution }) => solution)}>
          <ul className="mt-9 grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-3 print:hidden">
            {collection.items.map(({ note, language, solution }) => (
              <li key={solution.id} className="flex flex-col">
                <SavableCard solution={solution} headingLevel={2} />
                <Note
                  collectionId={id}
                  solution={solution}
                  note={note}
                  language={language}
                  isOwn={isOwn}
                  onRemove={() =>
                    void runAction('Failed to remove the solution', async () =>
                      setSaved(await browserClient(), {
                        userId: collection.user_id,
                        collectionId: id,
                        solutionId: solution.id,
                        saved: false,
                      }),
                    )
                  }
                />
              </li>
            ))}
          </ul>
          <ReadingList items={collection.items} />
        </CardSaves>
      ) : (
        <div className="mt-9">
          <EmptyState icon={Bookmark}>This collection has no solutions.</EmptyState>
        </div>
      )}
      {isRenaming && (
        <TitleDialog
          heading="Rename collection"
          action={{ label: 'Rename', busy: 'Renaming' }}
          title={collection.title}
          language={collection.language}
          onSave={(named) =>
            runAction('Failed to rename the collection', async () =>
              renameCollection(await browserClient(), id, named),
            )
          }
          onClose={() => setIsRenaming(false)}
        />
      )}
      {isReporting && member && (
        <ReportDialog
          kind="collection"
          title="Report collection"
          contentId={id}
          reporterId={member.id}
          onClose={() => setIsReporting(false)}
        />
      )}
      {removal.dialog}
    </div>
  );
}
