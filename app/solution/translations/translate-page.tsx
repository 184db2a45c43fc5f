import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { CLOSED, pageTitle } from '#app/site.ts';
import { deedOf } from '#app/solution/build-files/text-licences.ts';
import { type Solution, solutionQuery } from '#app/solution/solutions/data.ts';
import { versionQuery } from '#app/solution/versions/content.ts';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { browserClient } from '#app/supabase.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { Select } from '#app/ui/controls/input.tsx';
import { languageChoices } from '#app/ui/languages/language-choice.tsx';
import { languageName, languages } from '#app/ui/languages/languages.ts';
import { TitleLink } from '#app/ui/languages/title-link.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import type { Route } from './+types/translate-page.ts';
import { type OwnTranslation, ownTranslationsQuery, translationQuery } from './data.ts';
import { TranslateForm } from './translate-form.tsx';

const title = 'Translate a solution';

export const handle = CLOSED;

export const meta = () => [{ title: pageTitle(title) }, { name: 'robots', content: 'noindex' }];

/** The form in which a member says in another language what a solution says. */
export default function TranslatePage({ params: { id } }: Route.ComponentProps) {
  const member = useRequiredMember('Please sign in to translate');
  return (
    <div className="page pt-8 pb-16 md:pt-11">
      <h1 className="text-2xl md:text-3xl">{title}</h1>
      {member ? <Begin key={member.id} solutionId={id} userId={member.id} /> : <PageSkeleton />}
    </div>
  );
}

function Begin({ solutionId, userId }: { solutionId: string; userId: string }) {
  const solution = useQuery(solutionQuery(browserClient, solutionId));
  if (solution.isError && !solution.data)
    return (
      <div className="mt-6">
        <LoadFailed isTold title="Failed to load solution" onRetry={() => void solution.refetch()} />
      </div>
    );
  // What is not found may be found for this member still.
  if (!solution.data && solution.isFetching) return <PageSkeleton />;
  if (solution.data?.status !== 'approved')
    return <p className="mt-4 text-ink-2">We couldn’t find a published solution at this address.</p>;
  const mayTranslate = solution.data.user_id === userId || deedOf(solution.data.licence) !== undefined;
  return (
    <>
      <SafetyMark kind={solution.data.safety_kind} className="mt-3" />
      <p className="mt-2 text-ink-2">
        <TitleLink
          to={`/solutions/${solutionId}`}
          title={solution.data.title}
          language={solution.data.language}
        />
      </p>
      {mayTranslate ? (
        <IntoLanguage solution={solution.data} userId={userId} />
      ) : (
        <p className="mt-6 max-w-[66ch]">
          The licence of these texts does not let others translate them. You can ask their author, who can
          choose another licence or translate them.
        </p>
      )}
    </>
  );
}

/**
 * The language that the address names, or else that of the member's translation that was sent back or waits, or else the first of
 * the browser's that the solution is not in.
 */
function languageOf(solution: Solution, asked: string | null, own: readonly OwnTranslation[]): string {
  const ofState = (state: string) =>
    own.filter(({ status }) => status === state).map(({ language }) => language);
  const wanted = [
    asked ?? '',
    ...ofState('rejected'),
    ...ofState('pending'),
    ...navigator.languages.flatMap((tag) => [tag, tag.split('-')[0] ?? '']),
  ];
  return wanted.find((tag) => languages.includes(tag) && tag !== solution.language) ?? '';
}

function IntoLanguage({ solution, userId }: { solution: Solution; userId: string }) {
  const [params, setParams] = useSearchParams();
  const own = useQuery(ownTranslationsQuery(browserClient, solution.id, userId));
  const language = own.data ? languageOf(solution, params.get('language'), own.data) : '';
  // A version that comes while this is open leaves what is written beside what it translates.
  const [opened] = useState(solution.version);
  const version = useQuery(versionQuery(browserClient, solution.id, opened));
  const current = useQuery({
    ...translationQuery(browserClient, solution.id, language),
    enabled: language !== '',
  });
  const waiting = own.data?.find(
    (one) => one.language === language && (one.status === 'pending' || one.status === 'rejected'),
  );
  const earlier = waiting ?? current.data;
  const base = useQuery({
    ...versionQuery(browserClient, solution.id, earlier?.version ?? 0),
    enabled: earlier != null,
  });
  const failed = [own, version, current, base].find(({ isError, data }) => isError && data === undefined);
  return (
    <>
      <LanguageField>
        {own.data ? (
          <Select
            value={language}
            onChange={({ target }) =>
              setParams({ language: target.value }, { replace: true, preventScrollReset: true })
            }
          >
            {language === '' && <option value="">Please choose</option>}
            {languageChoices()
              .filter(({ tag }) => tag !== solution.language)
              .map(({ tag, name }) => (
                <option key={tag} value={tag}>
                  {name}
                </option>
              ))}
          </Select>
        ) : (
          <Skeleton className="h-11" />
        )}
      </LanguageField>
      {failed ? (
        <LoadFailed isTold title="Failed to load translation" onRetry={() => void failed.refetch()} />
      ) : own.data && language === '' ? null : !own.data ||
        current.isPending ||
        !version.data?.content ||
        (earlier && base.isPending) ? (
        <FormSkeleton />
      ) : (
        <TranslateForm
          // A notice that comes is to be translated first: the form opens again with what was written.
          key={`${language} ${solution.notices[0]?.id}`}
          solution={solution}
          content={version.data.content}
          version={version.data.version}
          language={language}
          waiting={waiting}
          earlier={
            earlier && base.data?.content ? { texts: earlier.texts, content: base.data.content } : undefined
          }
          isPublic={current.data !== null}
          userId={userId}
        />
      )}
      {own.data && own.data.length > 0 && (
        <section className="mt-10 max-w-[66ch]">
          <h2 className="text-xl">Your translations of this solution</h2>
          <ul className="mt-2 flex list-disc flex-col gap-1 ps-5">
            {own.data.map(({ id, language: into, status, version: of }) => (
              <li key={id}>
                <Link
                  to={
                    status === 'approved'
                      ? `/solutions/${solution.id}/translations/${into}`
                      : `?language=${into}`
                  }
                  className="reach link"
                >
                  {languageName(into)}
                </Link>
                , version {of}, {states[status] ?? status}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const states: Record<string, string> = {
  approved: 'public',
  pending: 'pending review',
  rejected: 'a moderator asked for changes',
};

function LanguageField({ children }: { children: ReactNode }) {
  return (
    <Field id="language" label="Language you translate into" className="mt-6 max-w-80">
      {children}
    </Field>
  );
}

function PageSkeleton() {
  return (
    <>
      <Skeleton className="mt-2 h-6 max-w-80" />
      <LanguageField>
        <Skeleton className="h-11" />
      </LanguageField>
      <FormSkeleton />
    </>
  );
}

function FormSkeleton() {
  return (
    <div className="mt-8 flex flex-col gap-7">
      <Skeleton className="h-20" />
      <Skeleton className="h-44" />
      <Skeleton className="h-44" />
    </div>
  );
}
