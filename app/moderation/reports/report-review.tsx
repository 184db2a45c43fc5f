import { useQuery } from '@tanstack/react-query';
import type { ReviewProps } from '#app/frame/kinds/kind.ts';
import { browserClient } from '#app/supabase.ts';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { useErrorToast } from '#app/ui/surfaces/toast.tsx';
import { type Report, reportedQuery, reportQuery } from './data.ts';
import { ReportItem } from './report-item.tsx';

/** One report of the queue. */
export function ReportReview({ id }: ReviewProps) {
  const query = useQuery(reportQuery(browserClient, id));
  const report = query.data;
  if (!report)
    return <NotLoaded loading="Loading the report" failed="Failed to load content reports" query={query} />;
  return <WithContent report={report} />;
}

function WithContent({ report }: { report: Report }) {
  const { data, isError, refetch } = useQuery(reportedQuery(browserClient, report));
  useErrorToast(isError, 'Failed to fetch content details');
  return (
    <ReportItem
      report={report}
      details={data === undefined && isError ? 'failed' : data}
      onRetry={() => void refetch()}
    />
  );
}
