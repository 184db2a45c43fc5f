import { useEffect } from 'react';
import { Button } from '#app/ui/controls/button.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { Skeleton } from './skeleton.tsx';

/** Stands for a list while it loads. */
export function LoadingRows({ label }: { label: string }) {
  return (
    <div className="divide-y overflow-clip rounded-md border bg-surface" role="status" aria-label={label}>
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="px-4 py-5 md:px-6">
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="mt-2 h-5 w-4/5" />
        </div>
      ))}
    </div>
  );
}

/** A failed load, reported in a toast and in the list's place. */
export function LoadFailed({ title, onRetry }: { title: string; onRetry: () => void }) {
  useEffect(() => toast({ tone: 'error', title }), [title]);
  return (
    <EmptyState icon="icon-failed" action={<Button onClick={onRetry}>Try again</Button>}>
      {title}
    </EmptyState>
  );
}

interface NotLoadedProps {
  /** For example "the audit log". */
  what: string;
  query: { isError: boolean; refetch: () => Promise<unknown> };
}

/** Stands for a list that is not there yet, or could not be loaded. */
export const NotLoaded = ({ what, query }: NotLoadedProps) =>
  query.isError ? (
    <LoadFailed title={`Failed to load ${what}`} onRetry={() => void query.refetch()} />
  ) : (
    <LoadingRows label={`Loading ${what}`} />
  );
