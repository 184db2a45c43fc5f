import { useState } from 'react';
import { useSession } from '#app/session.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { ForgottenForm } from './forgotten-form.tsx';
import { GoogleButton } from './google-button.tsx';
import { SecondStepForm } from './second-step-form.tsx';
import { SignInForm } from './sign-in-form.tsx';

/**
 * Over the page on which a member's session has ended, so that they sign in again and go on with what they typed.
 */
export function SessionEnded({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const [isForgotten, setIsForgotten] = useState(false);
  const email = session?.member?.email ?? '';
  return (
    <Dialog
      onClose={onClose}
      title={
        session?.halfway ? 'Enter your code' : isForgotten ? 'Reset your password' : 'You’ve been signed out'
      }
      description={
        session?.halfway || isForgotten
          ? undefined
          : 'Your session ended here, in another tab or on another device. Sign in to continue. Anything you typed is still here.'
      }
      actions={<Button onClick={onClose}>Continue without signing in</Button>}
    >
      <div data-sign-in-again className="mt-5">
        {session?.halfway ? (
          <SecondStepForm />
        ) : isForgotten ? (
          <ForgottenForm email={email} onBack={() => setIsForgotten(false)} />
        ) : (
          <>
            <SignInForm
              email={email}
              onForgotten={() => setIsForgotten(true)}
              onUnconfirmed={() => undefined}
            />
            <GoogleButton className="mt-6" />
          </>
        )}
      </div>
    </Dialog>
  );
}
