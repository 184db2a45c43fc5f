import { useState } from 'react';
import { Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import type { Report } from './data.ts';
import { useCloseReport } from './use-close-report.ts';

/** The answer to the person who reported something; sending it closes the report. */
export function RespondDialog({ report, onClose }: { report: Report; onClose: () => void }) {
  const [response, setResponse] = useState('');
  const [error, setError] = useState<string>();
  const closing = useCloseReport(onClose);
  const respond = () =>
    response.trim()
      ? closing.mutate({
          id: report.id,
          outcome: { status: 'resolved', admin_response: response.trim() },
        })
      : setError('Please provide a response');
  return (
    <Dialog
      onClose={onClose}
      title="Respond to Report"
      description="This closes the report and sends your response to the reporter."
      onSubmit={respond}
      action={{ label: 'Send Response', busy: closing.isPending && 'Sending' }}
    >
      <Field label="Response" error={error} className="mt-5">
        <Textarea
          dir="auto"
          rows={5}
          maxLength={5000}
          autoFocus
          value={response}
          onChange={(event) => setResponse(event.target.value)}
        />
      </Field>
    </Dialog>
  );
}
