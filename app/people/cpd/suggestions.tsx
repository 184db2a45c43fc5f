import { Link } from 'react-router';
import { Button } from '#app/ui/controls/button.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { activities, type CpdSubject } from './data.ts';
import { subjectPathOf } from './record.ts';

interface SuggestionsProps {
  suggestions: CpdSubject[];
  onChoose: (suggestion: CpdSubject) => void;
}

/** What the member did here lately and has not recorded; nothing while there is none. */
export function Suggestions({ suggestions, onChoose }: SuggestionsProps) {
  if (suggestions.length === 0) return null;
  return (
    <details className="mb-8 rounded-md border bg-surface px-4 md:px-5 print:hidden">
      <summary className="disclosure">
        {suggestions.length} {suggestions.length === 1 ? 'activity' : 'activities'} you can add
      </summary>
      <ul className="divide-y pb-1">
        {suggestions.map((suggestion) => (
          <li
            key={`${suggestion.activity} ${suggestion.solution_id ?? suggestion.topic_id}`}
            className="flex items-center gap-4 py-3"
          >
            <p className="min-w-0 flex-1">
              <Link to={subjectPathOf(suggestion) ?? '/cpd'} className="wrap-anywhere hover:underline">
                <bdi dir="auto">{suggestion.subject}</bdi>
              </Link>
              <span className="block text-sm text-ink-3">
                {activities[suggestion.activity]} on {formatDay(suggestion.day)}
              </span>
            </p>
            <Button size="small" onClick={() => onChoose(suggestion)}>
              Add<span className="sr-only"> {suggestion.subject}</span>
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
