import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { returnPath, useRequiredMember } from '#app/require-sign-in.ts';
import { pageTitle } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/button.tsx';
import { toast } from '#app/ui/toast.tsx';
import { FROM_PROVIDER_KEY, ownProfileQuery } from './data.ts';
import { ProfileForm } from './profile-form.tsx';
import { ProfileFormSkeleton } from './profile-form-skeleton.tsx';

export const meta = () => [
  { title: pageTitle('Complete your profile') },
  { name: 'robots', content: 'noindex' },
];

export default function CompleteProfilePage() {
  const navigate = useNavigate();
  const member = useRequiredMember();
  const profile = useQuery({ ...ownProfileQuery(browserClient, member?.id ?? ''), enabled: member != null });

  // Every sign-in through a provider leads here first; members who have a profile are forwarded at once.
  const isComplete = profile.data?.username != null && profile.data.declarations.length > 0;
  useEffect(() => {
    if (!isComplete || !sessionStorage.getItem(FROM_PROVIDER_KEY)) return;
    sessionStorage.removeItem(FROM_PROVIDER_KEY);
    toast({ tone: 'success', title: 'Welcome back!' });
    void navigate(returnPath(), { replace: true });
  }, [isComplete, navigate]);

  return (
    <div className="page py-8 md:py-12">
      <div className="mx-auto max-w-[640px]">
        <h1 className="text-2xl md:text-3xl">Complete your profile</h1>
        <p className="mt-2 mb-8 text-ink-2">
          So that colleagues know who is sharing. Your email is never shown.
        </p>
        {member && profile.isSuccess ? (
          <ProfileForm
            userId={member.id}
            profile={profile.data}
            verb="Complete Profile"
            success="Profile completed!"
            onSaved={() => {
              sessionStorage.removeItem(FROM_PROVIDER_KEY);
              void navigate(returnPath());
            }}
          />
        ) : profile.isError ? (
          <Button onClick={() => void profile.refetch()}>Try again</Button>
        ) : (
          <ProfileFormSkeleton />
        )}
      </div>
    </div>
  );
}
