import { useQuery } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { hasFactor, secondStepQuery } from '#app/account/credentials/second-step-data.ts';
import { waitingKinds } from '#app/kinds.ts';
import { queueSummaryQuery } from '#app/moderation/review-queue/data.ts';
import { sum, summarySentence } from '#app/moderation/review-queue/summary-sentence.ts';
import { useLiveQueue } from '#app/moderation/review-queue/use-live-queue.ts';
import type { SettingsDraft } from '#app/moderation/site-settings/settings-form.tsx';
import { useMember, useViewerRetry } from '#app/session.ts';
import { CLOSED, pageTitle, siteSettings } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { keepOnDevice } from '#app/ui/states/keep-on-device.ts';
import { LeaveGuard } from '#app/ui/states/leave-guard.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { lazyPart } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import type { Route } from './+types/admin-page.ts';
import { type DashboardSettings, dashboardContext } from './dashboard-settings.ts';
import { type Section, SectionPanel, SectionTabs } from './section-tabs.tsx';
import { SeedDemoData } from './seed-demo-data.tsx';
import { StepDown } from './step-down.tsx';
import { type Moderator, useModerator } from './use-moderator.ts';

// Each section is loaded when it is opened.
const loading = <Skeleton className="h-96" />;
const StorageDashboard = lazyPart(
  () => import('#app/moderation/storage-usage/storage-dashboard.tsx'),
  'StorageDashboard',
  loading,
);
const ReviewQueue = lazyPart(
  () => import('#app/moderation/review-queue/review-queue.tsx'),
  'ReviewQueue',
  loading,
);
const RemovalRequests = lazyPart(
  () => import('#app/moderation/removal-requests/removal-requests.tsx'),
  'RemovalRequests',
  loading,
);
const UserManagement = lazyPart(
  () => import('#app/moderation/member-management/user-management.tsx'),
  'UserManagement',
  loading,
);
const SiteSettings = lazyPart(
  () => import('#app/moderation/site-settings/site-settings.tsx'),
  'SiteSettings',
  loading,
);
const AuditLog = lazyPart(() => import('#app/moderation/audit-log/audit-log.tsx'), 'AuditLog', loading);

