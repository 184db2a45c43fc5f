import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { signInWaysQuery } from '#app/account/credentials/provider-data.ts';
import { RegistrationSettings } from '#app/account/registrations/registration-settings.tsx';
import { ThemeSwitch } from '#app/frame/layout/theme-switch.tsx';
import { BlockedMembers } from '#app/frame/members/blocked-members.tsx';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { CLOSED, pageTitle } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { LeaveGuard } from '#app/ui/states/leave-guard.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { identitiesQuery, preferencesQuery, shownOrcidQuery } from './data.ts';
import { DeleteAccount } from './delete-account.tsx';
import { DownloadData } from './own-data.tsx';
import { PasswordSettings } from './password.tsx';
import { SecondStepSettings } from './second-step.tsx';
import { SessionsSettings } from './sessions.tsx';
import { SettingsForm, savedSections } from './settings-form.tsx';
import { SettingsSection } from './settings-section.tsx';
import { isOrcid, SignInMethods } from './sign-in-methods.tsx';

export const handle = CLOSED;

export const meta = () => [{ title: pageTitle('Settings') }, { name: 'robots', content: 'noindex' }];

export default function SettingsPage() {
  const navigate = useNavigate();
  const member = useRequiredMember();
  const back = () => void navigate(-1);
  return (
    <div className="page pt-6 pb-16 md:pt-8">
      <Button variant="quiet" className="-ms-4" onClick={back}>
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
  );
}

function Settings({ userId, email, onCancel }: { userId: string; email: string; onCancel: () => void }) {
  const preferences = useQuery(preferencesQuery(browserClient, userId));
  const signIns = useQuery(identitiesQuery(browserClient, userId));
  const identities = signIns.data;
  const shownOrcid = useQuery(shownOrcidQuery(browserClient, userId));
  const orcid = shownOrcid.data;
  const ways = useQuery(signInWaysQuery);
  const [isFormDirty, setIsFormDirty] = useState(false);
  const [isPasswordDirty, setIsPasswordDirty] = useState(false);
  const [isRegistrationDirty, setIsRegistrationDirty] = useState(false);
  const isLoaded =
    preferences.data !== undefined && identities !== undefined && orcid !== undefined && !ways.isPending;
  // A link to a section arrives before the section does.
  useEffect(() => {
    if (isLoaded && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isLoaded]);
  // A section that came later would move those below it away from under a pointer.
  if (!preferences.data || !identities || orcid === undefined || ways.isPending)
    return preferences.isError || signIns.isError || shownOrcid.isError ? (
      <LoadFailed
        title="Failed to load settings"
        onRetry={() => void Promise.all([preferences.refetch(), signIns.refetch(), shownOrcid.refetch()])}
      />
    ) : (
      <SettingsSkeleton />
    );
  const hasPassword = identities.some(({ provider }) => provider === 'email');
  const isReached = email !== '' && !identities.some(({ provider }) => provider.startsWith('sso:'));
  const provenBy = hasPassword ? 'password' : isReached ? 'email' : 'session';
  const sections = [
    ['appearance', 'Appearance'],
    ['registration', 'Registration'],
    ['blocked', 'Blocked members'],
    ...(hasPassword ? ([['password', 'Password']] as const) : []),
    ...(ways.data?.providers.length || ways.data?.byPasskey || !hasPassword || identities.some(isOrcid)
      ? ([['sign-in-methods', 'Ways to sign in']] as const)
      : []),
    ['two-step', 'Two-step sign-in'],
    ['devices', 'Where you’re signed in'],
    ['data', 'Your data'],
    ['delete', 'Delete account'],
  ] as const;
  const contents: Record<(typeof sections)[number][0], ReactNode> = {
    appearance: <ThemeSwitch legend="Dark mode" />,
    registration: <RegistrationSettings userId={userId} onDirtyChange={setIsRegistrationDirty} />,
    blocked: <BlockedMembers memberId={userId} />,
    password: <PasswordSettings userId={userId} email={email} onDirtyChange={setIsPasswordDirty} />,
    'sign-in-methods': (
      <SignInMethods
        userId={userId}
        identities={identities}
        providers={ways.data?.providers ?? []}
        byPasskey={ways.data?.byPasskey === true}
        orcid={orcid}
      />
    ),
    'two-step': <SecondStepSettings userId={userId} byKey={ways.data?.byPasskey === true} />,
    devices: <SessionsSettings userId={userId} />,
    data: <DownloadData />,
    delete: <DeleteAccount userId={userId} email={email} provenBy={provenBy} />,
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-14 lg:grid-cols-[200px_minmax(0,720px)]">
      <nav aria-label="Sections of the settings" className="hidden lg:block">
        <ul className="sticky top-24">
          {[...savedSections, ...sections].map(([id, title]) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className="block py-2 text-ink-2 underline-offset-4 hover:text-ink hover:underline"
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex flex-col gap-6">
        <SettingsForm
          key={email}
          userId={userId}
          email={email}
          stored={preferences.data}
          onDirtyChange={setIsFormDirty}
          onCancel={onCancel}
        />
        {sections.map(([id, title]) => (
          <SettingsSection key={id} id={id} title={title} isDanger={id === 'delete'}>
            {contents[id]}
          </SettingsSection>
        ))}
      </div>
      <LeaveGuard isDirty={isFormDirty || isPasswordDirty || isRegistrationDirty} />
    </div>
  );
}

/** As high as the first sections, so that what comes does not move them. */
function SettingsSkeleton() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-14 lg:grid-cols-[200px_minmax(0,720px)]">
      <div className="hidden lg:block" />
      <div className="flex flex-col gap-6">
        <Skeleton className="h-[700px]" />
        <Skeleton className="h-[142px]" />
        <Skeleton className="h-[380px]" />
      </div>
    </div>
  );
}
