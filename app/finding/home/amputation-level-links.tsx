import { Link } from 'react-router';
import { levelSigns } from '#app/solution/solutions/amputation-level-signs.ts';
import { browseUrl } from '#app/solution/solutions/filters.ts';
import { knownText } from '#app/ui/languages/known-text.ts';
import { classes } from '#app/ui/texts/classes.ts';

const order = [
  'Transtibial (Below Knee)',
  'Transradial (Below Elbow)',
  'Transfemoral (Above Knee)',
  'Transhumeral (Above Elbow)',
  'Partial Foot',
  'Full Limb',
];

/** The second way in: by amputation level. */
export function AmputationLevelLinks({ counts }: { counts: Record<string, number> | undefined }) {
  return (
    <nav aria-label="Amputation Level">
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(9.75rem,1fr))] gap-px overflow-hidden rounded-md border bg-line md:grid-cols-3 nav:grid-cols-6">
        {order.map((level) => {
          const [, name, qualifier] = /^([^(]+?)(?: \((.+)\))?$/.exec(knownText(level)) ?? [];
          const detail = [qualifier, counts?.[level]].filter((part) => part !== undefined).join(' · ');
          return (
            <li key={level}>
              <Link
                to={browseUrl({ values: [level] })}
                className="group flex h-full items-center gap-2 bg-surface px-2 py-3 -outline-offset-3 hover:bg-bg sm:gap-3 sm:px-4 md:gap-4"
              >
                <span
                  className={classes('icon size-8 text-accent sm:size-11', levelSigns[level]?.className)}
                />
                <span className="min-w-0 flex-1">
                  <span className="block font-bold wrap-anywhere hyphens-auto group-hover:underline">
                    {name}
                  </span>
                  <span className="block text-sm wrap-anywhere text-ink-3">{detail}</span>
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
