import { useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { MAX_LENGTHS, type Register, saveRegister } from './data.ts';

const fields = [
  { name: 'name', label: 'Name', missing: 'Name is required' },
  { name: 'country', label: 'Country', missing: 'Country is required' },
  { name: 'professions', label: 'Professions', missing: 'Professions are required' },
  {
    name: 'search_url',
    label: 'Address of its public search',
    missing: 'Address of its public search is required',
    hint: 'Starts with https://. Moderators look members up there.',
  },
] as const;

const EMPTY: Register = {
  code: '',
  name: '',
  country: '',
  professions: '',
  search_url: '',
  is_retired: false,
};

interface RegisterDialogProps {
  /** The one that is changed; a new one without. */
  register: Register | undefined;
  onClose: () => void;
}

/** Adds or changes a register. */
export function RegisterDialog({ register, onClose }: RegisterDialogProps) {
  const [typed, setTyped] = useState(register ?? EMPTY);
  const [isTried, setIsTried] = useState(false);
  const saving = useAction({
    act: async () => {
      const texts = fields.map(({ name }) => [name, typed[name].trim()]);
      await saveRegister(await browserClient(), !register, {
        ...typed,
        ...Object.fromEntries(texts),
        code: typed.code.trim(),
      });
    },
    done: register ? 'Register changed' : 'Register added',
    failed: 'Failed to save the register',
    onDone: onClose,
    refresh: [['registers']],
  });
  const found: Partial<Record<keyof Register, string>> = {};
  if (!/^\s*[A-Z][A-Za-z-]{1,11}\s*$/.test(typed.code))
    found.code = 'Use 2 to 12 letters, beginning with a capital';
  for (const { name, missing } of fields) if (!typed[name].trim()) found[name] = missing;
  if (!found.search_url && !/^https:\/\/[a-z0-9.-]+\//.test(typed.search_url.trim()))
    found.search_url = 'Enter the whole address, such as https://register.example/search';
  const errors = isTried ? found : {};
  const submit = () => {
    setIsTried(true);
    if (Object.keys(found).length === 0) saving.mutate();
  };
  const inputOf = (name: Exclude<keyof Register, 'is_retired'>) => (
    <Input
      value={typed[name]}
      maxLength={MAX_LENGTHS[name]}
      onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
      autoComplete="off"
    />
  );
  return (
    <Dialog
      title={register ? `Edit ${register.code}` : 'Add a register'}
      onClose={onClose}
      onSubmit={submit}
      action={{ label: 'Save', busy: saving.isPending && 'Saving' }}
    >
      <div className="mt-5 flex flex-col gap-5">
        {!register && (
          <Field
            label="Short name"
            hint="Shown on badges, such as HCPC. It can’t be changed later."
            error={errors.code}
          >
            {inputOf('code')}
          </Field>
        )}
        {fields.map(({ name, label, missing: _, ...field }) => (
          <Field key={name} label={label} {...field} error={errors[name]}>
            {inputOf(name)}
          </Field>
        ))}
      </div>
    </Dialog>
  );
}
