import { type FormEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { type ActionOptions, useAction } from './use-action.ts';
import { type TypedFields, useLocalDraft } from './use-local-draft.ts';

/** The sentence for each field that is wrong. */
type Problems<Fields> = { [Name in keyof Fields]?: string | undefined };

type TextOf<Fields> = { [Name in keyof Fields]: Fields[Name] extends string ? Name : never }[keyof Fields];

interface FieldsOptions<Fields, Result> extends ActionOptions<Result, Fields> {
  /** Names what is typed on this device, which keeps it until it has been sent; without a name it is not kept. */
  draft?: string | undefined;
  /** Says nothing, and sends nothing, while it is true. */
  isEmpty?: (fields: Fields) => boolean;
  problems?: (fields: Fields) => Problems<Fields>;
  /** Asked when nothing is wrong; false where something else comes first. */
  mayAct?: () => boolean;
}

/** What a form shows and does, for the parts of which it consists. */
export interface FieldsForm<Fields> {
  fields: Fields;
  change: (part: Partial<Fields>) => void;
  /** As the form opened, with no draft. */
  clear: () => void;
  /** Empty until sending was tried; each sentence goes as soon as its field is right. */
  errors: Problems<Fields>;
  /** Makes a control show a text and change it. */
  register: (name: TextOf<Fields>) => {
    value: string;
    onChange: (event: { target: { value: string } }) => void;
  };
  submit: (event?: FormEvent<HTMLFormElement>) => void;
  isPending: boolean;
}

/**
 * A form of a few fields that are checked when it is sent: it sends what is right, one try at a time, and is as
 * it opened once that has arrived; otherwise the first field that is wrong gets the focus. Forms with lists, or whose
 * fields are checked as they are left, have `useForm`, whose library is loaded with them.
 */
export function useFields<Fields extends TypedFields, Result>(
  opened: Fields,
  { draft, isEmpty, problems, mayAct, onDone, ...action }: FieldsOptions<Fields, Result>,
): FieldsForm<Fields> {
  const { fields, change, clearDraft } = useLocalDraft(draft, opened);
  const [isTried, setIsTried] = useState(false);
  const clear = () => {
    clearDraft();
    setIsTried(false);
  };
  const { isPending, mutate } = useAction<Result, Fields>({
    ...action,
    onDone: (result, sent) => {
      clear();
      return onDone?.(result, sent);
    },
  });
  const found = problems?.(fields) ?? {};
  const submit = (event?: FormEvent<HTMLFormElement>) => {
    event?.preventDefault();
    if (isPending || isEmpty?.(fields)) return;
    flushSync(() => setIsTried(true));
    if (Object.values(found).some(Boolean))
      event?.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    else if (mayAct?.() ?? true) mutate(fields);
  };
  return {
    fields,
    change,
    clear,
    errors: isTried ? found : {},
    register: (name) => ({
      value: String(fields[name]),
      onChange: ({ target }) => change({ [name]: target.value } as Partial<Fields>),
    }),
    submit,
    isPending,
  };
}
