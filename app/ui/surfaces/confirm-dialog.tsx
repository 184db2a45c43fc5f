import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  question: string;
  /** The verb on the red button, and its label during the action. */
  verb: string;
  busy?: string | false;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({ title, question, verb, busy, onConfirm, onClose }: ConfirmDialogProps) {
  return (
    <Dialog
      onClose={onClose}
      title={title}
      description={question}
      onSubmit={onConfirm}
      action={{ label: verb, variant: 'danger', busy }}
    />
  );
}
