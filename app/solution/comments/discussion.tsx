import { useState } from 'react';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { HeldPosts } from '#app/frame/held-posts/held-posts.tsx';
import { useMember, useViewer } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Select } from '#app/ui/controls/input.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { MoreButton } from '#app/ui/states/more-button.tsx';
import { Region } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { useErrorToast } from '#app/ui/surfaces/toast.tsx';
import { CommentEditor, CommentForm } from './comment-form.tsx';
import { CommentItem } from './comment-item.tsx';
import { type Comment, deleteComment, type Sort } from './data.ts';
import { threadsOf, toTree } from './threads.ts';
import { useDiscussion } from './use-discussion.ts';

interface DiscussionProps {
  solutionId: string;
  authorId: string | null;
  audience: string;
  /** The number of comments, loaded or not. */
  count: number;
  /** Called when a comment was added or removed here. */
  onCountChange: () => void;
}

/** The comments on a solution, the form for another one, and a notice of those that came after they were loaded. */
export function Discussion({ solutionId, authorId, audience, count, onCountChange }: DiscussionProps) {
  const viewerId = useMember()?.id;
  const isModerator = useViewer()?.isModerator ?? false;
  const [sort, setSort] = useState<Sort>('newest');
  const {
    section,
    query,
    news,
    show,
    more,
    add,
    change,
    remove: takeOut,
    linkedId,
    link,
  } = useDiscussion(solutionId, sort);
  const { data, isError, refetch } = query;
  const [replyingTo, setReplyingTo] = useState<string | null>(null);

  useErrorToast(isError, 'Failed to load comments');

  const removal = useConfirmedAction({
    title: 'Delete comment',
    question: 'Are you sure you want to delete this comment?',
    verb: 'Delete',
    busy: 'Deleting',
    act: async (id: string) => deleteComment(await browserClient(), id),
    done: 'Comment deleted successfully',
    failed: { title: 'Failed to delete comment', text: undefined },
    onDone: (_nothing, id) => {
      takeOut(id);
      onCountChange();
    },
  });
  const posted = (comment: Comment) => {
    add([comment]);
    onCountChange();
  };

  const thread = {
    solutionId,
    authorId,
    audience,
    viewerId,
    isModerator,
    replyingTo,
    reply: setReplyingTo,
    remove: ({ id }: Comment) => removal.ask(id),
    add: posted,
    change,
    linkedId,
    link,
  };
  const threads = data ? threadsOf(data) : [];
  // Comments for fewer readers than the solution has are counted for none of them.
  const shown = Math.max(count, threads.length);
  return (
    <section aria-labelledby="discussion" ref={section}>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
        <h2 id="discussion" className="text-xl">
          Discussion <span className="font-normal text-ink-2">{shown}</span>
        </h2>
        {shown > 1 && (
          <div className="min-w-40 shrink-0 print:hidden">
            <Select
              aria-label="Sort comments"
              value={sort}
              onChange={(event) => setSort(event.target.value === 'oldest' ? 'oldest' : 'newest')}
            >
              <option value="newest">Newest first</option>
              <option value="oldest">Oldest first</option>
            </Select>
          </div>
        )}
      </div>
      <div className="mt-4 print:hidden">
        <CommentForm solutionId={solutionId} onPosted={posted} />
      </div>
      <HeldPosts
        isHere={(post) => post.solution_id === solutionId}
        editor={({ id, content, language }, save, close) => (
          <CommentEditor comment={{ id, content: content ?? '', language }} save={save} onDone={close} />
        )}
      />
      <div role="status" className="sticky top-[120px] z-10 flex justify-center print:hidden">
        {news > 0 && (
          <Button
            variant="primary"
            className="mt-4 rounded-full shadow-menu"
            busy={show.isPending && 'Loading'}
            onClick={() => show.mutate()}
          >
            <span className="icon icon-arrow-up size-4" />
            {news} new {news === 1 ? 'comment' : 'comments'}
          </Button>
        )}
      </div>
      {data ? (
        <Region className="mt-6">
          {() => (
            <ul className="mt-6 flex flex-col gap-6">
              {threads.map((comment) => {
                const cursor = comment.replies.next_cursor;
                return (
                  <CommentItem key={comment.id} comment={toTree(comment)} thread={thread}>
                    {cursor && (
                      <Button
                        className="mt-4"
                        size="small"
                        busy={more.isPending && more.variables.thread === comment.id && 'Loading'}
                        onClick={() => more.mutate({ thread: comment.id, cursor })}
                      >
                        Show more replies
                      </Button>
                    )}
                  </CommentItem>
                );
              })}
            </ul>
          )}
        </Region>
      ) : isError ? (
        <LoadFailed title="Failed to load comments" onRetry={() => void refetch()} className="mt-6" />
      ) : (
        <div className="mt-6 flex gap-3">
          <Skeleton className="size-10 rounded-full" />
          <div className="flex-1">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="mt-2 h-12" />
          </div>
        </div>
      )}
      <MoreButton query={query} className="mt-8 print:hidden">
        {sort === 'newest' ? 'Show older comments' : 'Show newer comments'}
      </MoreButton>
      {removal.dialog}
    </section>
  );
}
