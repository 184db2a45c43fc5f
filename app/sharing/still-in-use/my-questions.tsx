import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { browserClient } from '#app/supabase.ts';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { answerText } from './answers.ts';
import { ownQuestionsQuery } from './data.ts';

/** The questions about what the member tried or shared, where answers can be given and corrected; nothing before the first. */
export function MyQuestions({ userId }: { userId: string }) {
  const questions = useQuery(ownQuestionsQuery(browserClient, userId)).data ?? [];
  if (questions.length === 0) return null;
  return (
    <section aria-labelledby="my-questions" className="mt-10 border-t pt-8">
      <h2 id="my-questions" className="mb-4 text-xl">
        Still in use?
      </h2>
      <ul className="divide-y border-y">
        {questions.map(({ id, months, answer, reason, solution }) => (
          <li key={id} className="py-3">
            <SafetyMark kind={solution?.safety_kind} className="mb-1 flex" />
            <Link to={`/still-in-use/${id}`} className="reach link wrap-anywhere">
              {solution ? (
                <bdi {...asWritten(solution.title)}>{solution.title}</bdi>
              ) : (
                'A solution that you can’t see any more'
              )}
              <span className="sr-only">, {months} months on</span>
            </Link>
            <p className="mt-1 text-sm text-ink-2">
              {months} months on · {answer ? answerText(answer, reason) : 'Not answered'}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
