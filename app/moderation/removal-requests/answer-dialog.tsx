import { useState } from 'react';
import { Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import type { RemovalRequest } from './moderation-data.ts';
import { useRemovalRequest } from './use-removal-request.ts';

interface RemovalRequestAnswerDialogProps {
  request: RemovalRequest;
  outcome: 'removed' | 'kept';
  onClose: () => void;
}

/** The decision on a request, with the answer to its sender. */
export function RemovalRequestAnswerDialog({ request, outcome, onClose }: RemovalRequestAnswerDialogProps) {
  const [answer, setAnswer] = useState('');
  const [error, setError] = useState<string>();
  const acting = useRemovalRequest(onClose);
  const keeps = outcome === 'kept';
  const decide = () => {
    const written = answer.trim();
    if (keeps && !written) return setError('Please say why the images can stay');
    acting.mutate({
      id: request.id,
      decision: keeps ? { status: 'kept', answer: written } : { status: 'removed', answer: written || null },
    });
  };
  return (
    <Dialog
      onClose={onClose}
      onSubmit={decide}
      title={keeps ? 'Keep the images' : 'Remove permanently'}
      description={
        keeps
          ? 'The images stay on the site or are shown again. The requester will see your reason.'
          : 'The images and all their files are permanently deleted. The author is notified.'
      }
      action={{
        label: keeps ? 'Keep the images' : 'Remove permanently',
        variant: keeps ? 'primary' : 'danger',
        busy: acting.isPending && (keeps ? 'Keeping' : 'Removing'),
      }}
    >
      <Field label={keeps ? 'Why can they stay?' : 'Message to the requester'} error={error} className="mt-5">
        <Textarea
          rows={4}
          maxLength={2000}
          autoFocus
          value={answer}
          onChange={(event) => setAnswer(event.target.value)}
        />
      </Field>
    </Dialog>
  );
}
