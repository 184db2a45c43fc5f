import { useIsMutating, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { countView, topicQuery } from '#app/community/forum/data.ts';
import { ErrorScreen } from '#app/frame/layout/error-screen.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Region } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { topicDeletion } from './delete-content.tsx';
import { Replies } from './replies.tsx';
import { TopicHeader } from './topic-header.tsx';

/** A topic, its replies and a form for a new one. */
export function TopicView({ id }: { id: string }) {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { data: topic, isError, isFetching, refetch } = useQuery(topicQuery(browserClient, id));
  // Who deletes it here knows why it is gone, and is led to the forum by that.
  const isDeleting = useIsMutating({ mutationKey: topicDeletion(id) }) > 0;
  const [isDeletedHere, setDeletedHere] = useState(false);
  if (isDeleting && !isDeletedHere) setDeletedHere(true);
  const missing = topic === null && !isDeletedHere;
  const isLeaving = missing && !isFetching;
  const found = topic != null;

  useEffect(() => {
    if (found) void countView(id);
  }, [found, id]);

  useEffect(() => {
    if (!isLeaving) return;
    toast({
      tone: 'error',
      leads: true,
      title: 'Topic Not Found',
      text: 'Topic not found or has been deleted',
    });
    void navigate('/forum', { replace: true });
  }, [isLeaving, navigate]);

  if (missing) {
    return (
      <ErrorScreen title="Topic Not Found" way={{ to: '/forum', label: 'Back to the forum' }}>
        Topic not found or has been deleted
      </ErrorScreen>
    );
  }
  if (isError && !topic) {
    return (
      <ErrorScreen
        title="Failed to load the topic"
        action={
          <Button variant="primary" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      />
    );
  }
  return (
    <div className="page pt-5 pb-16 md:pt-7">
      <div className="page-column">
        {topic ? (
          <>
            <Region>
              <TopicHeader topic={topic} />
            </Region>
            <Replies key={params.get('post')} topic={topic} at={params.get('post')} />
          </>
        ) : (
          <>
            <Skeleton className="mt-8 h-9 w-4/5" />
            <Skeleton className="mt-4 h-10 w-64" />
            <Skeleton className="mt-6 h-32" />
          </>
        )}
      </div>
    </div>
  );
}
