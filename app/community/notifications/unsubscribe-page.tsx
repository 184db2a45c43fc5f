import { MailCheck, MailX } from 'lucide-react';
import { Form, Link, useNavigation, useSearchParams } from 'react-router';
import { CLOSED, pageTitle } from '#app/site.ts';
import { serverClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import type { Route } from './+types/unsubscribe-page.ts';
import { unsubscribe } from './data.ts';

export const handle = CLOSED;

export const meta = () => [
  { title: pageTitle('Email notifications') },
  { name: 'robots', content: 'noindex' },
  // The address holds the token that lets its reader unsubscribe.
  { name: 'referrer', content: 'same-origin' },
];

/** Called by the page's button, and by mail programs at their reader's request (RFC 8058). */
export async function action({ request, context }: Route.ActionArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  return { done: await unsubscribe(await serverClient(context)(), token) };
}

/** What a token ends, by its middle part: all emails, the weekly digest, questions “Still in use?”, or following one subject. */
const KINDS = {
  all: {
    question:
      'Do you want to stop emails about messages, decisions and news? You’ll still get the emails your account needs, such as a link to reset your password.',
    verb: 'Stop these emails',
    done: 'You’ve unsubscribed.',
    where: '/settings',
    place: 'Settings',
    back: 'You’ll still see updates on the site. Turn emails back on in',
  },
  digest: {
    question: 'Do you want to stop the weekly digest? Other emails stay as they are.',
    verb: 'Stop the weekly digest',
    done: 'You’ve stopped the weekly digest.',
    where: '/following',
    place: 'Following',
    back: 'Turn it back on, and read what is new, in',
  },
  case: {
    question:
      'Do you want to stop “Still in use?” questions about this one? We’ll still ask about your others.',
    verb: 'Stop these questions',
    done: 'We won’t ask about this one again.',
    where: '/profile',
    place: 'Profile',
    back: 'You can still answer in your',
  },
  use: {
    question: 'Do you want to stop all “Still in use?” questions? Other emails stay as they are.',
    verb: 'Stop all these questions',
    done: 'We won’t ask “Still in use?” again.',
    where: '/settings',
    place: 'Settings',
    back: 'Turn the questions back on in',
  },
  subject: {
    question: 'Do you want to stop following this? Other emails stay as they are.',
    verb: 'Stop following',
    done: 'You no longer follow this.',
    where: '/following',
    place: 'Following',
    back: 'See what you still follow in',
  },
} as const;

function kindOf(token: string): keyof typeof KINDS {
  const parts = token.split('.');
  if (parts.length < 3) return 'all';
  if (parts[1]?.startsWith('still-in-use')) return parts[1] === 'still-in-use' ? 'use' : 'case';
  return parts[1] === 'digest' ? 'digest' : 'subject';
}

export default function UnsubscribePage({ actionData }: Route.ComponentProps) {
  const { state } = useNavigation();
  const [params] = useSearchParams();
  const { question, verb, done, where, place, back } = KINDS[kindOf(params.get('token') ?? '')];
  return (
    <div className="page py-10 md:py-16">
      <div className="max-w-[760px]">
        <h1 className="text-2xl">Email notifications</h1>
        {actionData?.done ? (
          <Banner tone="ok" icon={MailCheck} title={done} className="mt-5">
            {back}{' '}
            <Link to={where} className="underline underline-offset-4">
              {place}
            </Link>
            .
          </Banner>
        ) : actionData ? (
          <Banner tone="red" icon={MailX} title="This link doesn’t work." className="mt-5">
            It may have been broken by your email app. Sign in and turn the emails off in{' '}
            <Link to={where} className="underline underline-offset-4">
              {place}
            </Link>
            .
          </Banner>
        ) : (
          <>
            <p className="mt-3 text-ink-2">{question}</p>
            <Form method="post" className="mt-6">
              <Button type="submit" variant="primary" busy={state !== 'idle' && 'Unsubscribing'}>
                {verb}
              </Button>
            </Form>
          </>
        )}
      </div>
    </div>
  );
}
