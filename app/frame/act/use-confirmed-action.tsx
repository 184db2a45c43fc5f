import { useState } from 'react';
import { ConfirmDialog } from '#app/ui/surfaces/lazy-confirm-dialog.ts';
import { type ActionOptions, useAction } from './use-action.ts';

type Asked<Input> = string | ((input: Input) => string);

interface ConfirmedActionOptions<Result, Input> extends ActionOptions<Result, Input> {
  title: Asked<Input>;
  question: Asked<Input>;
  /** The verb on the red button, and its label during the action. */
  verb: string;
  busy: string;
}

/**
 * An action that asks first. Where the `dialog` stands in the page does not matter; it stays open after a failure, and closes
 * once what was asked is done.
 */
export function useConfirmedAction<Result, Input = void>({
  title,
  question,
  verb,
  busy,
  onDone,
  ...options
}: ConfirmedActionOptions<Result, Input>) {
  const [asked, setAsked] = useState<{ input: Input }>();
  const close = () => setAsked(undefined);
  const action = useAction<Result, Input>({
    ...options,
    onDone: (result, input) => {
      close();
      return onDone?.(result, input);
    },
  });
  const dialog = asked && (
    <ConfirmDialog
      title={typeof title === 'function' ? title(asked.input) : title}
      question={typeof question === 'function' ? question(asked.input) : question}
      verb={verb}
      busy={action.isPending && busy}
      onConfirm={() => action.mutate(asked.input)}
      onClose={close}
    />
  );
  return { ...action, ask: (input: Input) => setAsked({ input }), dialog };
}
