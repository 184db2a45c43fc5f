import { useQuery } from '@tanstack/react-query';
import type { Json } from '#app/database.types.ts';
import type { ReviewProps } from '#app/frame/kinds/kind.ts';
import { authorName } from '#app/frame/members/names.ts';
import { CaseHead } from '#app/solution/review/case-head.tsx';
import { consentText, decide, reviewChecklist } from '#app/solution/review/data.ts';
import { ReviewCase } from '#app/solution/review/review-case.tsx';
import { browserClient } from '#app/supabase.ts';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { knownText } from '#app/ui/languages/known-text.ts';
import { languageName } from '#app/ui/languages/languages.ts';
import { TitleLink } from '#app/ui/languages/title-link.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { ResultBadge } from './result-badge.tsx';
import { resultLabel } from './results.ts';
import { type ReviewedTrial, reviewedTrialQuery } from './review-data.ts';
import { TrialText } from './trial-text.tsx';

/** One report of a trial that waits, as readers will see it, with the consent and the decision beside it. */
export function TrialReview({ id, viewer }: ReviewProps) {
  const query = useQuery(reviewedTrialQuery(browserClient, id));
  const trial = query.data;
  if (!trial)
    return (
      <NotLoaded loading="Loading the trial report" failed="Failed to load the trial report" query={query} />
    );
  const { solution, writer } = trial;
  const title = solution?.title ?? '';
  const isOwn = !viewer.isAdmin && (trial.user_id === viewer.id || solution?.user_id === viewer.id);
  return (
    <ReviewCase
      kind="trial"
      id={trial.id}
      version={trial.updated_at}
      own={isOwn && 'This trial report is yours or about your solution. Another moderator must review it.'}
      points={reviewChecklist}
      act={(db, made, checklist) => decide(db, 'solution_trials', trial, made, checklist)}
      done={{
        approved: { title: 'Trial report approved', text: 'Readers now see it.' },
        rejected: { title: 'Trial report declined', text: 'The member has been notified.' },
      }}
      refresh={[['solutions']]}
      decline={{
        title: 'Decline trial report',
        work: { title, author: authorName(trial.user_id, writer) },
      }}
    >
      <article className="min-w-0">
        <CaseHead
          title={
            <>
              Trial of{' '}
              <TitleLink to={`/solutions/${trial.solution_id}`} title={title} language={solution?.language} />
            </>
          }
          marks={trial.replaced !== null && <span className="text-ink-2">Changed after approval</span>}
          authorId={trial.user_id}
          author={writer}
          note={`Version ${trial.version}`}
          submittedAt={trial.updated_at}
          identifiers={trial.identifiers}
        />
        <Changed trial={trial} />
        <h3>
          <ResultBadge result={trial.result} />
        </h3>
        <TrialText trial={trial} title={title} />
        {trial.media.length > 0 && (
          <section className="mt-6">
            <h3 className="mb-1 text-sm text-ink-3">Consent</h3>
            {trial.consent ? (
              <p>{consentText({ basis: trial.consent.basis, audience: 'public' })}</p>
            ) : (
              <p className="text-red-ink">No consent statement was given</p>
            )}
          </section>
        )}
      </article>
    </ReviewCase>
  );
}

const parts = {
  language: 'Language',
  result: 'Result',
  changes: 'What was changed',
  experience: 'What happened',
  amputation_level: 'Amputation level',
  age_group: 'Age group',
  prosthesis_type: 'Prosthesis type',
} as const;

const isContent = (value: Json | null): value is Record<string, Json | undefined> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What readers saw before, where the report was changed after its approval. */
function Changed({ trial }: { trial: ReviewedTrial }) {
  if (!isContent(trial.replaced)) return null;
  const before = trial.replaced;
  const lines = Object.entries(parts).flatMap(([key, name]) => {
    // Reports from before languages were asked for were in English.
    const old = key === 'language' ? (before[key] ?? 'en') : before[key];
    const now = trial[key as keyof typeof parts];
    if ((old ?? null) === (now ?? null)) return [];
    const text = typeof old === 'string' ? old : 'Nothing';
    return [
      {
        name,
        text:
          key === 'result' ? resultLabel(text) : key === 'language' ? languageName(text) : knownText(text),
      },
    ];
  });
  const count = (value: Json | undefined) => (Array.isArray(value) ? value.length : 0);
  const counted = [
    { name: 'Measured outcomes', was: count(before.outcomes), is: trial.outcomes.length },
    { name: 'Images and videos', was: count(before.media), is: trial.media.length },
  ].map(({ name, was, is }) => ({ name, text: `${was} before, ${is} now` }));
  return (
    <section className="mb-6 rounded-md border bg-surface px-5 py-4 md:px-6">
      <h3 className="font-bold">What readers saw before</h3>
      <dl className="mt-2 flex flex-col gap-3">
        {[...lines, ...counted].map(({ name, text }) => (
          <div key={name}>
            <dt className="text-sm text-ink-3">{name}</dt>
            <dd {...asWritten(text)} className="whitespace-pre-line wrap-anywhere">
              {text}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
