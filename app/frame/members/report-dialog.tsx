import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { TextDialog } from '#app/ui/surfaces/text-dialog.tsx';
import { AlreadyReported, hasReportedQuery, reportContent } from './data.ts';

interface ReportDialogProps {
  /** That of the noun's `kind.ts`. */
  kind: string;
  title: string;
  contentId: string;
  reporterId: string;
  /** Whether it has images of which can be said that they show a patient. */
  hasImages?: boolean;
  /** Whether the reporter says that someone was hurt, or could have been. */
  tellsOfHarm?: boolean;
  /** Below the reason. */
  children?: ReactNode;
  onClose: () => void;
}

/** Asks why the reader reports something, and sends it to the moderators. */
export function ReportDialog({
  kind,
  title,
  contentId,
  reporterId,
  hasImages,
  tellsOfHarm,
  children,
  onClose,
}: ReportDialogProps) {
  const [showsPatient, setShowsPatient] = useState(false);
  const sending = useAction({
    act: async (reason: string) =>
      reportContent(await browserClient(), {
        reporter_id: reporterId,
        content_type: kind,
        content_id: contentId,
        reason,
        ...(showsPatient && { shows_patient: true }),
        ...(tellsOfHarm && { tells_of_harm: true }),
      }),
    done: { title: 'Report submitted', text: 'We’ll notify you of the decision.' },
    failed: (error) => (error instanceof AlreadyReported ? 'Already reported' : 'Failed to submit report'),
    onDone: onClose,
  });
  const reported = useQuery(hasReportedQuery(browserClient, reporterId, { kind, id: contentId })).data;
  return (
    <TextDialog
      title={title}
      description="Only moderators will see this. If a patient is identifiable, tell us which image or sentence."
      label="Reason"
      maxLength={2000}
      instead={
        reported && {
          title: 'Already reported',
          description: 'Your report is waiting for a moderator. We’ll notify you of the decision.',
          actions: (
            <>
              <Button onClick={onClose}>Close</Button>
              <Link to="/reports" className={buttonClass('primary')}>
                My reports
              </Link>
            </>
          ),
        }
      }
      missing="Please provide a reason for the report"
      action={{ label: 'Submit report', variant: 'danger', busy: sending.isPending && 'Sending' }}
      onSend={sending.mutate}
      onClose={onClose}
    >
      <Checkbox checked={showsPatient} onChange={({ target }) => setShowsPatient(target.checked)}>
        {hasImages ? 'A patient can be recognised in an image' : 'A patient can be recognised'}
      </Checkbox>
      {children}
    </TextDialog>
  );
}
