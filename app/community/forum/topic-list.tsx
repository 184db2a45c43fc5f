import { useState } from 'react';
import { Form, Link, useNavigate, useNavigation } from 'react-router';
import { HeldImages } from '#app/community/post-images/held-images.tsx';
import { HeldPosts } from '#app/frame/held-posts/held-posts.tsx';
import { useSanction } from '#app/frame/members/use-sanction.ts';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { SearchInput } from '#app/ui/controls/search-input.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { fetchNextPage } from '#app/ui/states/next-page.ts';
import { lazyDialog, Region } from '#app/ui/states/region.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { toast, useErrorToast } from '#app/ui/surfaces/toast.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { categories, categoryLabel, type ForumChoice, forumUrl } from './categories.ts';
import { TopicCard, TopicCardSkeleton } from './topic-card.tsx';
import { useTopics } from './use-topics.ts';

const TopicDialog = lazyDialog(() => import('./topic-dialog.tsx'), 'TopicDialog');

const all = [{ value: null, label: 'All' }, ...categories];

/** The forum’s page: categories, search, the topics that match, and the button that starts a new one. */
export function TopicList({ choice }: { choice: ForumChoice }) {
  const navigate = useNavigate();
  const signInFirst = useRequireSignIn();
  const member = useMember();
  const sanction = useSanction();
  const [writing, setWriting] = useState(false);
  const pending = useNavigation().location?.pathname === '/forum';
  const query = useTopics(choice);
  const { data, isError, isPlaceholderData, isFetchingNextPage, hasNextPage, refetch } = query;
  const topics = data?.pages.flatMap((page) => page.items) ?? [];
  const total = data?.pages[0]?.total ?? null;
  const waiting = pending || isPlaceholderData;
  const next = data?.pages.at(-1)?.next_cursor ?? null;

  useErrorToast(isError, 'Error', 'Failed to load forum topics');

  const open = () => {
    if (sanction) return toast({ tone: 'error', title: sanction.sentence, text: 'You can’t create topics.' });
    if (member) return setWriting(true);
    signInFirst('Please sign in to create a topic', 'Authentication required');
  };

  return (
    <div className="page pt-6 pb-16 lg:pt-12">
      <div className="page-column">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h1 className="text-2xl md:text-3xl">Forum</h1>
          <Button variant="primary" onClick={open}>
            <span className="icon icon-plus" />
            New Topic
          </Button>
        </div>
        <nav aria-label="Categories" className="-mx-4 mt-5 overflow-x-auto px-4 py-1 md:-mx-1 md:px-1">
          <ul className="flex gap-2 md:flex-wrap">
            {all.map(({ value, label }) => (
              <li key={label}>
                <Link
                  to={forumUrl({ category: value, search: choice.search })}
                  preventScrollReset
                  role="button"
                  aria-pressed={value === choice.category}
                  onKeyDown={(event) => {
                    if (event.key !== ' ') return;
                    event.preventDefault();
                    event.currentTarget.click();
                  }}
                  className="inline-flex min-h-11 items-center rounded-md border border-line-2 bg-surface px-4 whitespace-nowrap transition-colors hover:bg-chip aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent-ink lg:min-h-10"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <Form
          action="/forum"
          role="search"
          aria-label="Forum"
          className="mt-4 flex gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            const search = new FormData(event.currentTarget).get('q');
            const typed = typeof search === 'string' ? search.trim() : '';
            void navigate(forumUrl({ category: choice.category, search: typed }), {
              preventScrollReset: true,
            });
          }}
        >
          {choice.category && <input type="hidden" name="category" value={choice.category} />}
          <SearchInput
            key={choice.search}
            name="q"
            aria-label="Search the forum"
            placeholder="Search topics and replies"
            defaultValue={choice.search}
            className="h-11 flex-1 bg-surface"
          />
          <Button type="submit">Search</Button>
        </Form>
        <div className="mt-4 flex flex-wrap items-center gap-x-4 empty:hidden">
          {choice.search && (
            <>
              <p role="status" className="font-bold">
                {waiting || total === null
                  ? 'Searching'
                  : `${total.toLocaleString('en-GB')} ${total === 1 ? 'topic' : 'topics'} found`}
              </p>
              <Link to={forumUrl({ category: choice.category })} className={buttonClass('quiet', 'bar')}>
                Clear search
              </Link>
            </>
          )}
          {choice.after && (
            <Link to={forumUrl({ ...choice, after: null })} className={buttonClass('quiet', 'bar')}>
              Back to newest
            </Link>
          )}
        </div>

        {data?.pages[0]?.partial && !waiting && (
          <p className="mt-2 text-ink-2">
            This search is too broad, so some older topics may be missing. Try fewer or longer words.
          </p>
        )}

        <HeldPosts
          isHere={(post) => post.title !== null}
          editor={({ id, title, category, content, language }, save, close) =>
            member && (
              <TopicDialog
                memberId={member.id}
                topic={{ id, title: title ?? '', category: category ?? '', description: content, language }}
                save={({ description, ...text }) => save({ ...text, content: description })}
                onClose={close}
              />
            )
          }
        >
          {(post) => <HeldImages post={post} title={post.title ?? ''} />}
        </HeldPosts>
        <div className={classes('mt-5 transition-opacity', waiting && 'opacity-60')} aria-busy={waiting}>
          {isError && topics.length === 0 ? (
            <LoadFailed title="Failed to load forum topics" onRetry={() => void refetch()} />
          ) : data && topics.length === 0 ? (
            <EmptyState
              icon="icon-messages"
              action={
                choice.search || choice.category ? (
                  <Link to="/forum" className={buttonClass()}>
                    Show all topics
                  </Link>
                ) : (
                  <Button onClick={open}>New Topic</Button>
                )
              }
            >
              {choice.search ? (
                <>
                  No topics match “<bdi>{choice.search}</bdi>”
                  {choice.category && ` in ${categoryLabel(choice.category)}`}.
                </>
              ) : (
                'No topics yet. Ask the first question or share your experience.'
              )}
            </EmptyState>
          ) : (
            <Region>
              {() => (
                <ul className="border-b">
                  {topics.map((topic) => (
                    <li key={topic.id}>
                      <TopicCard topic={topic} />
                    </li>
                  ))}
                  {(!data || isFetchingNextPage) &&
                    Array.from({ length: 5 }, (_, index) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: stand-ins without identity
                      <li key={index}>
                        <TopicCardSkeleton />
                      </li>
                    ))}
                </ul>
              )}
            </Region>
          )}
        </div>
        {hasNextPage && (
          <p className="mt-8 text-center">
            <Link
              to={forumUrl({ ...choice, after: next })}
              role="button"
              className={buttonClass()}
              onClick={(event) => {
                event.preventDefault();
                void fetchNextPage(query);
              }}
            >
              {isFetchingNextPage ? 'Loading' : 'Load more'}
            </Link>
          </p>
        )}
      </div>
      {writing && member && (
        <TopicDialog memberId={member.id} category={choice.category} onClose={() => setWriting(false)} />
      )}
    </div>
  );
}
