import { Mail, MessagesSquare } from 'lucide-react';
import { Link } from 'react-router';
import { useOperator } from '#app/frame/page/operator.ts';
import { siteName } from '#app/site.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { Drawing, PageHeader } from '#app/ui/surfaces/page-header.tsx';
import type { Route } from './+types/contact-page.ts';
import { faq } from './faq.tsx';
import keyboard from './keyboard.svg';
import { OperatorDetails } from './operator-details.tsx';
import { EmailLink, textMeta } from './prose.tsx';

export const loader = ({ request }: Route.LoaderArgs) => ({ origin: new URL(request.url).origin });

export const meta = ({ loaderData }: Route.MetaArgs) =>
  textMeta(
    loaderData?.origin,
    '/contact',
    'Contact',
    `Frequently asked questions about ${siteName()}, and how to contact support, which replies within 24 hours.`,
  );

export default function ContactPage() {
  const supportEmail = useOperator()?.supportEmail;
  return (
    <div className="page pt-6 pb-16 lg:pt-12 lg:pb-24">
      <PageHeader
        title="Contact"
        lead="Most questions are answered here. For anything else, ask in the forum or email us."
        picture={<Drawing src={keyboard} />}
      />
      <div className="mt-8 grid gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,1fr)_400px]">
        <section aria-labelledby="questions">
          <h2 id="questions" className="text-xl">
            Frequently asked questions
          </h2>
          <div className="mt-3 border-t">
            {faq().map(({ question, answer }) => (
              <details key={question} className="border-b">
                <summary className="disclosure">{question}</summary>
                <div className="max-w-[66ch] pb-5 text-prose text-ink-2">{answer}</div>
              </details>
            ))}
          </div>
        </section>
        <div className="flex flex-col gap-10">
          <section aria-labelledby="ask">
            <h2 id="ask" className="text-xl">
              Ask the community
            </h2>
            <p className="mt-2 text-ink-2">
              Ask clinical and technical questions in the forum, where colleagues can help.
            </p>
            <Link to="/forum" className={buttonClass('default', 'normal', 'mt-4')}>
              <MessagesSquare className="size-5" strokeWidth={1.75} aria-hidden />
              Go to the forum
            </Link>
          </section>
          <section aria-labelledby="write">
            <h2 id="write" className="text-xl">
              Write to us
            </h2>
            <p className="mt-2 text-ink-2">
              {supportEmail
                ? 'For your account, the site or a concern. We reply by email within 24 hours.'
                : 'We haven’t published an email address yet. Please ask in the forum.'}
            </p>
            {supportEmail && (
              <p className="mt-3 flex items-center gap-2">
                <Mail className="size-5 shrink-0 text-ink-2" strokeWidth={1.75} aria-hidden />
                <EmailLink address={supportEmail} />
              </p>
            )}
            <p className="mt-3 text-ink-2">
              Are you in an image? The link next to the solution is quicker. You don’t need an account, and
              moderators can hide the image immediately.
            </p>
            <p className="mt-3 text-sm text-ink-3">
              Please don’t send anything that could identify a patient. In an emergency, contact your local
              services: this site doesn’t give medical advice.
            </p>
          </section>
          <section aria-labelledby="operator">
            <h2 id="operator" className="text-xl">
              Who runs this site
            </h2>
            <div className="mt-3">
              <OperatorDetails />
            </div>
          </section>
        </div>
      </div>
    </div>
  );
}
