import { Link } from 'react-router';
import { ErrorScreen } from '#app/frame/layout/error-screen.tsx';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';

/** Stands at the address of a solution that the reader may not see, and says nothing of it but for whom it is. */
export function RestrictedNotice({ audience }: { audience: string }) {
  const member = useMember();
  const signIn = useRequireSignIn();
  const isForChecked = audience === 'checked';
  return (
    <ErrorScreen
      title={isForChecked ? 'For checked professionals' : 'For members'}
      action={
        <>
          {member ? (
            <Link
              to={isForChecked ? '/settings#registration' : '/settings'}
              className={buttonClass('primary')}
            >
              {isForChecked ? 'Have your registration checked' : 'Open your settings'}
            </Link>
          ) : (
            <Button variant="primary" onClick={() => signIn()}>
              Sign in
            </Button>
          )}
          <Link to="/browse" className={buttonClass()}>
            Browse Solutions
          </Link>
        </>
      }
    >
      {isForChecked
        ? 'The author shares this solution with professionals whose registration was checked.'
        : 'The author shares this solution with members of this site.'}{' '}
      {member
        ? isForChecked
          ? 'Tell us where you’re registered. A moderator will look it up in the public register.'
          : 'Members with a completed profile can read it, unless they’re suspended.'
        : 'Please sign in to read it.'}
    </ErrorScreen>
  );
}