export const handle = CLOSED;

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
  const summary = useQuery({ ...queueSummaryQuery(browserClient), enabled: moderator !== undefined });
  // The line is known before the dashboard is drawn, which it would push down.
  const isKnown = moderator && !secondStep.isPending && !summary.isPending;
  const hasSecondStep = !secondStep.data || hasFactor(secondStep.data);
  const isLocked = !hasSecondStep && siteSettings().staff_second_step;
  return (
    <div className="group/dashboard page py-8 max-lg:has-data-entry:py-4 md:py-10">
      {/* Where there is no room for two panes, an open entry has the page to itself. */}
      <h1 className="text-2xl max-lg:group-has-data-entry/dashboard:sr-only md:text-3xl">Admin Dashboard</h1>
      <p className="mt-2 mb-5 min-h-12 max-lg:group-has-data-entry/dashboard:hidden md:min-h-6 lg:mb-6">
        {isKnown && !isLocked && <WhatWaits />}
        {isKnown && !hasSecondStep && !isLocked && (
          <>
            Two-step sign-in is off:{' '}
            <Link to="/settings#two-step" className="link">
              set it up
            </Link>
          </>
        )}
      </p>
      {isKnown && isLocked ? (
        <EmptyState
          icon={ShieldAlert}
          action={
            <Link to="/settings#two-step" className={buttonClass('primary')}>
              Set up two-step sign-in
            </Link>
          }
        >
          Moderators and admins of this site need two-step sign-in. Set it up to use the dashboard.
        </EmptyState>
      ) : isKnown ? (
        <Dashboard moderator={moderator} settings={loaderData} />
      ) : retry ? (
        <LoadFailed title="Failed to load the dashboard" onRetry={retry} />
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

/** What waits, in one line, which leads to its first. */
function WhatWaits() {
  const summary = useQuery(queueSummaryQuery(browserClient)).data;
  if (!summary) return null;
  const next = summary.at_risk[0] ?? summary.first;
  if (!next) return <span className="text-ink-2">Nothing to review. </span>;
  const { atRisk, rest } = summarySentence(summary);
  return (
    <>
      <Link to={`?tab=queue&item=${next.id}`} className="underline-offset-4 hover:underline">
        {atRisk && <span className="font-bold text-red-ink">{atRisk}</span>}
        {atRisk && rest && ' '}
        {rest && (
          <span className={atRisk ? 'text-ink-2' : classes('font-bold', next.due_at && 'text-amber-ink')}>
            {rest}
          </span>
        )}
      </Link>{' '}
    </>
  );
}

/** The section that a moderator chose last on this device. */
const keyOf = (memberId: string) => `dashboard-section:${memberId}`;
function lastSection(memberId: string): string | null {
  try {
    return localStorage.getItem(keyOf(memberId));
  } catch {
    return null;
  }
}

const waiting = [...waitingKinds.values()];

function Dashboard({ moderator, settings }: { moderator: Moderator; settings: DashboardSettings }) {
  const [params, setParams] = useSearchParams();
  const [last] = useState(() => lastSection(moderator.id));
  const counts = useQuery(queueSummaryQuery(browserClient)).data?.counts;
  useLiveQueue();
  const { isAdmin } = moderator;
  const [draft, setDraft] = useState<SettingsDraft>({});
  const sections: Section[] = [
    { value: 'storage', label: 'Storage Dashboard' },
    { value: 'queue', label: 'Review queue', count: counts && sum(counts), startsGroup: 'Waiting' },
    ...waiting.flatMap(({ kind, section: [value, label], isOffered }) =>
      counts?.[kind] || (isOffered?.() ?? true)
        ? [{ value, label, count: counts && (counts[kind] ?? 0) }]
        : [],
    ),
    ...(isAdmin
      ? [
          { value: 'users', label: 'User Management', startsGroup: 'Site' },
          { value: 'audit', label: 'Audit log' },
          { value: 'settings', label: 'Settings' },
        ]
      : []),
  ];
  const asked = params.get('tab') ?? last;
  const chosen = sections.find(({ value }) => value === asked)?.value ?? 'storage';
  const choose = (tab: string) => {
    keepOnDevice(keyOf(moderator.id), tab);
    setParams({ tab }, { preventScrollReset: true });
  };
  return (
    <SectionTabs
      value={chosen}
      onChange={choose}
      sections={sections}
      last={!isAdmin && <StepDown memberId={moderator.id} />}
    >
      <SectionPanel value="storage">
        <StorageDashboard quota={settings.storageQuota} />
        {isAdmin && settings.demoContent && <SeedDemoData />}
      </SectionPanel>
      <SectionPanel value="queue">
        <ReviewQueue viewer={moderator} />
      </SectionPanel>
      {waiting.map(({ kind, section: [value] }) => (
        <SectionPanel key={value} value={value}>
          {kind === 'removal_request' ? (
            <RemovalRequests>
              <ReviewQueue kind={kind} viewer={moderator} />
            </RemovalRequests>
          ) : (
            <ReviewQueue kind={kind} viewer={moderator} />
          )}
        </SectionPanel>
      ))}
      {isAdmin && (
        <>
          <SectionPanel value="users">
            <UserManagement />
          </SectionPanel>
          <SectionPanel value="audit">
            <AuditLog />
          </SectionPanel>
          <SectionPanel value="settings">
            <SiteSettings draft={draft} onChange={setDraft} />
          </SectionPanel>
          <LeaveGuard isDirty={Object.keys(draft).length > 0} />
        </>
      )}
    </SectionTabs>
  );
}
