import { Clock, MailCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { messageOf } from '#app/errors.ts';
import { returnPath } from '#app/require-sign-in.ts';
import { useSession, useViewer } from '#app/session.ts';
import { pageTitle } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { TabPanel, Tabs } from '#app/ui/tabs.tsx';
import { toast } from '#app/ui/toast.tsx';
import { ForgottenForm, NewPasswordForm, ResendForm, SignInForm, SignUpForm } from './auth-forms.tsx';
import { signInWithGoogle } from './data.ts';
import { SecondStepForm } from './second-step-form.tsx';

export const meta = () => [{ title: pageTitle('Sign in') }, { name: 'robots', content: 'noindex' }];

const tabs = [
  { value: 'sign-in', label: 'Sign In' },
  { value: 'sign-up', label: 'Sign Up' },
] as const;

export default function AuthPage() {
  const navigate = useNavigate();
  const session = useSession();
  const viewer = useViewer();
  const [tab, setTab] = useState<(typeof tabs)[number]['value']>('sign-in');
  const [requestingReset, setRequestingReset] = useState(false);
  const [confirm, setConfirm] = useState<string>();
  const [linkExpired, setLinkExpired] = useState(false);
  const recovering = session?.recovery && session.member;
  const halfway = session?.halfway;

  useEffect(() => {
    if (viewer && !recovering)
      void navigate(viewer.profile?.username ? returnPath() : '/complete-profile', { replace: true });
  }, [viewer, recovering, navigate]);

  // An emailed link that has expired or was used already returns here with the reason in the fragment.
  useEffect(() => {
    const hashParams = new URLSearchParams(location.hash.slice(1));
    const reason = hashParams.get('error_description');
    if (!reason) return;
    setLinkExpired(hashParams.get('error_code') === 'otp_expired');
    toast({ tone: 'error', title: 'Error', text: reason });
    history.replaceState(history.state, '', location.pathname);
  }, []);

  const google = async () => {
    try {
      await signInWithGoogle(await browserClient());
    } catch (error) {
      toast({
        tone: 'error',
        title: 'Error',
        text: messageOf(error, 'Sign-in with Google is not available'),
      });
    }
  };

  return (
    <div className="page py-10 md:py-16">
      <div className="mx-auto max-w-[480px]">
        {halfway ? (
          <>
            <h1 className="mb-6 text-2xl md:text-3xl">Two-step sign-in</h1>
            <SecondStepForm />
          </>
        ) : recovering ? (
          <>
            <h1 className="mb-6 text-2xl md:text-3xl">Set a new password</h1>
            <NewPasswordForm onDone={() => void navigate('/auth', { replace: true })} />
          </>
        ) : requestingReset ? (
          <>
            <h1 className="mb-4 text-2xl md:text-3xl">Forgot password</h1>
            <ForgottenForm onBack={() => setRequestingReset(false)} />
          </>
        ) : (
          <>
            <h1 className="text-2xl md:text-3xl">Join the community</h1>
            <p className="mt-2 mb-6 text-ink-2">
              For qualified healthcare and prosthetics professionals, aged 18 or over.
            </p>
            {confirm && (
              <Banner tone="accent" icon={MailCheck} title="Confirm your email." className="mb-6">
                We have sent a link to {confirm}. Open it to complete your profile.{' '}
                <ResendForm email={confirm} />
              </Banner>
            )}
            {linkExpired && (
              <Banner tone="amber" icon={Clock} title="This link has expired or was used." className="mb-6">
                If you have already confirmed your address, sign in. If not, sign up again or use “Forgot
                password?”, and we send you a new one.
              </Banner>
            )}
            <noscript>
              <p className="mb-6">Signing in needs JavaScript. Browsing and reading solutions does not.</p>
            </noscript>
            <Tabs label="Sign in or sign up" value={tab} onChange={setTab} tabs={tabs}>
              <TabPanel value="sign-in">
                <SignInForm onForgotten={() => setRequestingReset(true)} onUnconfirmed={setConfirm} />
              </TabPanel>
              <TabPanel value="sign-up">
                <SignUpForm
                  onCreated={(email) => {
                    setConfirm(email);
                    setTab('sign-in');
                  }}
                />
              </TabPanel>
            </Tabs>
            <div className="mt-8 border-t pt-6">
              <Button className="w-full" onClick={() => void google()}>
                <GoogleMark />
                Continue with Google
              </Button>
            </div>
          </>
        )}
      </div>
    </div>
  );
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" className="size-5" aria-hidden="true">
      <path
        fill="#4285f4"
        d="M23 12.3c0-.8-.1-1.6-.2-2.3H12v4.4h6.2a5.3 5.3 0 0 1-2.3 3.5v2.9h3.7c2.2-2 3.4-5 3.4-8.5z"
      />
      <path
        fill="#34a853"
        d="M12 23.5c3.1 0 5.7-1 7.6-2.8l-3.7-2.9c-1 .7-2.4 1.1-3.9 1.1-3 0-5.5-2-6.4-4.7H1.8v3A11.5 11.5 0 0 0 12 23.500z"
      />
      <path
        fill="#fbbc04"
        d="M5.600 14.200a6.900 6.900 0 0 1 0-4.400v-3H1.800a11.500 11.500 0 0 0 0 10.400z"
      />
      <path
        fill="#ea4335"
        d="M12 5.100c1.700 0 3.200.6 4.400 1.700l3.300-3.300A11 11 0 0 0 12 .500 11.500 11.500 0 0 0 1.800 6.800l3.800 3C6.500 7.100 9 5.100 12 5.100z"
      />
    </svg>
  );
}
