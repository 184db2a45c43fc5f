import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { browserClient } from '#app/supabase.ts';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { removalRequestsQuery } from './moderation-data.ts';
import { RemovalRequestItem } from './removal-request-item.tsx';

/** Requests by people shown in pictures, the longest waiting first; the one an alert leads to is on top. */
export function RemovalRequests({ isAdmin, memberId }: { isAdmin: boolean; memberId: string }) {
  const { data, isError, refetch } = useQuery(removalRequestsQuery(browserClient));
  const requestedId = useSearchParams()[0].get('request');
  if (!data)
    return (
      <NotLoaded
        loading="Loading removal requests"
        failed="Failed to load removal requests"
        query={{ isError, refetch }}
      />
    );
  const { open, decided, inTime } = data;
  const overdue = open.filter(({ isOverdue }) => isOverdue).length;
  const chosen = [...open, ...decided].find(({ id }) => id === requestedId);
  const others = open.filter(({ id }) => id !== chosen?.id);
  const item = (request: (typeof open)[number]) => (
    <RemovalRequestItem
      key={request.id}
      request={request}
      isChosen={request.id === chosen?.id}
      mayKeep={isAdmin || request.authorId !== memberId}
    />
  );
  return (
    <div className="flex flex-col gap-8">
      <dl className="grid grid-cols-3 gap-3 md:max-w-[620px] md:gap-4">
        <Figure name="Open" value={open.length} />
        <Figure name="Overdue, past 24 hours" value={overdue} alarming={overdue > 0} />
        {decided.length > 0 && <Figure name={`In time, of the last ${decided.length}`} value={inTime} />}
      </dl>
      {!chosen && open.length === 0 ? (
        <EmptyState icon={ShieldCheck}>No removal requests to review</EmptyState>
      ) : (
        <ul aria-label="Open removal requests" className="flex flex-col gap-4">
          {chosen && item(chosen)}
          {others.map(item)}
        </ul>
      )}
      {decided.some(({ id }) => id !== chosen?.id) && (
        <section aria-labelledby="decided-removal-requests">
          <h2 id="decided-removal-requests" className="text-xl">
            Decided
          </h2>
          <ul className="mt-3 flex flex-col gap-4">
            {decided.filter(({ id }) => id !== chosen?.id).map(item)}
          </ul>
        </section>
      )}
    </div>
  );
}

function Figure({ name, value, alarming }: { name: string; value: number; alarming?: boolean }) {
  return (
    <div className="flex flex-col-reverse justify-end rounded-md border bg-surface px-4 py-3">
      <dt className="text-sm text-ink-3">{name}</dt>
      <dd className={`text-xl font-bold tabular-nums ${alarming ? 'text-red-ink' : ''}`}>{value}</dd>
    </div>
  );
}
