import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Report, reportedQuery, reportsQuery } from '#app/moderation/reports/data.ts';
import { ReportItem } from '#app/moderation/reports/report-item.tsx';
import { ClaimNotice } from '#app/solution/review/claim-notice.tsx';
import { useClaim } from '#app/solution/review/use-claim.ts';
import { browserClient } from '#app/supabase.ts';
import { LoadFailed, LoadingRows } from '#app/ui/states/loading-rows.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';

/** One report of the queue. */
export function ReportReview({ id }: { id: string }) {
  const { data, isError, refetch } = useQuery(reportsQuery(browserClient));
  const claim = useClaim('report', id);
  const report = data?.find((one) => one.id === id);
  if (isError && !data)
    return <LoadFailed isTold title="Failed to load content reports" onRetry={() => void refetch()} />;
  if (!report) return <LoadingRows label="Loading the report" />;
  return (
    <>
      {claim && <ClaimNotice claim={claim} className="mb-4" />}
      <WithContent report={report} />
    </>
  );
}

function WithContent({ report }: { report: Report }) {
  const { data, isError, refetch } = useQuery(reportedQuery(browserClient, report));
  useEffect(() => {
    if (isError) toast({ tone: 'error', title: 'Failed to fetch content details' });
  }, [isError]);
  return (
    <ReportItem
      report={report}
      details={data === undefined && isError ? 'failed' : data}
      onRetry={() => void refetch()}
    />
  );
}
