import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { reportContent } from './data.ts';

interface ReportDialogProps {
  /** For example "solution". */
  kind: Parameters<typeof reportContent>[1]['content_type'];
  contentId: string;
  reporterId: string;
  onClose: () => void;
}

/** Asks why the reader reports something, and sends it to the moderators. */
export function ReportDialog({ kind, contentId, reporterId, onClose }: ReportDialogProps) {
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
      toast({ tone: 'success', title: 'Report submitted', text: 'We’ll notify you of the decision.' });
      onClose();
    },
    onError: (error) =>
      toast({ tone: 'error', title: 'Failed to submit report', text: messageOf(error, '') || undefined }),
  });
  const send = () => (reason.trim() ? sending.mutate() : setError('Please provide a reason for the report'));
  return (
    <Dialog
      onClose={onClose}
      title={`Report ${kind}`}
      description="Only moderators will see this. If a patient is identifiable, tell us which image or sentence."
      onSubmit={send}
      action={{ label: 'Submit Report', variant: 'danger', busy: sending.isPending && 'Sending' }}
    >
      <Field label="Reason" error={error} className="mt-5">
        <Textarea maxLength={2000} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </Dialog>
  );
}
