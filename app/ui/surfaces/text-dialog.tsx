import { type ComponentProps, type ReactNode, useState } from 'react';
import { Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { Dialog } from './dialog.tsx';

interface TextDialogProps extends Pick<ComponentProps<typeof Dialog>, 'title' | 'description' | 'action'> {
  label: ReactNode;
  hint?: string;
  rows?: number;
  maxLength: number;
  /** What is in the field at first. */
  written?: string | undefined;
  /** The error where nothing was typed; without one the text is optional. */
  missing?: string | undefined;
  /** Above the field; it may change what is typed. */
  proposals?: (change: (next: (typed: string) => string) => void) => ReactNode;
  /** Says why no text is asked for; it may become known while the dialog is open, which stays the same. */
  instead?: Pick<ComponentProps<typeof Dialog>, 'title' | 'description' | 'actions'> | false | undefined;
  /** Below the field. */
  children?: ReactNode;
  onSend: (text: string) => void;
  onClose: () => void;
}

/** A dialog that asks for one text. */
export function TextDialog({
  label,
  hint,
  rows = 4,
  maxLength,
  written = '',
  missing,
  proposals,
  instead,
  children,
  onSend,
  ...dialog
}: TextDialogProps) {
  const [text, setText] = useState(written);
  const [isTried, setIsTried] = useState(false);
  if (instead) return <Dialog {...instead} onClose={dialog.onClose} />;
  const error = text.trim() ? undefined : missing;
  return (
    <Dialog {...dialog} onSubmit={() => (error ? setIsTried(true) : onSend(text.trim()))}>
      {proposals?.(setText)}
      <Field label={label} hint={hint} error={isTried ? error : undefined} className="mt-5">
        <Textarea
          rows={rows}
          maxLength={maxLength}
          autoFocus
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      {children}
    </Dialog>
  );
}
