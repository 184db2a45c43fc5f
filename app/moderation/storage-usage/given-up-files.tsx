import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FileX } from 'lucide-react';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { activityQuery, retryMediaJobs } from './data.ts';

/** Says that files could not be moved or removed, and lets a moderator have it tried again. */
export function GivenUpFiles({ count }: { count: number }) {
  const cache = useQueryClient();
  const retry = useMutation({
    mutationFn: async () => retryMediaJobs(await browserClient()),
    onSuccess: () => cache.invalidateQueries({ queryKey: activityQuery(browserClient).queryKey }),
    onError: () => toast({ tone: 'error', title: 'Failed to try again', text: 'Please try again.' }),
  });
  return (
    <Banner
      tone="red"
      icon={FileX}
      title={`${count === 1 ? 'The files of one decision' : `The files of ${count.toLocaleString('en-GB')} decisions`} could not be moved or removed.`}
    >
      The site has tried for a day. An image that was taken back may still be public, or one that was approved
      not be seen. The log of the site says why.
      <div className="mt-3">
        <Button size="bar" busy={retry.isPending && 'Trying again'} onClick={() => retry.mutate()}>
          Try again
        </Button>
      </div>
    </Banner>
  );
}
