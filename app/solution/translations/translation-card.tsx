import { History } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { AuthorName } from '#app/frame/members/author-name.tsx';
import { authorName } from '#app/frame/members/names.ts';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember, useViewer } from '#app/session.ts';
import { CiteButton } from '#app/solution/citing/cite-button.tsx';
import type { Solution } from '#app/solution/solutions/data.ts';
import { contentOf } from '#app/solution/versions/content.ts';
import type { Content } from '#app/solution/versions/content-schema.ts';
import { browserClient } from '#app/supabase.ts';
import { languageName, textLanguage } from '#app/ui/languages/languages.ts';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { deleteTranslation, type Translation } from './data.ts';
import { changedSentences } from './texts.ts';

const ReportCaseDialog = lazyDialog(
  () => import('#app/solution/safety-notices/report-case-dialog.tsx'),
  'ReportCaseDialog',
);

interface TranslationCardProps {
  /** The original. */
  solution: Solution;
  translation: Translation;
  /** What the version says that was translated. */
  of: Content;
}

/** Who translated a solution, and what a reader can do about that. */
export function TranslationCard({ solution, translation, of }: TranslationCardProps) {
  const { language, version, texts, user_id: translatorId, writer, earlier } = translation;
  const member = useMember();
  const viewer = useViewer();
  const signInFirst = useRequireSignIn();
  const [isReporting, setReporting] = useState(false);
  const translator = authorName(translatorId, writer);
  const isOwn = member != null && member.id === translatorId;
  const publishedAt = solution.versions.find((one) => one.version === version)?.published_at;
  return (
    <section
      aria-labelledby="translation"
      className="rounded-md border bg-surface px-5 py-4 md:px-6 print:hidden"
    >
      <h2 id="translation" className="text-xl">
        Translation
      </h2>
      <p className="mt-1 text-ink-2">
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
        {translation.approved_at && <>. Reviewed {formatDay(translation.approved_at)}</>}
      </p>
      <ul className="mt-2 flex flex-wrap gap-x-5 gap-y-1">
        <li>
          <Link to={`/solutions/${solution.id}/translate?language=${language}`} className="reach link">
            Improve<span className="sr-only"> this translation</span>
          </Link>
        </li>
        {publishedAt && (
          <li>
            <CiteButton
              path={`/solutions/${solution.id}/translations/${language}`}
              cited={{
                id: solution.id,
                title: texts.title ?? solution.title,
                author: authorName(solution.user_id, solution.author),
                version,
                publishedAt,
                safetyKind: solution.safety_kind,
                translated: { by: translator, into: languageName(language), from: of.title },
              }}
            >
              Cite<span className="sr-only"> this translation</span>
            </CiteButton>
          </li>
        )}
        {!isOwn && (
          <li>
            <button
              type="button"
              className="reach link"
              onClick={() =>
                member
                  ? setReporting(true)
                  : signInFirst('Please sign in to report content', 'Authentication required')
              }
            >
              Report<span className="sr-only"> translation</span>
            </button>
          </li>
        )}
        {(isOwn || viewer?.isModerator) && (
          <li>
            <DeleteTranslation id={translation.id} solutionId={solution.id} language={language} />
          </li>
        )}
      </ul>
      {isReporting && member && (
        <ReportCaseDialog
          kind="translation"
          title="Report translation"
          contentId={translation.id}
          reporterId={member.id}
          onClose={() => setReporting(false)}
        />
      )}
    </section>
  );
}

/** What the original says now and did not when it was translated; nothing while both say the same. */
export function OutdatedTranslation({ solution, translation, of }: TranslationCardProps) {
  if (translation.version >= solution.version) return null;
  const changes = changedSentences(of, contentOf(solution));
  const groups = [
    { title: 'New or changed', sentences: changes.added, Sentence: 'ins' as const },
    { title: 'No longer there', sentences: changes.removed, Sentence: 'del' as const },
  ].filter(({ sentences }) => sentences.length > 0);
  return (
    <Banner tone="amber" icon={History} title="This translation is out of date." className="mb-6">
      It is of version {translation.version}, and the original is at version {solution.version}. What has
      changed since stands here in {languageName(solution.language)}.
      {groups.length > 0 && (
        <details className="mt-1">
          <summary className="disclosure">Sentences that changed in the original</summary>
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
  const deletion = useConfirmedAction({
    title: 'Delete translation',
    question: `The translation into ${languageName(language)} is permanently deleted. The original stays.`,
    verb: 'Delete',
    busy: 'Deleting',
    act: async () => deleteTranslation(await browserClient(), id),
    done: 'Translation deleted',
    failed: 'The translation couldn’t be deleted',
    onDone: () => void navigate(`/solutions/${solutionId}`),
    refresh: [['solutions']],
  });
  return (
    <>
      <button type="button" className="reach link text-red-ink" onClick={() => deletion.ask()}>
        Delete<span className="sr-only"> this translation</span>
      </button>
      {deletion.dialog}
    </>
  );
}
