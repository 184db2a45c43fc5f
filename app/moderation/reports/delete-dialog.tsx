import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#app/errors.ts';
import { useAction } from '#app/frame/act/use-action.ts';
import type { Removal, ReportedContent } from '#app/frame/kinds/reported.ts';
import { useMember } from '#app/session.ts';
import { siteSettings } from '#app/site.ts';
import { ReasonField } from '#app/solution/withdrawals/reason-field.tsx';
import { browserClient } from '#app/supabase.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import type { Report } from './data.ts';
import { AuthenticationRequired, deleteReported } from './report-actions.ts';

interface DeleteDialogProps {
  report: Report;
  /** Undefined when the content is deleted already, and only its reports are left. */
  reported: ReportedContent | undefined;
  removal: Removal;
  onClose: () => void;
}

/** Asks before reported content is deleted, for words to its author and, with a solution, for the reason. */
export function DeleteDialog({ report, reported, removal, onClose }: DeleteDialogProps) {
  const cache = useQueryClient();
  const member = useMember();
  const [message, setMessage] = useState('');
  const [reason, setReason] = useState('');
  const { warning, subject } = removal;
  const removing = useAction({
    act: async () => deleteReported(await browserClient(), { report, reported, removal, message, reason }),
    done: ({ closed }) =>
      closed
        ? 'Content Deleted'
        : { tone: 'warning', title: 'Content deleted but failed to update report status' },
    failed: (error) => ({
      title:
        error instanceof AuthenticationRequired
          ? error.message
          : `Failed to delete content: ${messageOf(error, 'please try again')}`,
      text: undefined,
    }),
    onDone: () => {
      onClose();
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'moderation' });
    },
    refresh: [['moderation']],
  });
  return (
    <Dialog
      onClose={onClose}
      title="Delete Content"
      description={warning}
      onSubmit={() => removing.mutate()}
      action={{ label: 'Delete Content', variant: 'danger', busy: removing.isPending && 'Deleting' }}
    >
      {reported?.authorId && (
        <Field
          label={
            <>
              Message to <bdi dir="auto">{reported.authorName}</bdi>
            </>
          }
          optional
          hint={`Sent as “${subject}”${siteSettings().names_moderators ? '' : ', with your name'}. If you leave this blank they only get a notification.`}
          className="mt-5"
        >
          <Textarea
            dir="auto"
            rows={4}
            maxLength={10000}
            autoFocus
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
        </Field>
      )}
      {reported && report.content_type === 'solution' && (
        <ReasonField isAuthor={reported.authorId === member?.id} value={reason} onChange={setReason} />
      )}
    </Dialog>
  );
}
