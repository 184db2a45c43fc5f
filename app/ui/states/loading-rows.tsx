import { Button } from '#app/ui/controls/button.tsx';
import { useErrorToast } from '#app/ui/surfaces/toast.tsx';
import { Failure } from './region.tsx';
import { Skeleton } from './skeleton.tsx';

/** Stands for a list while it loads. */
function LoadingRows({ label }: { label: string }) {
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

interface LoadFailedProps {
  title: string;
  onRetry: () => void;
  /** Says it in a toast as well, for what the page is about. */
  isTold?: boolean;
  className?: string;
}

/** Stands in the place of what could not be loaded. */
export function LoadFailed({ title, onRetry, isTold = false, className }: LoadFailedProps) {
  useErrorToast(isTold, title);
  return (
    <Failure
      className={className}
      action={
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {title}
    </Failure>
  );
}

interface NotLoadedProps {
  /** For example "Loading the audit log", as screen readers say it. */
  loading: string;
  /** For example "Failed to load the audit log". */
  failed: string;
  query: { isError: boolean; refetch: () => Promise<unknown> };
}

/** Stands for a list that is not there yet, or could not be loaded. */
export const NotLoaded = ({ loading, failed, query }: NotLoadedProps) =>
  query.isError ? (
    <LoadFailed isTold title={failed} onRetry={() => void query.refetch()} />
  ) : (
    <LoadingRows label={loading} />
  );
