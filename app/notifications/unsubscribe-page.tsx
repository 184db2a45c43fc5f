import { MailCheck, MailX } from 'lucide-react';
import { Form, Link, useNavigation } from 'react-router';
import { unwrap } from '#app/errors.ts';
import { pageTitle } from '#app/site.ts';
import { serverClient } from '#app/supabase.ts';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import type { Route } from './+types/unsubscribe-page.ts';

export const meta = () => [
  { title: pageTitle('E-mail notifications') },
  { name: 'robots', content: 'noindex' },
  // The address holds the token that lets its reader unsubscribe.
  { name: 'referrer', content: 'same-origin' },
];

/** Called by the page's button, and by mail programs at their reader's request (RFC 8058). */
export async function action({ request, context }: Route.ActionArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const db = await serverClient(context)();
  return { done: unwrap(await db.rpc('unsubscribe_from_mail', { token })) };
}

export default function UnsubscribePage({ actionData }: Route.ComponentProps) {
  const { state } = useNavigation();
  return (
    <div className="page py-10 md:py-16">
      <div className="mx-auto max-w-[560px]">
        <h1 className="text-2xl">E-mail notifications</h1>
        {actionData?.done ? (
          <Banner tone="ok" icon={MailCheck} title="You will get no more of these e-mails." className="mt-5">
            What is new stays on the site. You can ask for e-mails again in{' '}
            <Link to="/settings" className="underline underline-offset-4">
              Settings
            </Link>
            .
          </Banner>
        ) : actionData ? (
          <Banner tone="red" icon={MailX} title="This link does not work." className="mt-5">
            It may have been cut in two by a mail program. Sign in and switch the e-mails off in{' '}
            <Link to="/settings" className="underline underline-offset-4">
              Settings
            </Link>
            .
          </Banner>
        ) : (
          <>
            <p className="mt-3 text-ink-2">
              Stop the e-mails about messages, decisions and what is new? E-mails that your account needs,
              such as the one for a forgotten password, still come.
            </p>
            <Form method="post" className="mt-6">
              <Button type="submit" variant="primary" busy={state !== 'idle' && 'Stopping'}>
                Stop these e-mails
              </Button>
            </Form>
          </>
        )}
      </div>
    </div>
  );
}
