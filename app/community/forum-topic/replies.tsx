import { useEffect, useEffectEvent, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Topic } from '#app/community/forum/data.ts';
import { HeldImages } from '#app/community/post-images/held-images.tsx';
import { HeldPosts } from '#app/frame/held-posts/held-posts.tsx';
import { replyUrl } from '#app/frame/kinds/paths.ts';
import { useMember, useViewer } from '#app/session.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { fetchNextPage } from '#app/ui/states/next-page.ts';
import { lazyDialog, Region } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { useErrorToast } from '#app/ui/surfaces/toast.tsx';
import { isUuid } from '#app/ui/texts/uuid.ts';
import { EditReply } from './edit-reply.tsx';
import { PostItem } from './post-item.tsx';
import { type Quoting, ReplyForm } from './reply-form.tsx';
import { usePosts } from './use-posts.ts';
import { useReport } from './use-report.ts';

const ReportCaseDialog = lazyDialog(
  () => import('#app/solution/safety-notices/report-case-dialog.tsx'),
  'ReportCaseDialog',
);

const show = (postId: string) =>
  document.getElementById(`post-${postId}`)?.scrollIntoView({ block: 'start' });

/** The replies, oldest first, from the start or around the one that the address names. */
export function Replies({ topic, at }: { topic: Topic; at: string | null }) {
  const navigate = useNavigate();
  const viewerId = useMember()?.id;
  const isModerator = useViewer()?.isModerator ?? false;
  const report = useReport();
  const reply = useRef<Quoting>(null);
  const { query, news, clearNews, catchUp, reread, remove } = usePosts(topic.id, at);
  const { data, isError, refetch, hasNextPage, hasPreviousPage } = query;
  const posts = data?.pages.flatMap((page) => page.items) ?? [];
  const count = topic.posts_count;
  const loaded = data !== undefined;

  useErrorToast(isError, 'Error', 'Failed to load replies');

  // A link to a reply on another page of the topic than the loaded one.
  useEffect(() => {
    if (!loaded) return;
    const postId = /^#post-(.+)$/.exec(location.hash)?.[1] ?? null;
    if (postId && postId !== at && isUuid(postId) && !document.getElementById(`post-${postId}`))
      void navigate(replyUrl(topic.id, postId), { replace: true });
    else if (isUuid(at)) show(at);
  }, [loaded, at, topic.id, navigate]);

  // New replies count as seen once the first of them is on the screen.
  const first = news[0];
  const onVisible = useEffectEvent(clearNews);
  useEffect(() => {
    const element = first && document.getElementById(`post-${first}`);
    if (!element) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onVisible());
    observer.observe(element);
    return () => observer.disconnect();
  }, [first]);

  const posted = async (id: string) => {
    const loaded = await catchUp().catch(() => false);
    if (!loaded) void navigate(replyUrl(topic.id, id));
  };

  return (
    <section aria-labelledby="replies" className="mt-8 border-t pt-7">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="replies" className="text-xl">
          {count === 1 ? 'Reply ' : 'Replies '}
          <span className="font-normal text-ink-2">{count}</span>
        </h2>
        {hasNextPage && (
          <Link to={`/forum/${topic.id}?post=latest`} className={buttonClass('quiet', 'bar', 'print:hidden')}>
            Latest replies
          </Link>
        )}
      </div>
      {hasPreviousPage && (
        <p className="mt-4 flex flex-wrap gap-2 print:hidden">
          <Button
            busy={query.isFetchingPreviousPage && 'Loading'}
            onClick={() => void query.fetchPreviousPage()}
          >
            Show earlier replies
          </Button>
          <Link to={`/forum/${topic.id}`} className={buttonClass('quiet')}>
            From the start
          </Link>
        </p>
      )}
      {data ? (
        <Region className="mt-6">
          {() => (
            <ol className="mt-6 flex flex-col gap-7">
              {posts.map((post) => (
                <PostItem
                  key={post.id}
                  post={post}
                  topic={topic}
                  highlighted={post.id === at}
                  viewerId={viewerId}
                  isModerator={isModerator}
                  onQuote={() => reply.current?.quote(post)}
                  onReport={() => report.about('post', post)}
                  onEdited={() => void reread(post.id).catch(() => undefined)}
                  onDeleted={() => remove(post.id)}
                />
              ))}
            </ol>
          )}
        </Region>
      ) : isError ? (
        <LoadFailed title="Failed to load replies" onRetry={() => void refetch()} className="mt-6" />
      ) : (
        <div className="mt-6 flex gap-3">
          <Skeleton className="size-10 rounded-full" />
          <div className="flex-1">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="mt-2 h-16" />
          </div>
        </div>
      )}
      {data && posts.length === 0 && !topic.is_locked && (
        <p className="text-ink-2">No replies yet. Yours can be the first.</p>
      )}
      {hasNextPage && (
        <p className="mt-8 print:hidden">
          <Link
            to={replyUrl(topic.id, posts.at(-1)?.id ?? '')}
            role="button"
            className={buttonClass()}
            onClick={(event) => {
              event.preventDefault();
              void fetchNextPage(query);
            }}
          >
            {query.isFetchingNextPage ? 'Loading' : 'Show more replies'}
          </Link>
        </p>
      )}
      <div role="status" className="sticky bottom-4 z-10 flex justify-center print:hidden">
        {first && (
          <Button
            variant="primary"
            className="mt-4 rounded-full shadow-menu"
            onClick={() => {
              show(first);
              clearNews();
            }}
          >
            <span className="icon icon-arrow-down size-4" />
            {news.length} new {news.length === 1 ? 'reply' : 'replies'}
          </Button>
        )}
      </div>
      <HeldPosts
        isHere={(held) => held.topic_id === topic.id}
        editor={({ id, content, language }, save, close) => (
          <EditReply post={{ id, content: content ?? '', language }} save={save} onDone={close} />
        )}
      >
        {(held) => <HeldImages post={held} title={topic.title} />}
      </HeldPosts>
      <ReplyForm ref={reply} topic={topic} onPosted={posted} />
      {report.open && <ReportCaseDialog {...report.open} onClose={report.close} />}
    </section>
  );
}
