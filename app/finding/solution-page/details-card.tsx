import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { levelSigns } from '#app/solution/solutions/amputation-level-signs.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { Fact } from '#app/solution/solutions/fact.tsx';
import { browseUrl } from '#app/solution/solutions/filters.ts';
import { factsOf } from '#app/solution/solutions/value-lists.ts';
import { knownText } from '#app/ui/languages/known-text.ts';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { formatDay } from '#app/ui/texts/dates.ts';

/** A range of costs without its amounts. */
const costWord = (range: string) => knownText(range).replace(/ \(.*/, '');

/** The facts of a solution, most of which lead to the other solutions that share them. */
export function DetailsCard({ solution, children }: { solution: Solution; children?: ReactNode }) {
  return (
    <section aria-labelledby="details" className="rounded-md border bg-surface px-5 py-5 md:px-6">
      <h2 id="details" className="text-xl">
        Solution Details
      </h2>
      <dl className="mt-2 *:border-0 *:py-1">
        {factsOf(solution).map(({ column, label, values }) => (
          <Fact key={column} name={label}>
            {values.map((value, index) => (
              <Fragment key={value}>
                {index > 0 && ', '}
                {column === 'custom_tags' ? (
                  <FactLink to={browseUrl({ search: value })}>
                    <bdi>{value}</bdi>
                  </FactLink>
                ) : (
                  <FactLink to={browseUrl({ values: [value] })}>
                    {column === 'cost_range' ? costWord(value) : knownText(value)}
                  </FactLink>
                )}
              </Fragment>
            ))}
          </Fact>
        ))}
        <Fact name="Submitted">{formatDay(solution.created_at)}</Fact>
      </dl>
      {children}
    </section>
  );
}

/** The four facts by which a reader knows whether a solution is for their patient, where the card, which has them all, is not beside. */
export function KeyFacts({ solution }: { solution: Solution }) {
  const { amputation_level: level, occupation, prosthesis_type, cost_range } = solution;
  return (
    <ul aria-label="Facts" className="mt-4 flex flex-wrap gap-2 lg:hidden print:hidden">
      <li>
        <Badge tone="accent">
          <span className={classes('icon', levelSigns[level]?.className)} />
          {knownText(level)}
        </Badge>
      </li>
      {[knownText(occupation), knownText(prosthesis_type), costWord(cost_range)].map((fact) => (
        <li key={fact}>
          <Badge>{fact}</Badge>
        </li>
      ))}
    </ul>
  );
}

/** A value that leads to the other solutions that have it. */
const FactLink = (props: { to: string; children: ReactNode }) => (
  <Link
    {...props}
    className="reach wrap-anywhere underline decoration-line-2 underline-offset-4 hover:decoration-current"
  />
);
