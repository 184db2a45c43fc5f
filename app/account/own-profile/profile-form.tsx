import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { declarationText } from '#app/account/credentials/rules.ts';
import { TermsOfMembership } from '#app/account/credentials/terms-of-membership.tsx';
import { englishMessageOf, messageOf } from '#app/errors.ts';
import { useAction } from '#app/frame/act/use-action.ts';
import { problemsOf, useForm } from '#app/frame/act/use-form.ts';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { browserClient, type QueryData } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { ErrorSummary } from '#app/ui/controls/error-summary.tsx';
import { FieldGroup, keepFieldOnPress } from '#app/ui/controls/field.tsx';
import { useDirtyReport } from '#app/ui/states/leave-guard.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { AvatarField } from './avatar-field.tsx';
import {
  declareProfessional,
  type ownProfileQuery,
  saveProfile,
  setAvatar as storeAvatar,
  uploadAvatar,
} from './data.ts';
import { type ProfileForm as Fields, profileSchema } from './form-schema.ts';
import { ProfileFields } from './profile-fields.tsx';
import { invalidName } from './rules.ts';

type StoredProfile = QueryData<typeof ownProfileQuery>;

interface ProfileFormProps {
  userId: string;
  profile: StoredProfile;
  /** Shown, but changed in the settings. */
  email?: string | undefined;
  /** The name that a provider gave, offered to a member who has not chosen one. */
  providerName?: string;
  /** Reports whether there is something that is not saved yet. */
  onDirtyChange?: (isDirty: boolean) => void;
  verb: string;
  /** Text of the toast. */
  success: string;
  onSaved?: () => void;
  onCancel?: () => void;
}

const FAILED = 'Failed to save profile';

/** The field that a refusal of the database is about; its sentences are the names of constraints. */
function fieldOf(message: string): keyof Fields | undefined {
  if (/username|^Use 3–30/i.test(message)) return 'username';
  if (/^(Full name|Please enter your|Names must)/.test(message)) return 'full_name';
  const [first = ''] = message.toLowerCase().split(' ');
  return (['profession', 'workplace', 'location', 'bio', 'interests'] as const).find(
    (name) => name === first,
  );
}

/** The form in which a new member completes their profile, and in which it is edited later. */
export function ProfileForm({
  userId,
  profile,
  email,
  providerName = '',
  verb,
  success,
  onDirtyChange,
  onSaved,
  onCancel,
}: ProfileFormProps) {
  const cache = useQueryClient();
  const fileUrl = useFileUrl();
  const [avatar, setAvatar] = useState<File | null>(null);
  // Members who came through another provider have not seen the sign-up form.
  const undeclared = profile?.declarations.length === 0;
  const form = useForm({
    schema: profileSchema,
    shouldFocusError: false,
    mode: 'onTouched',
    defaultValues: {
      username: profile?.username ?? '',
      full_name: profile?.full_name ?? providerName,
      profession: profile?.profession ?? '',
      workplace: profile?.workplace ?? '',
      location: profile?.location ?? '',
      bio: profile?.bio ?? '',
      bio_language: profile?.bio_language ?? '',
      interests: profile?.interests ? profile.interests.split(', ') : [],
      declared: !undeclared,
    },
  });
  const { errors, isDirty, isSubmitting, submitCount } = form.formState;
  const hasChanges = isDirty || avatar !== null;
  useDirtyReport(hasChanges, onDirtyChange);

  const saving = useAction({
    act: async (fields: Fields) => {
      const db = await browserClient();
      if (undeclared) await declareProfessional(db, userId);
      await saveProfile(db, userId, fields);
      if (avatar) await storeAvatar(db, userId, await uploadAvatar(db, userId, avatar));
    },
    done: success,
    failed: 'Error',
    fallback: FAILED,
    onDone: async () => {
      setAvatar(null);
      await Promise.all([
        cache.invalidateQueries({ queryKey: ['viewer', userId] }),
        cache.invalidateQueries({ queryKey: ['account', 'profile', userId] }),
      ]);
      onSaved?.();
    },
  });
  const submit = form.handleSubmit(
    (fields) =>
      saving.mutateAsync(fields).catch((error: unknown) => {
        const field = fieldOf(englishMessageOf(error, ''));
        if (field) form.setError(field, { message: messageOf(error, FAILED) });
      }),
    ({ full_name }) => {
      if (full_name?.message === invalidName.text) toast({ tone: 'error', ...invalidName });
    },
  );

  return (
    <form
      method="dialog"
      noValidate
      onSubmit={submit}
      onMouseDown={keepFieldOnPress}
      className="flex flex-col gap-7"
    >
      <ErrorSummary
        attempt={submitCount}
        // What is checked as one goes is said beside its field.
        problems={submitCount > 0 ? problemsOf(errors) : []}
      />
      <AvatarField
        name={form.watch('full_name')}
        current={profile?.avatar_url ? fileUrl(profile.avatar_url) : null}
        file={avatar}
        onChoose={setAvatar}
      />
      <ProfileFields form={form} email={email} />
      {undeclared && (
        <>
          <FieldGroup id="declared" legend="Declaration" error={errors.declared?.message}>
            <Checkbox {...form.register('declared')} aria-required>
              {declarationText}
            </Checkbox>
          </FieldGroup>
          <TermsOfMembership />
        </>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={isSubmitting && 'Saving'}>
          {verb}
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
  );
}
