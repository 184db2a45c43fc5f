import { FileX } from 'lucide-react';
import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { activityQuery, retryMediaJobs } from './data.ts';

/** Says that files could not be moved or removed, and lets a moderator have it tried again. */
export function GivenUpFiles({ count }: { count: number }) {
  const retry = useAction({
    act: async () => retryMediaJobs(await browserClient()),
    failed: { title: 'The files couldn’t be queued again', text: 'Please try again.' },
    refresh: [activityQuery(browserClient).queryKey],
  });
  return (
    <Banner
      tone="red"
      icon={FileX}
      title={`${count === 1 ? 'The files of one decision' : `The files of ${count.toLocaleString('en-GB')} decisions`} could not be moved or removed.`}
    >
      The site has tried for a day. An image that was withdrawn may still be public, or one that was approved
      may not be visible. The site’s log says why.
      <div className="mt-3">
        <Button size="bar" busy={retry.isPending && 'Trying again'} onClick={() => retry.mutate()}>
          Try again
        </Button>
      </div>
    </Banner>
  );
}
