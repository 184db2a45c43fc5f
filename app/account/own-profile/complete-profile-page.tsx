import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { FROM_PROVIDER_KEY } from '#app/account/credentials/provider-data.ts';
import { useRequiredMember, useReturn } from '#app/require-sign-in.ts';
import { isProfileComplete } from '#app/session.ts';
import { CLOSED, pageTitle } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { ownProfileQuery, providerNameQuery } from './data.ts';
import { ProfileForm } from './profile-form.tsx';
import { ProfileFormSkeleton } from './profile-form-skeleton.tsx';

export const handle = CLOSED;

export const meta = () => [
  { title: pageTitle('Complete your profile') },
  { name: 'robots', content: 'noindex' },
];

export default function CompleteProfilePage() {
  const goBack = useReturn();
  const member = useRequiredMember();
  const profile = useQuery({ ...ownProfileQuery(browserClient, member?.id ?? ''), enabled: member != null });

  const providerName = useQuery({
    ...providerNameQuery(browserClient, member?.id ?? ''),
    enabled: member != null,
  });

  // Every sign-in through a provider leads here first; members who have a profile are forwarded. Those who complete it here
  // leave by the form, and only once.
  const isKnown = profile.isSuccess;
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaves once, when it is known that nothing is missing
  useEffect(() => {
    if (!isKnown || !sessionStorage.getItem(FROM_PROVIDER_KEY)) return;
    sessionStorage.removeItem(FROM_PROVIDER_KEY);
    if (!isProfileComplete(profile.data)) return;
    toast({ tone: 'success', title: 'Welcome back!' });
    goBack();
  }, [isKnown]);

  return (
    <div className="page py-8 md:py-12">
      <div className="max-w-[640px]">
        <h1 className="text-2xl md:text-3xl">Complete your profile</h1>
        <p className="mt-2 mb-8 text-ink-2">
          This helps colleagues know who they’re hearing from. Your email is never shown.
        </p>
        {member && profile.isSuccess && !providerName.isPending ? (
          <ProfileForm
            userId={member.id}
            profile={profile.data}
            providerName={providerName.data ?? ''}
            verb="Complete profile"
            success="Profile completed!"
            onSaved={goBack}
          />
        ) : profile.isError ? (
          <LoadFailed title="Failed to load profile" onRetry={() => void profile.refetch()} />
        ) : (
          <ProfileFormSkeleton />
        )}
      </div>
    </div>
  );
}
