import { type FormEvent, useState } from 'react';
import { messageOf } from '#app/errors.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { CodeInput } from '#app/ui/controls/input.tsx';

interface CodeFormProps {
  hint?: string;
  /** The label of the button, and while the code is being checked. */
  verb: string;
  /** Throws with the reason when the code is refused. */
  onSubmit: (code: string) => Promise<void>;
}

/** Takes the six digits that an email brought beside its link. */
export function CodeForm({ hint, verb, onSubmit }: CodeFormProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const digits = code.replaceAll(/\s/g, '');
    if (!digits) return setError('Enter the code from the email');
    setBusy(true);
    setError(undefined);
    try {
      await onSubmit(digits);
    } catch (refusal) {
      setError(messageOf(refusal, 'The code couldn’t be checked. Please try again.'));
    }
    setBusy(false);
  };
  return (
    <form method="dialog" noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <Field label="Code from the email" hint={hint} error={error}>
        <CodeInput
          value={code}
          onChange={(event) => {
            setCode(event.target.value);
            setError(undefined);
          }}
          className="max-w-48"
        />
      </Field>
      <Button type="submit" variant="primary" className="self-start" busy={busy && 'Checking'}>
        {verb}
      </Button>
    </form>
  );
}
