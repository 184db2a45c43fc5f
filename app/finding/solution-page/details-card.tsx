import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { levelSigns } from '#app/solution/solutions/amputation-level-signs.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browseUrl } from '#app/solution/solutions/filters.ts';
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
        <Fact name="Amputation Level">
          <FilterLink value={solution.amputation_level} />
        </Fact>
        <Fact name="Target Occupation">
          <FilterLink value={solution.occupation} />
        </Fact>
        <Fact name="Age Group">
          <FilterLinks values={solution.age_group.split(', ')} />
        </Fact>
        <Fact name="Prosthesis Type">
          <FilterLink value={solution.prosthesis_type} />
        </Fact>
        <Fact name="Cost Range">
          <FilterLink value={solution.cost_range}>{costWord(solution.cost_range)}</FilterLink>
        </Fact>
        {solution.materials.length > 0 && (
          <Fact name="Materials Used">
            <FilterLinks values={solution.materials} />
          </Fact>
        )}
        {solution.custom_tags.length > 0 && (
          <Fact name="Tags">
            {solution.custom_tags.map((tag, index) => (
              <Fragment key={tag}>
                {index > 0 && ', '}
                <FactLink to={browseUrl({ search: tag })}>
                  <bdi>{tag}</bdi>
                </FactLink>
              </Fragment>
            ))}
          </Fact>
        )}
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
const FilterLink = ({ value, children = knownText(value) }: { value: string; children?: ReactNode }) => (
  <FactLink to={browseUrl({ values: [value] })}>{children}</FactLink>
);

const FactLink = (props: { to: string; children: ReactNode }) => (
  <Link
    {...props}
    className="reach wrap-anywhere underline decoration-line-2 underline-offset-4 hover:decoration-current"
  />
);

const FilterLinks = ({ values }: { values: string[] }) =>
  values.map((value, index) => (
    <Fragment key={value}>
      {index > 0 && ', '}
      <FilterLink value={value} />
    </Fragment>
  ));

/** One line of a list of facts: name, then value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-2 border-t py-2">
      <dt className="w-[7.75rem] text-sm text-ink-3">{name}</dt>
      <dd className="min-w-32 flex-1">{children}</dd>
    </div>
  );
}
