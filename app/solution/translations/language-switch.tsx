import { Link } from 'react-router';
import type { Solution } from '#app/solution/solutions/data.ts';
import { nativeName, textLanguage } from '#app/ui/languages/languages.ts';

/** The number of languages that stand in the track; the others are folded. */
const IN_SIGHT = 6;

/** The languages in which a solution can be read, each as its speakers call it; nothing where there is only one. */
export function LanguageSwitch({ solution, current }: { solution: Solution; current: string }) {
  if (solution.translations.length === 0) return null;
  const { id, language, version } = solution;
  const all = [
    { language, version, to: `/solutions/${id}` },
    ...solution.translations.map((one) => ({ ...one, to: `/solutions/${id}/translations/${one.language}` })),
  ];
  const inSight = all.filter((one, index) => index < IN_SIGHT || one.language === current);
  const folded = all.filter((one) => !inSight.includes(one));
  const links = (some: typeof all) => (
    <ul className="inline-flex flex-wrap gap-1 rounded-md bg-sunken p-1">
      {some.map((one) => (
        <li key={one.language}>
          <Link
            to={one.to}
            hrefLang={one.language}
            preventScrollReset
            aria-current={one.language === current ? 'page' : undefined}
            className="segment max-md:min-h-11"
          >
            {/* Not every browser knows the names that the server knows. */}
            <span {...textLanguage(one.language)} suppressHydrationWarning>
              {nativeName(one.language)}
            </span>{' '}
            {one.version < version && <span className="text-sm">(version {one.version})</span>}
          </Link>
        </li>
      ))}
    </ul>
  );
  return (
    <nav aria-label="Language of this solution" className="mt-3 print:hidden">
      {links(inSight)}
      {folded.length > 0 && (
        <details>
          <summary className="disclosure">
            {folded.length} more {folded.length === 1 ? 'language' : 'languages'}
          </summary>
          {links(folded)}
        </details>
      )}
    </nav>
  );
}
