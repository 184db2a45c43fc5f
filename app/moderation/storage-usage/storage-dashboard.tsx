import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { formatBytes } from '#app/solution/build-files/kinds.ts';
import { browserClient } from '#app/supabase.ts';
import { dateLanguage } from '#app/ui/languages/interface-language.ts';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { activityQuery, filesQuery } from './data.ts';
import { GivenUpFiles } from './given-up-files.tsx';
import { LargestFiles } from './largest-files.tsx';
import { QuotaBar } from './quota-bar.tsx';
import { SolutionsByStatus } from './solutions-by-status.tsx';
import { UploadsChart, UsageChart } from './storage-charts.tsx';
import { formatDays, proTier, storageFigures } from './storage-figures.ts';

const month = new Intl.DateTimeFormat(dateLanguage, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The published media's share of the quota, its growth, and how much the site is used. */
export function StorageDashboard({ quota }: { quota: number }) {
  const files = useQuery(filesQuery(browserClient));
  const activity = useQuery(activityQuery(browserClient));
  const now = files.dataUpdatedAt;
  const figures = files.data && storageFigures(files.data, quota, now);
  const level = figures?.level;

  useEffect(() => {
    if (level === 'warning')
      toast({ tone: 'warning', title: 'Storage Warning', text: 'Storage is at 70% of its quota or more.' });
    if (level === 'critical')
      toast({ tone: 'error', title: 'Storage Critical', text: 'Storage is at 90% of its quota or more.' });
  }, [level]);

  if (!figures || !activity.data)
    return files.isError || activity.isError ? (
      <LoadFailed
        isTold
        title="Failed to load storage statistics"
        onRetry={() => void Promise.all([files.refetch(), activity.refetch()])}
      />
    ) : (
      <div className="flex flex-col gap-6" role="status" aria-label="Loading storage statistics">
        <Skeleton className="h-48" />
        <Skeleton className="h-32" />
        <Skeleton className="h-80" />
      </div>
    );

  const count = files.data.length;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {activity.data.givenUp > 0 && <GivenUpFiles count={activity.data.givenUp} />}
      {figures.level !== 'fine' && (
        <Banner
          tone={figures.level === 'critical' ? 'red' : 'amber'}
          icon={TriangleAlert}
          title={`Storage is ${Math.floor(figures.share * 100)}% full.`}
        >
          {figures.days === 1
            ? 'About 1 day left at the current rate.'
            : `About ${formatDays(figures.days)} days left at the current rate.`}{' '}
          The Pro tier holds {formatBytes(proTier)}.
        </Banner>
      )}
      <QuotaBar sizes={figures.sizes} quota={quota} />
      <dl className="grid overflow-clip rounded-md border bg-surface sm:grid-cols-2 xl:grid-cols-4">
        <Figure
          name="Projected days remaining"
          value={formatDays(figures.days)}
          note="from the last 7 days"
        />
        <Figure
          name="Uploaded in 7 days"
          value={formatBytes(figures.recent.bytes)}
          note={
            figures.recent.files === 1 ? '1 file' : `${figures.recent.files.toLocaleString('en-GB')} files`
          }
        />
        <Figure
          name="Files in solution-media"
          value={count.toLocaleString('en-GB')}
          note={count ? `average ${formatBytes(figures.used / count)}` : 'nothing published yet'}
        />
        <Figure
          name="Page views this month"
          value={activity.data.page_views.toLocaleString('en-GB')}
          note={month.format(now)}
        />
      </dl>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <UploadsChart files={files.data} now={now} />
        <SolutionsByStatus counts={activity.data} />
        <UsageChart files={files.data} now={now} />
        <LargestFiles files={figures.largest} />
      </div>
      <p className="text-sm text-ink-3">
        The quota for published media is {formatBytes(quota)}. The Pro tier holds {formatBytes(proTier)}.
      </p>
    </div>
  );
}

function Figure({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div className="-mt-px -ms-px border-t border-s px-5 py-5 md:px-6">
      <dt className="text-ink-2">{name}</dt>
      <dd className="text-2xl font-bold">{value}</dd>
      <dd className="text-sm text-ink-3">{note}</dd>
    </div>
  );
}
