import { useQuery } from '@tanstack/react-query';
import { data, useSearchParams } from 'react-router';
import { messageOf } from '#app/errors.ts';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { CLOSED, pageTitle } from '#app/site.ts';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { browserClient, serverClient } from '#app/supabase.ts';
import { TitleLink } from '#app/ui/languages/title-link.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import type { Route } from './+types/still-in-use-page.ts';
import { AnswerForm } from './answer-form.tsx';
import { answerQuestion, ownQuestionQuery, readLinkedQuestion } from './data.ts';
import { LinkForm } from './link-form.tsx';

const title = 'Still in use?';

export const handle = CLOSED;

export const meta = () => [
  { title: pageTitle(title) },
  { name: 'robots', content: 'noindex' },
  // The address may hold the token that lets its reader answer.
  { name: 'referrer', content: 'same-origin' },
];

const tokenOf = (request: Request) => new URL(request.url).searchParams.get('token');

/** Reads what the link of an email asks, and changes nothing. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const token = tokenOf(request);
  if (token === null) return { question: null };
  const question = await readLinkedQuestion(await serverClient(context)(), token);
  return { question: question?.id === params.id ? question : null };
}

/** Called by the button of a page that the link of an email led to. */
export async function action({ params, request, context }: Route.ActionArgs) {
  const given = await request.formData();
  try {
    await answerQuestion(await serverClient(context)(), params.id, given, tokenOf(request) ?? '');
    return { done: true };
  } catch (error) {
    return data(
      { done: false, error: messageOf(error, 'Failed to save your answer. Please try again.') },
      { status: 400 },
    );
  }
}

export default function StillInUsePage({ params: { id }, loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  return (
    <div className="page pt-8 pb-16 md:pt-11">
      <div className="max-w-[640px]">
        <h1 className="text-2xl md:text-3xl">{title}</h1>
        {params.has('token') ? (
          <LinkForm id={id} question={loaderData.question} result={actionData} />
        ) : (
          <OwnAnswer id={id} />
        )}
      </div>
    </div>
  );
}

function OwnAnswer({ id }: { id: string }) {
  const member = useRequiredMember();
  const question = useQuery({
    ...ownQuestionQuery(browserClient, id, member?.id ?? ''),
    enabled: member !== undefined,
    staleTime: 'static',
  });
  if (question.isError)
    return (
      <div className="mt-6">
        <LoadFailed isTold title="Failed to load the question" onRetry={() => void question.refetch()} />
      </div>
    );
  if (question.isPending) return <Skeleton className="mt-8 h-72" />;
  if (!question.data)
    return <p className="mt-4 text-ink-2">We couldn’t find a question for you at this address.</p>;
  const { months, solution_id, trial_id, solution } = question.data;
  return (
    <>
      <SafetyMark kind={solution?.safety_kind} className="mt-4" />
      <p className="mt-3 text-prose">
        {trial_id ? 'About your trial of ' : 'About your solution '}
        {solution ? (
          <TitleLink to={`/solutions/${solution_id}`} title={solution.title} />
        ) : (
          'a solution that you can’t see any more'
        )}
        , {months}&nbsp;months on.
      </p>
      <AnswerForm key={id} question={question.data} />
    </>
  );
}
