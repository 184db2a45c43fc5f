import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Input, Select } from '#app/ui/controls/input.tsx';
import { useDirtyReport } from '#app/ui/states/leave-guard.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { MAX_NUMBER, type OwnRegistration, registersQuery, submitRegistration } from './data.ts';

interface RegistrationFormProps {
  userId: string;
  /** What is stated so far. */
  stored: OwnRegistration | null;
  onDirtyChange: (isDirty: boolean) => void;
  /** Left out where there is nothing to go back to. */
  onClose: (() => void) | undefined;
  onSaved: () => void;
}

/** As the database has it. */
const NUMBER = /^[A-Za-z0-9][A-Za-z0-9 ./-]{0,39}$/;

/** Register and number of a member, to state or to correct. */
export function RegistrationForm({ userId, stored, onDirtyChange, onClose, onSaved }: RegistrationFormProps) {
  const registers = useQuery(registersQuery(browserClient));
  const [register, setRegister] = useState(stored?.register ?? '');
  const [number, setNumber] = useState(stored?.number ?? '');
  const [isTried, setIsTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useDirtyReport(register !== (stored?.register ?? '') || number !== (stored?.number ?? ''), onDirtyChange);

  const saving = useAction({
    act: async () => submitRegistration(await browserClient(), userId, { register, number: number.trim() }),
    done: { title: 'Registration submitted', text: 'A moderator will look it up in the public register.' },
    failed: 'Failed to submit your registration',
    fallback: 'Please try again',
    onDone: onSaved,
    refresh: [['viewer']],
  });
  const typed = number.trim();
  const wrong: { register?: string; number?: string } = {
    ...(!register && { register: 'Please choose a register from the list' }),
    ...(!typed
      ? { number: 'Registration number is required' }
      : !NUMBER.test(typed) && {
          number: 'Use up to 40 letters, digits, spaces, dots, hyphens or slashes',
        }),
  };
  const errors = isTried ? wrong : {};
  const submit = () => {
    if (saving.isPending) return;
    setIsTried(true);
    const [first] = Object.keys(wrong);
    if (first) return form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
    saving.mutate();
  };

  if (registers.isError)
    return <LoadFailed title="Failed to load the registers" onRetry={() => void registers.refetch()} />;
  if (registers.isPending) return <Skeleton className="h-56" />;
  const countries = [...new Set(registers.data.map(({ country }) => country))];
  const chosen = registers.data.find(({ code }) => code === register);
  return (
    <form
      ref={form}
      method="dialog"
      noValidate
      aria-label="Registration"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="mt-5 flex flex-col gap-5 first:mt-0"
    >
      <Field label="Register" error={errors.register} note={chosen?.professions}>
        <Select
          name="register"
          autoFocus={stored !== null}
          value={register}
          onChange={(event) => setRegister(event.target.value)}
        >
          <option value="">Choose a register</option>
          {countries.map((country) => (
            <optgroup key={country} label={country}>
              {registers.data
                .filter((one) => one.country === country)
                .map(({ code, name }) => (
                  <option key={code} value={code}>
                    {name.startsWith(code) ? name : `${code}: ${name}`}
                  </option>
                ))}
            </optgroup>
          ))}
        </Select>
      </Field>
      <Field
        label="Registration number"
        hint="As shown in the register. Only you and the moderators see it."
        error={errors.number}
        note="Yours isn’t listed? Contact us, and we’ll add the register."
      >
        <Input
          name="number"
          value={number}
          onChange={(event) => setNumber(event.target.value)}
          maxLength={MAX_NUMBER}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      </Field>
      <div className="flex flex-wrap gap-3">
        {onClose && <Button onClick={onClose}>Cancel</Button>}
        <Button type="submit" variant="primary" busy={saving.isPending && 'Submitting'}>
          Submit registration
        </Button>
      </div>
    </form>
  );
}
