import { Link } from 'react-router';
import type { Solution } from '#app/solution/solutions/data.ts';
import { languageName } from '#app/ui/languages/languages.ts';

interface TranslationLinksProps {
  solution: Pick<Solution, 'id' | 'version' | 'translations'>;
  /** The language that is read already. */
  except?: string;
}

/** The languages into which a solution is translated, each with the version of an older one; nothing without any. */
export function TranslationLinks({ solution, except }: TranslationLinksProps) {
  const others = solution.translations.filter(({ language }) => language !== except);
  if (others.length === 0) return null;
  return (
    <p className="print:hidden">
      Also in{' '}
      {others.map(({ language, version }, index) => (
        <span key={language}>
          {index > 0 && ', '}
          <Link
            to={`/solutions/${solution.id}/translations/${language}`}
            hrefLang={language}
            className="reach link"
          >
            {languageName(language)}
          </Link>
          {version < solution.version && ` (of version ${version})`}
        </span>
      ))}
    </p>
  );
}
