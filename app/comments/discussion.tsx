import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useSession, useViewer } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/button.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { toast } from '#app/ui/toasts.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentItem } from './comment-item.tsx';
import { type Comment, commentsQuery, countComments, deleteComment } from './data.ts';

const ConfirmDialog = lazy(() =>
  import('#app/ui/confirm-dialog.tsx').then((module) => ({ default: module.ConfirmDialog })),
);

export function Discussion({ solutionId, authorId }: { solutionId: string; authorId: string | null }) {
  const cache = useQueryClient();
  const viewerId = useSession()?.member?.id;
  const isModerator = useViewer()?.isModerator ?? false;
  const { data: comments, isError, refetch } = useQuery(commentsQuery(browserClient, solutionId));
  const [replyingTo, reply] = useState<string | null>(null);
  const [removing, remove] = useState<Comment | null>(null);

  useEffect(() => {
    if (isError) toast({ tone: 'error', title: 'Failed to load comments' });
  }, [isError]);

  const removal = useMutation({
    mutationFn: async (id: string) => deleteComment(await browserClient(), id),
    onSuccess: async () => {
      remove(null);
      toast({ tone: 'success', title: 'Comment deleted successfully' });
      await cache.invalidateQueries({ queryKey: ['comments', solutionId] });
    },
    onError: () => toast({ tone: 'error', title: 'Failed to delete comment' }),
  });

  const thread = { solutionId, authorId, viewerId, isModerator, replyingTo, reply, remove };
  return (
    <section aria-labelledby="discussion">
      <h2 id="discussion" className="text-xl">
        Discussion {comments && <span className="font-normal text-ink-2">{countComments(comments)}</span>}
      </h2>
      <div className="mt-4">
        <CommentForm solutionId={solutionId} />
      </div>
      {comments ? (
        <ul className="mt-6 flex flex-col gap-6">
          {comments.map((comment) => (
            <CommentItem key={comment.id} comment={comment} thread={thread} />
          ))}
        </ul>
      ) : isError ? (
        <div className="mt-6 flex items-center gap-4">
          <p className="text-ink-2">Failed to load comments</p>
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      ) : (
        <div className="mt-6 flex gap-3">
          <Skeleton className="size-10 rounded-full" />
          <div className="flex-1">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="mt-2 h-12" />
          </div>
        </div>
      )}
      {removing && (
        <Suspense>
          <ConfirmDialog
            open
            title="Delete comment"
            question="Are you sure you want to delete this comment?"
            verb="Delete"
            busy={removal.isPending && 'Deleting'}
            onConfirm={() => removal.mutate(removing.id)}
            onClose={() => remove(null)}
          />
        </Suspense>
      )}
    </section>
  );
}
