import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { usePageTitle } from '#app/frame/context/page-title.ts';
import { useAction } from '#app/frame/context/use-action.ts';
import { ErrorScreen } from '#app/frame/layout/error-screen.tsx';
import { Missing } from '#app/frame/layout/not-found.tsx';
import { AuthorName } from '#app/people/members/author-name.tsx';
import { authorName } from '#app/people/members/names.ts';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember, useViewer } from '#app/session.ts';
import { CiteButton } from '#app/solution/citing/cite-button.tsx';
import { PartNotices } from '#app/solution/safety-notices/part-notices.tsx';
import { SafetyNotice } from '#app/solution/safety-notices/safety-notice.tsx';
import { type Solution, solutionQuery } from '#app/solution/solutions/data.ts';
import { SolutionSkeleton } from '#app/solution/solutions/solution-skeleton.tsx';
import { SolutionText } from '#app/solution/solutions/solution-text.tsx';
import { versionQuery } from '#app/solution/versions/content.ts';
import type { Content } from '#app/solution/versions/content-schema.ts';
import { VersionFacts } from '#app/solution/versions/version-view.tsx';
import { withdrawnQuery } from '#app/solution/withdrawals/data.ts';
import { WithdrawnNotice } from '#app/solution/withdrawals/withdrawn-notice.tsx';
import { browserClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { languageName, textLanguage } from '#app/ui/languages/languages.ts';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { ConfirmDialog } from '#app/ui/surfaces/lazy-confirm-dialog.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import { changesSinceQuery, deleteTranslation, type Translation, translationQuery } from './data.ts';
import { noticeName, translatedContent } from './texts.ts';
import { TranslationLinks } from './translation-links.tsx';

const ReportCaseDialog = lazyDialog(
  () => import('#app/solution/safety-notices/report-case-dialog.tsx'),
  'ReportCaseDialog',
);

/** What a version of a solution says in another language, with who translated it and what has changed since. */
export function TranslationView({ solutionId, language }: { solutionId: string; language: string }) {
  const { data: solution, isFetching } = useQuery(solutionQuery(browserClient, solutionId));
  const withdrawn = useQuery({
    ...withdrawnQuery(browserClient, solutionId),
    enabled: solution === null,
  }).data;
  const { data: translation, isFetching: isFetchingTranslation } = useQuery(
    translationQuery(browserClient, solutionId, language),
  );
  const { data: version, isFetching: isFetchingVersion } = useQuery({
    ...versionQuery(browserClient, solutionId, translation?.version ?? 0),
    enabled: translation != null,
  });
  usePageTitle(translation?.texts.title);
  if (withdrawn) return <WithdrawnNotice withdrawn={withdrawn} />;
  if (!solution || !translation || !version?.content)
    return (
      <Missing
        isAsking={isFetching || isFetchingTranslation || isFetchingVersion}
        waiting={<SolutionSkeleton />}
      >
        <ErrorScreen
          title="Translation not found"
          action={
            <Link to={solution ? `/solutions/${solutionId}` : '/browse'} className={buttonClass('primary')}>
              {solution ? 'Read the original' : 'Browse Solutions'}
            </Link>
          }
        >
          It may have been removed, or the address may be mistyped.
        </ErrorScreen>
      </Missing>
    );
  return (
    <Shown
      solution={solution}
      translation={translation}
      content={version.content}
      publishedAt={version.published_at}
    />
  );
}

interface ShownProps {
  solution: Solution;
  translation: Translation;
  /** What the version says that was translated. */
  content: Content;
  publishedAt: string;
}

function Shown({ solution, translation, content, publishedAt }: ShownProps) {
  const { language, version, texts, user_id: translatorId, writer, earlier } = translation;
  const member = useMember();
  const viewer = useViewer();
  const shown = translatedContent(content, language, texts);
  const name = authorName(solution.user_id, solution.author);
  const translator = authorName(translatorId, writer);
  const signInFirst = useRequireSignIn();
  const [isReporting, setReporting] = useState(false);
  const isOwn = member != null && member.id === translatorId;
  const path = `/solutions/${solution.id}/translations/${language}`;
  return (
    <div className="page pt-5 pb-16 md:pt-7">
      <SafetyNotice
        solution={solution}
        translated={(notice) => {
          const text = texts[noticeName(notice)];
          return text === undefined ? undefined : { text, language };
        }}
      />
      <PartNotices notices={solution.partNotices} />
      {version < solution.version && <Outdated solution={solution} translation={translation} />}
      <p className="text-sm">
        <Link to={`/solutions/${solution.id}`} className="reach link">
          Read the original in {languageName(content.language)}
        </Link>
      </p>
      <h1
        {...textLanguage(language)}
        className="text-left mt-3 max-w-[24em] text-2xl wrap-anywhere md:text-3xl"
      >
        {shown.title}
      </h1>
      <p className="mt-2 text-ink-2">
        <AuthorName author={solution.author} name={name} className="text-ink" /> · Version {version},{' '}
        <span className="whitespace-nowrap">{formatDay(publishedAt)}</span>
      </p>
      <p className="text-ink-2">
        Translated into {languageName(language)} by{' '}
        <AuthorName author={writer} name={translator} className="text-ink" />
        {earlier.length > 0 && (
          <>
            , after{' '}
            {earlier.map((one, index) => (
              <span key={one.user_id ?? index}>
                {index > 0 && ', '}
                <AuthorName author={one.writer} name={authorName(one.user_id, one.writer)} />
              </span>
            ))}
          </>
        )}
        {translation.approved_at && (
          <>
            . Reviewed <span className="whitespace-nowrap">{formatDay(translation.approved_at)}</span>
          </>
        )}
      </p>
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="min-w-0">
          <SolutionText solution={shown} />
          <VersionFacts content={shown} media={solution.media} />
        </div>
        <aside
          aria-label="About this translation"
          className="flex flex-col items-start gap-2 self-start rounded-md border bg-surface px-5 py-4 md:px-6 print:hidden"
        >
          <h2 className="text-xl">Translation</h2>
          <TranslationLinks solution={solution} except={language} />
          <Link to={`/solutions/${solution.id}/translate?language=${language}`} className="reach link">
            Improve this translation
          </Link>
          <CiteButton
            path={path}
            cited={{
              id: solution.id,
              title: shown.title,
              author: name,
              version,
              publishedAt,
              translated: { by: translator, into: languageName(language), from: content.title },
            }}
          />
          {!isOwn && (
            <button
              type="button"
              className="reach link"
              onClick={() =>
                member
                  ? setReporting(true)
                  : signInFirst('Please sign in to report content', 'Authentication required')
              }
            >
              Report translation
            </button>
          )}
          {isReporting && member && (
            <ReportCaseDialog
              kind="translation"
              contentId={translation.id}
              reporterId={member.id}
              onClose={() => setReporting(false)}
            />
          )}
          {(isOwn || viewer?.isModerator) && (
            <DeleteTranslation id={translation.id} solutionId={solution.id} language={language} />
          )}
        </aside>
      </div>
    </div>
  );
}

/** What the original says now and did not when it was translated. */
function Outdated({ solution, translation }: { solution: Solution; translation: Translation }) {
  const changes = useQuery(
    changesSinceQuery(browserClient, solution.id, translation.version, solution.version),
  ).data;
  const groups = [
    { title: 'New or changed', sentences: changes?.added ?? [], Sentence: 'ins' as const },
    { title: 'No longer there', sentences: changes?.removed ?? [], Sentence: 'del' as const },
  ].filter(({ sentences }) => sentences.length > 0);
  return (
    <Banner tone="amber" icon={History} title="This translation is out of date." className="mb-6">
      It is of version {translation.version}, and the original is at version {solution.version}. Parts,
      measures and images may have changed as well.{' '}
      <Link to={`/solutions/${solution.id}`} className="reach underline underline-offset-4">
        See version {solution.version}
      </Link>
      {groups.length > 0 && (
        <details className="mt-1">
          <summary className="disclosure min-h-11 w-fit">Sentences that changed in the original</summary>
          {groups.map(({ title, sentences, Sentence }) => (
            <div key={title} className="pb-2">
              <p className="text-sm">{title}</p>
              <ul className="ms-5 list-disc">
                {sentences.map((sentence) => (
                  <li key={sentence} className="wrap-anywhere">
                    <Sentence {...textLanguage(solution.language)}>{sentence}</Sentence>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </details>
      )}
    </Banner>
  );
}

/** Deletes a translation, for its writer and the moderators. */
function DeleteTranslation({
  id,
  solutionId,
  language,
}: {
  id: string;
  solutionId: string;
  language: string;
}) {
  const navigate = useNavigate();
  const [confirming, setConfirming] = useState(false);
  const deletion = useAction({
    act: async () => deleteTranslation(await browserClient(), id),
    done: 'Translation deleted',
    failed: 'The translation couldn’t be deleted',
    onDone: () => void navigate(`/solutions/${solutionId}`),
    refresh: [['solutions']],
  });
  return (
    <>
      <button type="button" className="reach link text-red-ink" onClick={() => setConfirming(true)}>
        Delete this translation
      </button>
      {confirming && (
        <ConfirmDialog
          title="Delete translation"
          question={`The translation into ${languageName(language)} is permanently deleted. The original stays.`}
          verb="Delete"
          busy={deletion.isPending && 'Deleting'}
          onConfirm={() => deletion.mutate()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
