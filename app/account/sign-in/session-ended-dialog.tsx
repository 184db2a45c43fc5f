import { useState } from 'react';
import { useSession } from '#app/session.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { ForgottenForm } from './forgotten-form.tsx';
import { OrganisationForm } from './organisation-form.tsx';
import { OtherWays } from './other-ways.tsx';
import { SecondStepForm } from './second-step-form.tsx';
import { SignInForm } from './sign-in-form.tsx';

const titles = {
  password: 'You’ve been signed out',
  forgotten: 'Reset your password',
  organisation: 'Sign in with your organisation',
};

/**
 * Over the page on which a member's session has ended, so that they sign in again and go on with what they typed.
 */
export function SessionEnded({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const [way, setWay] = useState<'password' | 'forgotten' | 'organisation'>('password');
  const email = session?.member?.email ?? '';
  return (
    <Dialog
      onClose={onClose}
      title={session?.halfway ? 'Confirm it’s you' : titles[way]}
      description={
        session?.halfway || way !== 'password'
          ? undefined
          : 'Your session ended here, in another tab or on another device. Sign in to continue. Anything you typed is still here.'
      }
      actions={<Button onClick={onClose}>Continue without signing in</Button>}
    >
      <div data-sign-in-again className="mt-5">
        {session?.halfway ? (
          <SecondStepForm />
        ) : way === 'forgotten' ? (
          <ForgottenForm email={email} onBack={() => setWay('password')} />
        ) : way === 'organisation' ? (
          <OrganisationForm onBack={() => setWay('password')} />
        ) : (
          <>
            <SignInForm
              email={email}
              onForgotten={() => setWay('forgotten')}
              onUnconfirmed={() => undefined}
            />
            <OtherWays className="mt-6" onOrganisation={() => setWay('organisation')} />
          </>
        )}
      </div>
    </Dialog>
  );
}
