import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { sendAgain } from '#app/account/credentials/data.ts';
import { useAction } from '#app/frame/act/use-action.ts';
import { keepReturnPath } from '#app/require-sign-in.ts';
import { acceptEndedSession, useMember, useSession, useViewer } from '#app/session.ts';
import { browserClient, PROFILE_NEEDED_EVENT } from '#app/supabase.ts';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';

const SessionEnded = lazyDialog(() => import('./session-ended-dialog.tsx'), 'SessionEnded');
const ProfileNeeded = lazyDialog(() => import('./profile-needed-dialog.tsx'), 'ProfileNeeded');

/** On every page of a member: a profile that is not completed, an address that is refused, and a session that has ended. */
export function AccountNotices() {
  const viewer = useViewer();
  const member = useMember();
  const ended = useSession()?.ended;
  const { pathname } = useLocation();
  const cache = useQueryClient();
  const [profileNeeded, setProfileNeeded] = useState(false);
  useEffect(() => {
    const ask = () => setProfileNeeded(true);
    window.addEventListener(PROFILE_NEEDED_EVENT, ask);
    return () => window.removeEventListener(PROFILE_NEEDED_EVENT, ask);
  }, []);
  const isElsewhere = pathname !== '/auth' && pathname !== '/complete-profile';
  const asksToSignIn = ended === true && isElsewhere;
  // The page is hidden until then, since another person may be in front of it.
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-session-ended', asksToSignIn);
    return () => void document.documentElement.removeAttribute('data-session-ended');
  }, [asksToSignIn]);
  const leave = () => {
    acceptEndedSession();
    cache.clear();
  };
  const tryAgain = useAction({
    act: async () => sendAgain(await browserClient(), member?.id ?? ''),
    done: 'We’ll send to it again',
    failed: 'Failed to save',
    fallback: 'Please try again.',
    refresh: [['viewer', member?.id]],
  });
  return (
    <>
      {viewer && !viewer.isComplete && !ended && isElsewhere && (
        <div className="page pt-6">
          <Banner tone="accent" icon="icon-alert" title="Complete your profile to take part.">
            Until then you can read everything, but you can’t post, comment, like, report or send messages.{' '}
            <Link to="/complete-profile" className="underline underline-offset-3" onClick={keepReturnPath}>
              Complete your profile
            </Link>
          </Banner>
        </div>
      )}
      {member?.email && member.email === viewer?.refusedAddress && !ended && isElsewhere && (
        <div className="page pt-6">
          <Banner tone="amber" icon="icon-alert" title="Our emails don’t reach you.">
            Your email provider refused <bdi className="wrap-anywhere">{member.email}</bdi>, so we’ve stopped
            sending to it. You still get notifications here.{' '}
            <Link to="/settings" className="underline underline-offset-3">
              Change your email
            </Link>{' '}
            or{' '}
            <button
              type="button"
              className="reach underline underline-offset-3"
              onClick={() => tryAgain.mutate()}
            >
              try this one again
            </button>
            . If you can’t confirm a change from the old address,{' '}
            <Link to="/contact" className="underline underline-offset-3">
              contact us
            </Link>
            .
          </Banner>
        </div>
      )}
      {profileNeeded && isElsewhere && <ProfileNeeded onClose={() => setProfileNeeded(false)} />}
      {asksToSignIn && <SessionEnded onClose={leave} />}
    </>
  );
}
