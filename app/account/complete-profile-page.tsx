import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { messageOf } from '#app/errors.ts';
import { useFileUrl } from '#app/files.ts';
import { placeToReturnTo, useMemberOnly } from '#app/sign-in-first.ts';
import { pageTitle } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { toast } from '#app/ui/toasts.tsx';
import { AvatarField } from './avatar-field.tsx';
import { ownProfileQuery, saveProfile, uploadAvatar } from './data.ts';
import { ProfileFields } from './profile-fields.tsx';
import { invalidName, type ProfileForm, profileSchema } from './rules.ts';

export const meta = () => [
  { title: pageTitle('Complete your profile') },
  { name: 'robots', content: 'noindex' },
];

export default function CompleteProfilePage() {
  const member = useMemberOnly();
  const profile = useQuery({ ...ownProfileQuery(browserClient, member?.id ?? ''), enabled: member != null });

  return (
    <div className="page py-8 md:py-12">
      <div className="mx-auto max-w-[640px]">
        <h1 className="text-2xl md:text-3xl">Complete your profile</h1>
        <p className="mt-2 mb-8 text-ink-2">
          So that colleagues know who is sharing. Your email is never shown.
        </p>
        {member && profile.isSuccess ? (
          <ProfileEditor userId={member.id} profile={profile.data} />
        ) : profile.isError ? (
          <Button onClick={() => void profile.refetch()}>Try again</Button>
        ) : (
          <div className="flex flex-col gap-6">
            <Skeleton className="size-24 rounded-full" />
            <Skeleton className="h-20" />
            <Skeleton className="h-20" />
            <Skeleton className="h-40" />
          </div>
        )}
      </div>
    </div>
  );
}

type StoredProfile = Awaited<ReturnType<NonNullable<ReturnType<typeof ownProfileQuery>['queryFn']>>>;

function ProfileEditor({ userId, profile }: { userId: string; profile: StoredProfile }) {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const fileUrl = useFileUrl();
  const [avatar, setAvatar] = useState<File | null>(null);
  const resolver: Resolver<ProfileForm> = zodResolver(profileSchema);
  const form = useForm<ProfileForm>({
    resolver,
    shouldFocusError: false,
    defaultValues: {
      username: profile?.username ?? '',
      full_name: profile?.full_name ?? '',
      profession: profile?.profession ?? '',
      workplace: profile?.workplace ?? '',
      location: profile?.location ?? '',
      bio: profile?.bio ?? '',
      interests: profile?.interests ? profile.interests.split(', ') : [],
    },
  });
  const { errors, isSubmitting, submitCount } = form.formState;

  const submit = form.handleSubmit(
    async (fields) => {
      try {
        const db = await browserClient();
        await saveProfile(db, userId, fields, avatar ? await uploadAvatar(db, userId, avatar) : undefined);
      } catch (error) {
        const message = messageOf(error, 'Failed to save profile');
        if (message.startsWith('This username')) form.setError('username', { message });
        toast({ tone: 'error', title: 'Error', text: message });
        return;
      }
      toast({ tone: 'success', title: 'Profile completed!' });
      await cache.invalidateQueries({ queryKey: ['viewer', userId] });
      await navigate(placeToReturnTo());
    },
    ({ full_name }) => {
      if (full_name?.message === invalidName.text) toast({ tone: 'error', ...invalidName });
    },
  );

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-7">
      <ErrorSummary
        attempt={submitCount}
        problems={Object.entries(errors).flatMap(([id, error]) =>
          error?.message ? [{ id, message: String(error.message) }] : [],
        )}
      />
      <AvatarField
        name={form.watch('full_name')}
        current={profile?.avatar_url ? fileUrl(profile.avatar_url) : null}
        file={avatar}
        onChoose={setAvatar}
      />
      <ProfileFields form={form} />
      <Button type="submit" variant="primary" className="self-start" busy={isSubmitting && 'Saving'}>
        Complete Profile
      </Button>
    </form>
  );
}
