import { useEffect, useState } from 'react';
import { data, Link, redirect } from 'react-router';
import { ErrorScreen } from '#app/frame/layout/error-screen.tsx';
import { pageTitle } from '#app/site.ts';
import { browserClient, serverClient } from '#app/supabase.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';
import type { Route } from './+types/request-page.ts';
import { sendRemovalRequest, solutionPictures } from './data.ts';
import { RemovalRequestForm } from './request-form.tsx';

export async function loader({ params, context }: Route.LoaderArgs) {
  const found = isUuid(params.id) ? await solutionPictures(serverClient(context), params.id) : null;
  const solution = found && found.media.length > 0 ? found : null;
  return data({ solution }, { status: solution ? 200 : 404 });
}

/** A member may see a solution that the server, which answers visitors, does not find. */
export async function clientLoader({ params, serverLoader }: Route.ClientLoaderArgs) {
  const answer = await serverLoader();
  if (answer.solution || !isUuid(params.id)) return answer;
  const found = await solutionPictures(browserClient, params.id);
  return { solution: found && found.media.length > 0 ? found : null };
}

export const meta = () => [
  { title: pageTitle('Request removal of an image') },
  { name: 'robots', content: 'noindex' },
];

const answerOf = (answer: Awaited<ReturnType<typeof sendRemovalRequest>>) =>
  'tracking' in answer ? redirect(`/removal-request/${answer.tracking}`) : answer;

/** Without scripts. */
export async function action({ params, request, context }: Route.ActionArgs) {
  const form = await request.formData().catch(() => {
    throw data(null, { status: 400 });
  });
  return answerOf(await sendRemovalRequest(await serverClient(context)(), params.id, form));
}

/** Sent by the browser itself, where the request counts as that device's. */
export async function clientAction({ params, request }: Route.ClientActionArgs) {
  return answerOf(await sendRemovalRequest(await browserClient(), params.id, await request.formData()));
}

export default function RemovalRequestPage({ loaderData, actionData }: Route.ComponentProps) {
  const { solution } = loaderData;
  const [tracking, setTracking] = useState('');
  // In the browser alone: the server's page may be cached for many readers.
  useEffect(() => setTracking(crypto.randomUUID()), []);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (actionData) setAttempt((before) => before + 1);
  }, [actionData]);
  if (!solution)
    return (
      <ErrorScreen title="There are no images here" way={{ to: '/contact', label: 'Contact us' }}>
        They may have been removed already. If something else on the site worries you, contact us.
      </ErrorScreen>
    );
  return (
    <div className="page py-8 md:py-12">
      <div className="max-w-[760px]">
        <h1 className="text-2xl md:text-3xl">Request removal of an image</h1>
        <p className="mt-4 text-prose text-ink-2">
          Use this form if you appear in an image, or act for someone who does. You don’t need an account or
          to give your name.
        </p>
        <p className="mt-3 text-prose text-ink-2">
          Images from{' '}
          <Link to={`/solutions/${solution.id}`} className="link wrap-anywhere">
            <bdi>{solution.title}</bdi>
          </Link>
        </p>
        <RemovalRequestForm
          pictures={solution.media}
          tracking={tracking}
          problems={actionData?.problems ?? []}
          filled={actionData?.filled}
          attempt={attempt}
        />
      </div>
    </div>
  );
}
