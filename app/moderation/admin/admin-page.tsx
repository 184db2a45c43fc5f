import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { secondStepQuery } from '#app/account/account/second-step-data.ts';
import { queueCountsQuery } from '#app/moderation/review-queue/data.ts';
import { useLiveQueue } from '#app/moderation/review-queue/use-live-queue.ts';
import { useMember, useViewerRetry } from '#app/session.ts';
import { pageTitle } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { LoadFailedLine } from '#app/ui/states/load-failed-line.tsx';
import { lazyPart } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import type { Route } from './+types/admin-page.ts';
import { dashboardContext } from './dashboard-settings.ts';
import { SecondStepNotice } from './second-step-notice.tsx';
import { type Section, SectionPanel, SectionTabs } from './section-tabs.tsx';
import { SeedDemoData } from './seed-demo-data.tsx';
import { StepDown } from './step-down.tsx';
import { type Moderator, useModerator } from './use-moderator.ts';

// Each section is loaded when it is opened.
const waiting = <Skeleton className="h-96" />;
const StorageDashboard = lazyPart(
  () => import('#app/moderation/storage-usage/storage-dashboard.tsx'),
  'StorageDashboard',
  waiting,
);
const ReviewQueue = lazyPart(
  () => import('#app/moderation/review-queue/review-queue.tsx'),
  'ReviewQueue',
  waiting,
);
const RemovalRequests = lazyPart(
  () => import('#app/moderation/removal-requests/removal-requests.tsx'),
  'RemovalRequests',
  waiting,
);
const UserManagement = lazyPart(
  () => import('#app/moderation/member-management/user-management.tsx'),
  'UserManagement',
  waiting,
);
const AuditLog = lazyPart(() => import('#app/moderation/audit-log/audit-log.tsx'), 'AuditLog', waiting);

export const meta = () => [{ title: pageTitle('Admin Dashboard') }, { name: 'robots', content: 'noindex' }];

export function loader({ context }: Route.LoaderArgs) {
  return context.get(dashboardContext);
}

/** The settings stay as they are while the page is open, whichever section is shown. */
export const shouldRevalidate = () => false;

export default function AdminPage({ loaderData }: Route.ComponentProps) {
  const moderator = useModerator();
  const memberId = useMember()?.id ?? '';
  const retry = useViewerRetry();
  const secondStep = useQuery({ ...secondStepQuery(browserClient, memberId), enabled: memberId !== '' });
  // The notice is known before the dashboard is drawn, which it would push down.
  const isKnown = moderator && !secondStep.isPending;
  return (
    <div className="page py-8 md:py-10">
      <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="text-2xl md:text-3xl">Admin Dashboard</h1>
        {isKnown && moderator.isAdmin && loaderData.demoContent && <SeedDemoData />}
        {isKnown && !moderator.isAdmin && <StepDown memberId={moderator.id} />}
      </div>
      {isKnown && secondStep.data?.apps.length === 0 && <SecondStepNotice />}
      {isKnown ? (
        <Dashboard moderator={moderator} quota={loaderData.storageQuota} />
      ) : retry ? (
        <LoadFailedLine title="Failed to load the dashboard" onRetry={retry} />
      ) : (
        <div
          className="grid gap-x-6 gap-y-6 lg:grid-cols-[208px_minmax(0,1fr)]"
          role="status"
          aria-label="Loading the dashboard"
        >
          <Skeleton className="h-12 lg:h-80" />
          <Skeleton className="h-96" />
        </div>
      )}
    </div>
  );
}

function Dashboard({ moderator, quota }: { moderator: Moderator; quota: number }) {
  const [params, setParams] = useSearchParams();
  const counts = useQuery(queueCountsQuery(browserClient)).data;
  useLiveQueue();
  const { isAdmin } = moderator;
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  const sections: Section[] = [
    { value: 'storage', label: 'Storage Dashboard' },
    { value: 'queue', label: 'Review Queue', count: all, startsGroup: true },
    { value: 'solutions', label: 'Pending Solutions', count: counts?.solution },
    { value: 'resources', label: 'Resource Suggestions', count: counts?.resource },
    { value: 'reports', label: 'Content Reports', count: counts?.report },
    { value: 'removal-requests', label: 'Removal Requests', count: counts?.removal_request },
    ...(isAdmin
      ? [
          { value: 'users', label: 'User Management', startsGroup: true },
          { value: 'audit', label: 'Audit Log' },
        ]
      : []),
  ];
  const chosen = sections.find(({ value }) => value === params.get('tab'))?.value ?? 'storage';
  return (
    <SectionTabs
      value={chosen}
      onChange={(tab) => setParams(tab === 'storage' ? {} : { tab }, { preventScrollReset: true })}
      sections={sections}
    >
      <SectionPanel value="storage">
        <StorageDashboard quota={quota} />
      </SectionPanel>
      <SectionPanel value="queue">
        <ReviewQueue viewer={moderator} />
      </SectionPanel>
      <SectionPanel value="solutions">
        <ReviewQueue kind="solution" viewer={moderator} />
      </SectionPanel>
      <SectionPanel value="resources">
        <ReviewQueue kind="resource" viewer={moderator} />
      </SectionPanel>
      <SectionPanel value="reports">
        <ReviewQueue kind="report" viewer={moderator} />
      </SectionPanel>
      <SectionPanel value="removal-requests">
        <RemovalRequests isAdmin={isAdmin} memberId={moderator.id} />
      </SectionPanel>
      {isAdmin && (
        <>
          <SectionPanel value="users">
            <UserManagement />
          </SectionPanel>
          <SectionPanel value="audit">
            <AuditLog />
          </SectionPanel>
        </>
      )}
    </SectionTabs>
  );
}
