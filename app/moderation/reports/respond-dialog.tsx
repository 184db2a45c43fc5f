import { TextDialog } from '#app/ui/surfaces/text-dialog.tsx';
import type { Report } from './data.ts';
import { useCloseReport } from './use-close-report.ts';

/** The answer to the person who reported something; sending it closes the report. */
export function RespondDialog({ report, onClose }: { report: Report; onClose: () => void }) {
  const closing = useCloseReport(onClose);
  return (
    <TextDialog
      title="Respond to Report"
      description="This closes the report and sends your response to the reporter."
      label="Response"
      rows={5}
      maxLength={5000}
      missing="Please provide a response"
      action={{ label: 'Send response', busy: closing.isPending && 'Sending' }}
      onSend={(response) =>
        closing.mutate({ id: report.id, outcome: { status: 'resolved', admin_response: response } })
      }
      onClose={onClose}
    />
  );
}
