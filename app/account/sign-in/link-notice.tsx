import { CircleAlert, CircleCheck } from 'lucide-react';
import { useSession } from '#app/session.ts';
import { siteSettings } from '#app/site.ts';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { dismissLinkAnswer, type LinkAnswer } from './link-answer.ts';

/** What a link did. Links to a new password and to sign in speak for themselves. */
const DONE: Record<string, [title: string, text: string]> = {
  signup: ['Your email is confirmed.', 'You’re signed in.'],
  invite: ['Your invitation is accepted.', 'You’re signed in.'],
  email_change: ['Your email was changed.', 'Use the new email the next time you sign in.'],
  first_of_two: [
    'Thank you. One more confirmation is needed.',
    'Open the link that we sent to your other email address. Your email changes after that.',
  ],
};

const NOT_BEGUN_HERE: [string, string] = [
  'You weren’t signed in.',
  'Signing in took too long, or was started in another browser. Please start again here.',
];

const PROBLEMS: Record<string, [title: string, text: string]> = {
  insufficient_aal: [
    'You weren’t signed in.',
    'Your account has two-step sign-in. Sign in with your password first, then add this way to sign in in Settings.',
  ],
  otp_expired: [
    'This link has expired or was already used.',
    'If you’ve already confirmed your email, sign in. Otherwise sign up again, or use “Forgot password?” and we’ll send a new link.',
  ],
  code_of_another: [
    'This link can’t be used here.',
    'It was already used, or belongs to another browser or app. Sign in, or use “Forgot password?” to get a new link.',
  ],
  access_denied: [
    'You weren’t signed in.',
    'The other service didn’t confirm who you are. You can try again.',
  ],
  not_trusted: [
    'You weren’t signed in.',
    'What the other service sent couldn’t be trusted, and nothing was changed. Try again, or contact us if it keeps happening.',
  ],
  bad_oauth_state: NOT_BEGUN_HERE,
  flow_state_already_used: ['Signing in was interrupted.', 'Please start again.'],
  saml_relay_state_expired: ['Signing in took too long.', 'Please start again.'],
  saml_relay_state_not_found: NOT_BEGUN_HERE,
  saml_assertion_no_email: [
    'You weren’t signed in.',
    'Your organisation didn’t tell us your email address. Ask its IT team, or sign in another way.',
  ],
  sso_provider_disabled: [
    'You weren’t signed in.',
    'Your organisation can’t sign in here at the moment. Sign in another way, or contact us.',
  ],
  saml_idp_not_found: [
    'You weren’t signed in.',
    'Your organisation isn’t set up to sign in here. Sign in another way, or contact us.',
  ],
  email_address_not_authorized: [
    'You weren’t signed in.',
    'The other service gave an email address that can’t be used here. Sign in another way, or contact us.',
  ],
  email_exists: ['Your email wasn’t changed.', 'Another account already uses this email.'],
  identity_already_exists: ['This sign-in couldn’t be added.', 'It already belongs to another account.'],
  provider_email_needs_verification: [
    'You weren’t signed in.',
    'The other service hasn’t confirmed your email address. Confirm it there, then try again.',
  ],
  signup_disabled: ['Your account couldn’t be created.', 'New accounts can’t be created at the moment.'],
  user_banned: ['You can’t sign in.', 'This account is blocked. Contact us if you think this is a mistake.'],
};

/** The same for those who are signed in, and need neither to sign in nor up. */
const PROBLEMS_OF_MEMBERS: typeof PROBLEMS = {
  otp_expired: [
    'This link has expired or was already used.',
    'If you wanted to change your email, ask for a new link in Settings. You’re still signed in.',
  ],
  code_of_another: ['This link can’t be used here.', 'You’re still signed in.'],
};

/** The same where new members are invited. */
const PROBLEMS_BY_INVITATION: typeof PROBLEMS = {
  signup_disabled: [
    'Your account couldn’t be created.',
    'You need an invitation. Use the email address that it was sent to.',
  ],
};

const UNKNOWN: [string, string] = [
  'That didn’t work.',
  'Please try again. If it keeps happening, contact us.',
];

/** Says on any page what the link did that led there. */
export function LinkNotice({ answer }: { answer: LinkAnswer }) {
  const isMember = useSession()?.member != null;
  const words =
    answer.error === null
      ? DONE[answer.done ?? '']
      : (isMember && PROBLEMS_OF_MEMBERS[answer.error]) ||
        (siteSettings().sign_up === 'invite' && PROBLEMS_BY_INVITATION[answer.error]) ||
        PROBLEMS[answer.error] ||
        UNKNOWN;
  if (!words) return null;
  const [title, text] = words;
  const isProblem = answer.error !== null;
  return (
    <div className="page pt-6" role={isProblem ? 'alert' : 'status'}>
      <Banner tone={isProblem ? 'amber' : 'ok'} icon={isProblem ? CircleAlert : CircleCheck} title={title}>
        {text}{' '}
        <button type="button" className="reach underline underline-offset-3" onClick={dismissLinkAnswer}>
          Close<span className="sr-only"> this message</span>
        </button>
      </Banner>
    </div>
  );
}
