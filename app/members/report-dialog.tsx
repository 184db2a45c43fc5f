import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { Textarea } from '#app/ui/input.tsx';
import { toast } from '#app/ui/toast.tsx';
import { reportContent } from './data.ts';

interface ReportDialogProps {
  /** For example "solution". */
  kind: Parameters<typeof reportContent>[1]['content_type'];
  contentId: string;
  reporterId: string;
  onClose: () => void;
}

export function ReportDialog({ kind, contentId, reporterId, onClose }: ReportDialogProps) {
  const formId = useId();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const sending = useMutation({
    mutationFn: async () =>
      reportContent(await browserClient(), {
        reporter_id: reporterId,
        content_type: kind,
        content_id: contentId,
        reason: reason.trim(),
      }),
    onSuccess: () => {
      toast({ tone: 'success', title: 'Report submitted', text: 'A moderator will review it' });
      onClose();
    },
    onError: () => toast({ tone: 'error', title: 'Failed to submit report' }),
  });
  const send = () => (reason.trim() ? sending.mutate() : setError('Please provide a reason for the report'));
  return (
    <Dialog
      onClose={onClose}
      title={`Report ${kind}`}
      description="Only moderators see your report. If a patient can be recognised, tell us which image or sentence."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="danger" busy={sending.isPending && 'Sending'}>
            Submit Report
          </Button>
        </>
      }
    >
      <form
        id={formId}
        method="dialog"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!sending.isPending) send();
        }}
      >
        <Field label="Reason" error={error} className="mt-5">
          {(control) => (
            <Textarea
              {...control}
              dir="auto"
              maxLength={2000}
              value={reason}
              onChange={(event) => {
                setReason(event.target.value);
                setError(undefined);
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
