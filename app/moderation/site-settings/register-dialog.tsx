import { useFields } from '#app/frame/act/use-fields.ts';
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
  const form = useFields(register ?? EMPTY, {
    problems(typed) {
      const found: Partial<Record<keyof Register, string>> = {};
      if (!/^\s*[A-Z][A-Za-z-]{1,11}\s*$/.test(typed.code))
        found.code = 'Use 2 to 12 letters, beginning with a capital';
      for (const { name, missing } of fields) if (!typed[name].trim()) found[name] = missing;
      if (!found.search_url && !/^https:\/\/[a-z0-9.-]+\//.test(typed.search_url.trim()))
        found.search_url = 'Enter the whole address, such as https://register.example/search';
      return found;
    },
    act: async (typed) => {
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
  const inputOf = (name: Exclude<keyof Register, 'is_retired'>) => (
    <Input {...form.register(name)} maxLength={MAX_LENGTHS[name]} autoComplete="off" />
  );
  return (
    <Dialog
      title={register ? `Edit ${register.code}` : 'Add a register'}
      onClose={onClose}
      onSubmit={form.submit}
      action={{ label: 'Save', busy: form.isPending && 'Saving' }}
    >
      <div className="mt-5 flex flex-col gap-5">
        {!register && (
          <Field
            label="Short name"
            hint="Shown on badges, such as HCPC. It can’t be changed later."
            error={form.errors.code}
          >
            {inputOf('code')}
          </Field>
        )}
        {fields.map(({ name, label, missing: _, ...field }) => (
          <Field key={name} label={label} {...field} error={form.errors[name]}>
            {inputOf(name)}
          </Field>
        ))}
      </div>
    </Dialog>
  );
}
