import { useEffect, useEffectEvent, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { messageOf } from '#app/errors.ts';
import { type ActionOptions, useAction } from './use-action.ts';
import { type FormOptions, problemsOf, useForm } from './use-form.ts';

interface KeptFormOptions<Fields extends FieldValues, Output>
  extends Pick<FormOptions<Fields, Output>, 'schema'>,
    ActionOptions<void, Output> {
  /** The form without a draft. */
  base: FormOptions<Fields, Output>['defaultValues'];
  /** What was typed before on this device and not sent. */
  draft: FormOptions<Fields, Output>['defaultValues'] | null;
  /** Keeps what is typed on this device; null for nothing any more. */
  keep: (typed: Fields | null) => void;
}

/** A long form, of which this device keeps what is typed until it has been sent to review. */
export function useKeptForm<Fields extends FieldValues, Output>({
  schema,
  base,
  draft,
  keep,
  onDone,
  ...action
}: KeptFormOptions<Fields, Output>) {
  const [isRestored, setRestored] = useState(draft !== null);
  const form = useForm({ schema, shouldFocusError: false, mode: 'onTouched', defaultValues: draft ?? base });
  const { subscribe, formState } = form;
  const keepTyped = useEffectEvent(keep);
  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => keepTyped(values) }),
    [subscribe],
  );
  const sending = useAction<void, Output>({
    ...action,
    onDone: (nothing, sent) => {
      keep(null);
      return onDone?.(nothing, sent);
    },
  });
  const { error } = sending;
  const attempt = formState.submitCount;
  return {
    form,
    /** What its summary says, once it was tried to send it. */
    summary: {
      attempt,
      problems:
        attempt > 0
          ? [
              ...problemsOf(formState.errors),
              ...(error ? [{ message: messageOf(error, action.fallback ?? '') }] : []),
            ]
          : [],
    },
    // A failure is said in the summary and by a toast.
    submit: form.handleSubmit((fields) => sending.mutateAsync(fields).catch(() => undefined)),
    isRestored,
    discard: () => {
      form.reset(base);
      keep(null);
      setRestored(false);
    },
  };
}
