import { useEffect, useState } from 'react';
import type { SolutionCardData } from '#app/solution/solutions/data.ts';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { formatDay } from '#app/ui/texts/dates.ts';

interface ReadingListProps {
  items: {
    note: string | null;
    language: string | null;
    version: number | null;
    published_at: string | null;
    solution: Pick<SolutionCardData, 'id' | 'language' | 'title' | 'author' | 'profession' | 'safety_kind'>;
  }[];
}

/** A collection on paper: what to look up, in which version, where it stands, and what its owner noted. */
export function ReadingList({ items }: ReadingListProps) {
  const [origin, setOrigin] = useState('');
  useEffect(() => setOrigin(location.origin), []);
  return (
    <ol className="mt-6 hidden print:block">
      {items.map(({ note, language, version, published_at: publishedAt, solution }) => (
        <li key={solution.id} className="break-inside-avoid border-t py-3">
          <SafetyMark kind={solution.safety_kind} />
          <p {...textLanguage(solution.language)} className="font-bold wrap-anywhere">
            {solution.title}
          </p>
          <p className="text-ink-2">
            <bdi>{solution.author}</bdi>, <bdi>{solution.profession}</bdi>
            {version && publishedAt && `. Version ${version}, ${formatDay(publishedAt)}`}
          </p>
          <p className="text-sm wrap-anywhere">
            {`${origin}/solutions/${solution.id}${version ? `/versions/${version}` : ''}`}
          </p>
          {note && (
            <p
              {...asWritten(note, language)}
              className="mt-2 border-s-4 border-accent ps-3 text-sm whitespace-pre-line wrap-anywhere"
            >
              {note}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
