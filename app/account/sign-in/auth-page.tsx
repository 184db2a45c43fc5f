import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useReturn } from '#app/require-sign-in.ts';
import { useSession, useViewer } from '#app/session.ts';
import { CLOSED, pageTitle, siteName, siteSettings } from '#app/site.ts';
import { keepFieldOnPress } from '#app/ui/controls/field.tsx';
import { TabPanel, Tabs } from '#app/ui/controls/tabs.tsx';
import type { Route } from './+types/auth-page.ts';
import { ConfirmEmail } from './confirm-email.tsx';
import { ForgottenForm } from './forgotten-form.tsx';
import grip from './grip.svg';
import { NewPasswordForm } from './new-password-form.tsx';
import { OrganisationForm } from './organisation-form.tsx';
import { OtherWays } from './other-ways.tsx';
import { SecondStepForm } from './second-step-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';

export const handle = CLOSED;

export const meta = ({ location }: Route.MetaArgs) => [
  { title: pageTitle(titles[tabOf(new URLSearchParams(location.search))]) },
  { name: 'robots', content: 'noindex' },
];

const tabs = [
  { value: 'sign-in', label: 'Sign In' },
  { value: 'sign-up', label: 'Sign Up' },
] as const;

const tabOf = (params: URLSearchParams) => (params.get('tab') === 'sign-up' ? 'sign-up' : 'sign-in');

const titles = {
  code: 'Confirm it’s you',
  password: 'Set a new password',
  forgotten: 'Reset your password',
  confirm: 'Confirm your email',
  organisation: 'Sign in with your organisation',
  'sign-in': 'Sign in',
  'sign-up': 'Create your account',
};

export default function AuthPage() {
  const navigate = useNavigate();
  const goBack = useReturn();
  const session = useSession();
  const viewer = useViewer();
  // The emails about an account lead to a new password by these, and invitations to a new account.
  const [params, setParams] = useSearchParams();
  const tab = tabOf(params);
  // The typed address goes along in the history entry, and that of an invitation behind the sign that browsers keep to
  // themselves: addresses of pages are logged.
  const { state, hash } = useLocation();
  const email: string =
    typeof state?.email === 'string' ? state.email : (new URLSearchParams(hash.slice(1)).get('email') ?? '');
  const show = (next: { tab: 'sign-up' } | { reset: '' } | Record<never, never>, typed: string) =>
    setParams(next, { replace: true, state: { email: typed } });
  const [confirm, setConfirm] = useState<{ email: string; isSent: boolean }>();
  const [byOrganisation, setByOrganisation] = useState(false);
  const recovering = session?.recovery && session.member != null;
  const task = session?.halfway
    ? 'code'
    : recovering
      ? 'password'
      : params.has('reset')
        ? 'forgotten'
        : confirm
          ? 'confirm'
          : byOrganisation
            ? 'organisation'
            : tab;

  // What comes next begins at the top, where its title has the focus; a long form has been scrolled down.
  const shownTask = useRef(task);
  useEffect(() => {
    if (shownTask.current !== task && task !== tab) scrollTo(0, 0);
    shownTask.current = task;
  }, [task, tab]);

  // Not the viewer itself, whose unread messages may change before the page that is led to has come.
  const isComplete = viewer?.isComplete;
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaves once, when it is known who is there
  useEffect(() => {
    if (isComplete === undefined || recovering) return;
    if (isComplete) goBack();
    else void navigate('/complete-profile', { replace: true });
  }, [isComplete, recovering]);

  return (
    <div className="page py-8 md:py-14">
      <div className="mx-auto grid max-w-[520px] grid-cols-1 overflow-hidden rounded-md border bg-surface lg:max-w-[1040px] lg:grid-cols-2">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it act */}
        <div className="px-5 py-7 md:px-10 md:py-10" onMouseDown={keepFieldOnPress}>
          <h1 className="text-2xl md:text-3xl">{titles[task]}</h1>
          <div className="mt-5">
            {task === 'code' && <SecondStepForm />}
            {task === 'password' && (
              <NewPasswordForm onDone={() => void navigate('/auth', { replace: true })} />
            )}
            {task === 'forgotten' && <ForgottenForm email={email} onBack={(typed) => show({}, typed)} />}
            {confirm && task === 'confirm' && (
              <ConfirmEmail
                key={confirm.email}
                {...confirm}
                onBack={() => {
                  setConfirm(undefined);
                  show({}, confirm.email);
                }}
              />
            )}
            {task === 'organisation' && <OrganisationForm onBack={() => setByOrganisation(false)} />}
            {task === tab && (
              <>
                <noscript>
                  <p className="mb-6">Signing in needs JavaScript. Browsing and reading solutions doesn’t.</p>
                </noscript>
                <p className="mb-4 text-ink-2">
                  {siteName()} is for qualified healthcare and prosthetics professionals aged 18 or over.
                  {siteSettings().sign_up === 'invite' && ' Joining is by invitation only.'}
                </p>
                <Tabs
                  label="Sign in or sign up"
                  value={tab}
                  onChange={(next) => show(next === 'sign-up' ? { tab: next } : {}, email)}
                  tabs={tabs}
                >
                  <TabPanel value="sign-in">
                    <SignInForm
                      email={email}
                      onForgotten={(typed) => show({ reset: '' }, typed)}
                      onUnconfirmed={(email) => setConfirm({ email, isSent: false })}
                    />
                  </TabPanel>
                  <TabPanel value="sign-up">
                    <SignUpForm email={email} onCreated={(email) => setConfirm({ email, isSent: true })} />
                  </TabPanel>
                </Tabs>
                <OtherWays className="mt-7" onOrganisation={() => setByOrganisation(true)} />
              </>
            )}
          </div>
        </div>
        <div className="relative hidden bg-chip lg:block">
          <img src={grip} alt="" loading="lazy" className="picture absolute inset-0 size-full object-cover" />
        </div>
      </div>
    </div>
  );
}
