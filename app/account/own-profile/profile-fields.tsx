import type { UseFormReturn } from 'react-hook-form';
import { browserClient } from '#app/supabase.ts';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { Field, FieldGroup, Optional } from '#app/ui/controls/field.tsx';
import { Input, Textarea } from '#app/ui/controls/input.tsx';
import { knownText } from '#app/ui/languages/known-text.ts';
import { LanguageChoice } from '#app/ui/languages/language-choice.tsx';
import { nameRefusals } from './data.ts';
import type { ProfileForm } from './form-schema.ts';
import { interestOptions, professions } from './rules.ts';

/** The fields of a profile, shared by the first completion and later edits. */
export function ProfileFields({
  form,
  email,
}: {
  form: UseFormReturn<ProfileForm>;
  /** Shown, but not changed here. */
  email?: string | undefined;
}) {
  const { register, formState, getFieldState, setError, getValues } = form;
  const { errors } = formState;
  const error = (name: keyof ProfileForm) => errors[name]?.message;

  // Checked early for the member's convenience; the database decides when the profile is saved.
  const checkName = async (field: 'username' | 'full_name') => {
    const name = getValues(field).trim();
    if (!name || getFieldState(field).invalid) return;
    const names = { username: '', full_name: '', [field]: name };
    const refusals = await nameRefusals(await browserClient(), names.username, names.full_name).catch(
      () => null,
    );
    const message = refusals?.[field];
    if (message && getValues(field).trim() === name) setError(field, { message });
  };

  return (
    <>
      <div className="grid items-end gap-x-6 gap-y-6 md:grid-cols-2">
        <Field id="username" label="Username" hint="Shown in links to your profile" error={error('username')}>
          <Input
            {...register('username', { onBlur: () => void checkName('username') })}
            autoComplete="nickname"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        {email && (
          <Field id="email" label="Email" hint="Never shown to others. Change it in Settings.">
            <Input value={email} readOnly autoComplete="email" />
          </Field>
        )}
        <Field
          id="full_name"
          label="Full name"
          hint="Shown next to everything you post"
          error={error('full_name')}
        >
          <Input
            {...register('full_name', { onBlur: () => void checkName('full_name') })}
            autoComplete="name"
          />
        </Field>
        <Field id="profession" label="Profession" optional error={error('profession')}>
          <Input {...register('profession')} list="professions" autoComplete="organization-title" />
        </Field>
        <Field id="workplace" label="Workplace" optional error={error('workplace')}>
          <Input {...register('workplace')} autoComplete="organization" />
        </Field>
        <Field
          id="location"
          label="Location"
          optional
          error={error('location')}
          // Beside the workplace, or in a separate row when the workplace already has a neighbour.
          className={email ? undefined : 'md:col-span-2'}
        >
          <Input {...register('location')} autoComplete="address-level2" />
        </Field>
      </div>
      <datalist id="professions">
        {professions.map((profession) => (
          <option key={profession} value={profession} />
        ))}
      </datalist>
      <Field id="bio" label="Bio" optional error={error('bio')}>
        <Textarea {...register('bio')} dir="auto" rows={4} />
      </Field>
      <LanguageChoice
        text={form.watch('bio')}
        chosen={form.watch('bio_language')}
        onChange={(language) => form.setValue('bio_language', language, { shouldDirty: true })}
        className="-mt-3"
      />
      <FieldGroup
        id="interests"
        legend={
          <>
            Areas of interest
            <Optional />
          </>
        }
      >
        <div className="mt-1 grid gap-x-6 sm:grid-cols-2">
          {interestOptions.map((interest) => (
            <Checkbox key={interest} value={interest} {...register('interests')}>
              {knownText(interest)}
            </Checkbox>
          ))}
        </div>
      </FieldGroup>
    </>
  );
}
