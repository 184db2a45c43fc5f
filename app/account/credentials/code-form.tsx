import { type FormEvent, useState } from 'react';
import { messageOf } from '#app/errors.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { CodeInput } from '#app/ui/controls/input.tsx';

interface CodeOptions {
  /** Throws with the reason when the code is refused. */
  check: (code: string) => Promise<void>;
  /** Said where nothing was typed; left out where the proof is no code. */
  missing?: string;
  /** Said of an error without words of its own. */
  refused: string;
}

/** A code, or another proof of who acts, that the site checks: what is typed, and why it was refused until it is changed. */
export function useCode({ check, missing, refused }: CodeOptions) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [isPending, setPending] = useState(false);
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (missing && !code.trim()) return setError(missing);
    setPending(true);
    setError(undefined);
    try {
      await check(code);
    } catch (refusal) {
      setError(messageOf(refusal, refused));
    }
    setPending(false);
  };
  return {
    error,
    isPending,
    submit,
    input: {
      value: code,
      onChange: ({ target }: { target: { value: string } }) => {
        setCode(target.value);
        setError(undefined);
      },
    },
  };
}

interface CodeFormProps {
  hint?: string;
  /** The label of the button, and while the code is being checked. */
  verb: string;
  /** Throws with the reason when the code is refused. */
  onSubmit: (code: string) => Promise<void>;
}

/** Takes the six digits that an email brought beside its link. */
export function CodeForm({ hint, verb, onSubmit }: CodeFormProps) {
  const { error, isPending, submit, input } = useCode({
    check: (code) => onSubmit(code.replaceAll(/\s/g, '')),
    missing: 'Enter the code from the email',
    refused: 'The code couldn’t be checked. Please try again.',
  });
  return (
    <form method="dialog" noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <Field label="Code from the email" hint={hint} error={error}>
        <CodeInput {...input} className="max-w-48" />
      </Field>
      <Button type="submit" variant="primary" className="self-start" busy={isPending && 'Checking'}>
        {verb}
      </Button>
    </form>
  );
}
