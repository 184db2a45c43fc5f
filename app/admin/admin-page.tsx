import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { AuditLog } from '#app/audit-log/audit-log.tsx';
import { UserManagement } from '#app/member-management/user-management.tsx';
import { ContentReports } from '#app/reports/content-reports.tsx';
import { ResourceSuggestions } from '#app/resources/resource-suggestions.tsx';
import { queueCountsQuery } from '#app/review-queue/data.ts';
import { ReviewQueue } from '#app/review-queue/review-queue.tsx';
import { pageTitle } from '#app/site.ts';
import { StorageDashboard } from '#app/storage-usage/storage-dashboard.tsx';
import { browserClient } from '#app/supabase.ts';
import { takedownsQuery } from '#app/takedowns/moderation-data.ts';
import { TakedownRequests } from '#app/takedowns/takedown-requests.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { TabPanel, Tabs } from '#app/ui/tabs.tsx';
import type { Route } from './+types/admin-page.ts';
import { dashboardContext } from './dashboard-settings.ts';
import { SecondStepNotice } from './second-step-notice.tsx';
import { SeedDemoData } from './seed-demo-data.tsx';
import { StepDown } from './step-down.tsx';
import { type Moderator, useModerator } from './use-moderator.ts';

export const meta = () => [{ title: pageTitle('Admin Dashboard') }, { name: 'robots', content: 'noindex' }];

export function loader({ context }: Route.LoaderArgs) {
  return context.get(dashboardContext);
}

export default function AdminPage({ loaderData }: Route.ComponentProps) {
  const moderator = useModerator();
  return (
    <div className="page py-8 md:py-10">
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="text-2xl md:text-3xl">Admin Dashboard</h1>
        {moderator?.isAdmin && loaderData.demoContent && <SeedDemoData />}
        {moderator && !moderator.isAdmin && <StepDown memberId={moderator.id} />}
      </div>
      {moderator && <SecondStepNotice memberId={moderator.id} />}
      {moderator ? (
        <Dashboard moderator={moderator} quota={loaderData.storageQuota} />
      ) : (
        <div className="flex flex-col gap-7" role="status" aria-label="Loading the dashboard">
          <Skeleton className="h-12" />
          <Skeleton className="h-96" />
        </div>
      )}
    </div>
  );
}

function Dashboard({ moderator, quota }: { moderator: Moderator; quota: number }) {
  const [params, setParams] = useSearchParams();
  const counts = useQuery(queueCountsQuery(browserClient)).data;
  const tabs = [
    { value: 'storage', label: 'Storage Dashboard' },
    { value: 'solutions', label: 'Pending Solutions', count: counts?.solution },
    { value: 'resources', label: 'Resource Suggestions', count: counts?.resource },
    { value: 'reports', label: 'Content Reports', count: counts?.report },
    ...(moderator.isAdmin ? [{ value: 'users', label: 'User Management' }] : []),
    { value: 'queue', label: 'Review Queue' },
    {
      value: 'takedowns',
      label: 'Takedown Requests',
      count: useQuery(takedownsQuery(browserClient)).data?.open.length,
    },
    ...(moderator.isAdmin ? [{ value: 'audit', label: 'Audit Log' }] : []),
  ];
  const chosen = tabs.find(({ value }) => value === params.get('tab'))?.value ?? 'storage';
  return (
    <Tabs
      label="Sections of the dashboard"
      value={chosen}
      onChange={(tab) => setParams(tab === 'storage' ? {} : { tab }, { preventScrollReset: true })}
      tabs={tabs}
    >
      <TabPanel value="storage">
        <StorageDashboard quota={quota} />
      </TabPanel>
      <TabPanel value="solutions">
        <ReviewQueue kind="solution" isAdmin={moderator.isAdmin} />
      </TabPanel>
      <TabPanel value="resources">
        <ResourceSuggestions />
      </TabPanel>
      <TabPanel value="reports">
        <ContentReports />
      </TabPanel>
      <TabPanel value="queue">
        <ReviewQueue isAdmin={moderator.isAdmin} />
      </TabPanel>
      <TabPanel value="takedowns">
        <TakedownRequests isAdmin={moderator.isAdmin} memberId={moderator.id} />
      </TabPanel>
      {moderator.isAdmin && (
        <>
          <TabPanel value="users">
            <UserManagement />
          </TabPanel>
          <TabPanel value="audit">
            <AuditLog />
          </TabPanel>
        </>
      )}
    </Tabs>
  );
}
