import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { browserClient } from '#app/supabase.ts';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { removalRequestsQuery } from './moderation-data.ts';
import { RemovalRequestItem } from './removal-request-item.tsx';

/** Around the queue of requests by people shown in images: how many came in time, and what was decided last. */
export function RemovalRequests({ children }: { children: ReactNode }) {
  const { data, isError, refetch } = useQuery(removalRequestsQuery(browserClient));
  const overdue = data?.open.filter(({ isOverdue }) => isOverdue).length ?? 0;
  const decided = data?.decided ?? [];
  return (
    <div className="flex flex-col gap-6">
      {data ? (
        <dl className="grid grid-cols-3 gap-3 max-lg:group-has-data-entry/dashboard:hidden md:max-w-[620px] md:gap-4">
          <Figure name="Open" value={data.open.length} />
          <Figure name="Overdue, past 24 hours" value={overdue} alarming={overdue > 0} />
          {decided.length > 0 && (
            <Figure name={`In time, of the last ${decided.length}`} value={data.inTime} />
          )}
        </dl>
      ) : (
        isError && (
          <LoadFailed isTold title="Failed to load removal requests" onRetry={() => void refetch()} />
        )
      )}
      {children}
      {decided.length > 0 && (
        <section
          aria-labelledby="decided-removal-requests"
          className="max-lg:group-has-data-entry/dashboard:hidden"
        >
          <h2 id="decided-removal-requests" className="text-xl">
            Decided
          </h2>
          <ul className="mt-3 flex flex-col gap-4">
            {decided.map((request) => (
              <li key={request.id} className="rounded-md border bg-surface px-4 py-5 md:px-6">
                <RemovalRequestItem request={request} />
              </li>
            ))}
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
