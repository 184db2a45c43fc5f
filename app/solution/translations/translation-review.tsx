import { useQuery } from '@tanstack/react-query';
import type { ReviewProps } from '#app/frame/kinds/kind.ts';
import { authorName } from '#app/frame/members/names.ts';
import { CaseHead } from '#app/solution/review/case-head.tsx';
import { decide } from '#app/solution/review/data.ts';
import { ReviewCase } from '#app/solution/review/review-case.tsx';
import { browserClient } from '#app/supabase.ts';
import { languageName, textLanguage } from '#app/ui/languages/languages.ts';
import { TitleLink } from '#app/ui/languages/title-link.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { reviewedTranslationQuery, translationChecklist } from './data.ts';
import { translatableTexts } from './texts.ts';

/** A translation that waits, each text beside its original, with the decision. */
export function TranslationReview({ id, viewer }: ReviewProps) {
  const query = useQuery(reviewedTranslationQuery(browserClient, id));
  const translation = query.data;
  if (!translation)
    return (
      <NotLoaded loading="Loading the translation" failed="Failed to load the translation" query={query} />
    );
  const { solution, content, language, texts, writer, user_id: writerId, shown: current } = translation;
  const from = content?.language ?? solution?.language ?? 'en';
  const shown = content ? translatableTexts(content, solution?.notices[0]) : [];
  return (
    <ReviewCase
      kind="translation"
      id={translation.id}
      version={translation.updated_at}
      own={
        !viewer.isAdmin &&
        writerId === viewer.id &&
        'This translation is yours. Another moderator must review it.'
      }
      points={translationChecklist}
      act={(db, made, checklist) => decide(db, 'solution_translations', translation, made, checklist)}
      done={{
        approved: { title: 'Translation approved', text: 'Readers now see it.' },
        rejected: { title: 'Translation declined', text: 'The member has been notified.' },
      }}
      refresh={[['solutions']]}
      decline={{
        title: 'Decline translation',
        work: { title: texts.title ?? '', author: authorName(writerId, writer) },
      }}
    >
      <article className="min-w-0">
        <CaseHead
          title={
            <>
              Translation of{' '}
              <TitleLink
                to={`/solutions/${translation.solution_id}`}
                title={solution?.title ?? ''}
                language={from}
              />
            </>
          }
          marks={
            <span className="text-ink-2">
              {languageName(from)} into {languageName(language)}
            </span>
          }
          authorId={writerId}
          author={writer}
          note={
            solution && translation.version < solution.version
              ? `Version ${translation.version}, of ${solution.version}`
              : `Version ${translation.version}`
          }
          submittedAt={translation.updated_at}
          identifiers={translation.identifiers}
        />
        <p className="mb-5 max-w-[66ch] text-ink-2">
          If you don’t read {languageName(language)}, leave this to a moderator who does.
        </p>
        {current && (
          <p className="mb-5 max-w-[66ch] text-ink-2">
            It replaces the translation of version {current.version} by{' '}
            <bdi>{authorName(current.user_id, current.writer)}</bdi>. Where they differ, what readers see now
            stands below it.
          </p>
        )}
        <dl className="divide-y border-y">
          {shown.map(({ name, label, original, language: written }) => (
            <div key={name} className="py-4">
              <dt className="text-sm text-ink-3">{label}</dt>
              <dd className="mt-1 grid gap-x-6 gap-y-3 whitespace-pre-line wrap-anywhere">
                <p {...textLanguage(written ?? from)} className="text-ink-2">
                  {original}
                </p>
                {texts[name] === undefined ? (
                  <p className="text-red-ink">Not translated</p>
                ) : (
                  <p {...textLanguage(language)}>{texts[name]}</p>
                )}
                {current?.texts[name] !== undefined && current.texts[name] !== texts[name] && (
                  <div>
                    <p className="text-sm text-ink-3">Now</p>
                    <p {...textLanguage(language)} className="text-ink-2">
                      {current.texts[name]}
                    </p>
                  </div>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </article>
    </ReviewCase>
  );
}
