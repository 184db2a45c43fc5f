import { CircleCheck, MailX } from 'lucide-react';
import { Form, Link, useNavigation } from 'react-router';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { Button } from '#app/ui/controls/button.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { AnswerFields, WhoSees } from './answer-fields.tsx';
import type { LinkedQuestion } from './data.ts';

interface LinkFormProps {
  /** The question that the address names, whatever its token says. */
  id: string;
  question: LinkedQuestion | null;
  result: { done: boolean; error?: string } | undefined;
}

const refusals: Record<string, readonly [title: string, reason?: string]> = {
  forged: ['This link doesn’t work.', 'It may have been broken by your email app.'],
  answered: ['You’ve already answered.'],
};

/**
 * What the link of an email leads to: it works signed out, shows what it asks about and nothing else, and changes nothing until the
 * button is pressed.
 */
export function LinkForm({ id, question, result }: LinkFormProps) {
  const { state } = useNavigation();
  const link = { to: `/still-in-use/${id}`, className: 'underline underline-offset-4' };
  const signIn =
    result?.done || question?.state === 'answered' ? (
      <>
        Sign in to <Link {...link}>change your answer</Link>.
      </>
    ) : (
      <>
        Sign in to <Link {...link}>answer the question</Link>.
      </>
    );
  if (result?.done)
    return (
      <Banner tone="ok" icon={CircleCheck} title="Thank you. Your answer is counted." className="mt-5">
        {signIn}
      </Banner>
    );
  if (question?.state !== 'open') {
    const [title, reason] = refusals[question?.state ?? 'forged'] ?? ['This link is too old.'];
    return (
      <Banner tone={question ? 'amber' : 'red'} icon={MailX} title={title} className="mt-5">
        {reason} {signIn}
      </Banner>
    );
  }
  return (
    <>
      <SafetyMark kind={question.safety_kind} className="mt-4" />
      <p className="mt-3 text-prose">
        About{' '}
        <bdi {...asWritten(question.title ?? '')} className="font-bold wrap-anywhere">
          {question.title}
        </bdi>
        , {question.months}&nbsp;months on.
      </p>
      <Form method="post" className="mt-7">
        <AnswerFields error={result?.error} />
        <WhoSees />
        <Button
          type="submit"
          variant="primary"
          busy={state !== 'idle' && 'Sending your answer'}
          className="mt-6"
        >
          Send answer
        </Button>
      </Form>
    </>
  );
}
