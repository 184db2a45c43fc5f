import { useQuery } from '@tanstack/react-query';
import { Flag, Link2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { authorName } from '#app/frame/members/names.ts';
import { reportedKinds } from '#app/kinds.ts';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { CLOSED, pageTitle } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { type OwnReport, type OwnSuggestion, ownReportsQuery } from './own-data.ts';

export const handle = CLOSED;

export const meta = () => [
  { title: pageTitle('My reports and suggestions') },
  { name: 'robots', content: 'noindex' },
];

const states = {
  pending: { tone: 'amber', label: 'Waiting for review' },
  resolved: { tone: 'ok', label: 'Answered' },
  dismissed: { tone: 'neutral', label: 'Closed, no action needed' },
  approved: { tone: 'ok', label: 'Listed on Resources' },
  rejected: { tone: 'neutral', label: 'Not added' },
} as const;

const State = ({ status }: { status: string }) => {
  const { tone, label } = states[status as keyof typeof states] ?? states.pending;
  return <Badge tone={tone}>{label}</Badge>;
};

/** What the member reported and suggested, and what moderators decided. */
export default function OwnReportsPage() {
  const member = useRequiredMember();
  const { data, isError, refetch } = useQuery({
    ...ownReportsQuery(browserClient, member?.id ?? ''),
    enabled: member !== undefined,
  });
  return (
    <div className="page py-8 md:py-10">
      <div className="page-column">
        <h1 className="text-2xl md:text-3xl">My reports and suggestions</h1>
        {data ? (
          <>
            <Section title="Reports">
              {data.reports.length > 0 ? (
                <List>
                  {data.reports.map((report) => (
                    <Report key={report.id} report={report} />
                  ))}
                </List>
              ) : (
                <EmptyState icon={Flag}>You haven’t reported anything.</EmptyState>
              )}
            </Section>
            <Section title="Suggested resources">
              {data.suggestions.length > 0 ? (
                <List>
                  {data.suggestions.map((suggestion) => (
                    <Suggestion key={suggestion.id} suggestion={suggestion} />
                  ))}
                </List>
              ) : (
                <EmptyState
                  icon={Link2}
                  action={
                    <Link to="/resources" className={buttonClass()}>
                      See all resources
                    </Link>
                  }
                >
                  You haven’t suggested a resource.
                </EmptyState>
              )}
            </Section>
          </>
        ) : (
          <div className="mt-6">
            <NotLoaded
              loading="Loading your reports and suggestions"
              failed="Failed to load your reports and suggestions"
              query={{ isError, refetch }}
            />
          </div>
        )}
      </div>
    </div>
  );
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="mt-8">
    <h2 className="mb-3 text-xl">{title}</h2>
    {children}
  </section>
);

const List = ({ children }: { children: ReactNode }) => (
  <ul className="divide-y overflow-clip rounded-md border bg-surface">{children}</ul>
);

const Day = ({ of }: { of: string }) => (
  <time dateTime={of} className="text-sm whitespace-nowrap text-ink-3">
    {formatDay(of)}
  </time>
);

/** The page of what was reported, where it has one of its own and is still there. */
function pathOf({ content_type, content_id, title }: OwnReport): string | undefined {
  if (title?.startsWith('Deleted ')) return undefined;
  if (content_type === 'solution') return `/solutions/${content_id}`;
  return content_type === 'topic' ? `/forum/${content_id}` : undefined;
}

function Report({ report }: { report: OwnReport }) {
  const { content_type, title, reason, status, admin_response, created_at, resolver, resolved_at } = report;
  const path = pathOf(report);
  return (
    <li className="px-4 py-5 md:px-6">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-sm text-ink-3">{reportedKinds.get(content_type)?.name ?? 'Content'}</span>
        <State status={status} />
        <Day of={created_at} />
      </p>
      <h3 dir="auto" className="mt-1 wrap-anywhere">
        {path ? (
          <Link to={path} className="link">
            {title}
          </Link>
        ) : (
          title
        )}
      </h3>
      <p {...asWritten(reason)} className="mt-2 max-w-[66ch] whitespace-pre-line wrap-anywhere">
        {reason}
      </p>
      {resolved_at && (
        <div className="mt-3 max-w-[66ch] border-s-2 border-line-2 ps-4">
          <p className="text-sm text-ink-2">
            <bdi dir="auto">{resolver ? authorName(resolver.id, resolver) : 'A moderator'}</bdi>,{' '}
            {formatDay(resolved_at)}
          </p>
          <p dir="auto" className="mt-1 whitespace-pre-line wrap-anywhere">
            {admin_response ?? (status === 'resolved' ? 'The content was removed.' : 'No action was needed.')}
          </p>
        </div>
      )}
    </li>
  );
}

function Suggestion({ suggestion }: { suggestion: OwnSuggestion }) {
  const { resource_name, resource_url, category, status, rejection_reason, created_at } = suggestion;
  return (
    <li className="px-4 py-5 md:px-6">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span dir="auto" className="font-bold wrap-anywhere">
          {resource_name}
        </span>
        <State status={status} />
        <Day of={created_at} />
      </p>
      <p className="mt-1 text-sm text-ink-2 wrap-anywhere">
        {category} · {resource_url}
      </p>
      {rejection_reason && (
        <div className="mt-3 max-w-[66ch] border-s-2 border-line-2 ps-4">
          <p className="text-sm text-ink-2">Why it was not added</p>
          <p {...asWritten(rejection_reason)} className="mt-1 whitespace-pre-line wrap-anywhere">
            {rejection_reason}
          </p>
        </div>
      )}
    </li>
  );
}
