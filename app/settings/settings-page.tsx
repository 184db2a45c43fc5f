import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { pageTitle } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/button.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { identitiesQuery, preferencesQuery } from './data.ts';
import { OwnDataSettings } from './own-data.tsx';
import { PasswordSettings } from './password.tsx';
import { SecondStepSettings } from './second-step.tsx';
import { SessionsSettings } from './sessions.tsx';
import { SettingsForm } from './settings-form.tsx';
import { SettingsSection } from './settings-section.tsx';
import { SignInMethods } from './sign-in-methods.tsx';

export const meta = () => [{ title: pageTitle('Settings') }, { name: 'robots', content: 'noindex' }];

export default function SettingsPage() {
  const navigate = useNavigate();
  const member = useRequiredMember();
  const back = () => void navigate(-1);
  return (
    <div className="page pt-6 pb-16 md:pt-8">
      <div className="mx-auto max-w-[860px]">
        <Button variant="quiet" className="-ml-4" onClick={back}>
          <ArrowLeft className="size-5" strokeWidth={1.75} aria-hidden />
          Back
        </Button>
        <h1 className="mt-2 mb-7 text-2xl md:text-3xl">Settings</h1>
        {member ? (
          <Settings userId={member.id} email={member.email ?? ''} onCancel={back} />
        ) : (
          <SettingsSkeleton />
        )}
      </div>
    </div>
  );
}

function Settings({ userId, email, onCancel }: { userId: string; email: string; onCancel: () => void }) {
  const preferences = useQuery(preferencesQuery(browserClient, userId));
  const identities = useQuery(identitiesQuery(browserClient, userId)).data;
  if (preferences.isError) return <Button onClick={() => void preferences.refetch()}>Try again</Button>;
  if (!preferences.data || !identities) return <SettingsSkeleton />;
  const hasPassword = identities.some(({ provider }) => provider === 'email');
  return (
    <>
      <SettingsForm key={email} userId={userId} email={email} stored={preferences.data} onCancel={onCancel} />
      {hasPassword && (
        <SettingsSection title="Password">
          <PasswordSettings email={email} />
        </SettingsSection>
      )}
      <SettingsSection title="Sign in with">
        <SignInMethods identities={identities} />
      </SettingsSection>
      <SettingsSection title="Two-step sign-in">
        <SecondStepSettings userId={userId} />
      </SettingsSection>
      <SettingsSection title="Where you are signed in">
        <SessionsSettings userId={userId} />
      </SettingsSection>
      <SettingsSection title="Your data">
        <OwnDataSettings userId={userId} email={email} hasPassword={hasPassword} />
      </SettingsSection>
    </>
  );
}

function SettingsSkeleton() {
  return (
    <div className="flex flex-col gap-8">
      <Skeleton className="h-24" />
      <Skeleton className="h-20" />
      <Skeleton className="h-20" />
      <Skeleton className="h-32" />
    </div>
  );
}
