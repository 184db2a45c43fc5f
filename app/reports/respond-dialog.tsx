import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { Textarea } from '#app/ui/input.tsx';
import type { Report } from './data.ts';
import { useCloseReport } from './use-close-report.ts';

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
      description="Your response closes the report and reaches whoever made it as a message."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={closing.isPending && 'Sending'} onClick={respond}>
            Send Response
          </Button>
        </>
      }
    >
      <Field label="Response" error={error} className="mt-5">
        {(control) => (
          <Textarea
            {...control}
            rows={5}
            maxLength={5000}
            autoFocus
            value={response}
            onChange={(event) => setResponse(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
