import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { levelSigns } from '#app/solution/solutions/amputation-level-signs.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browseUrl } from '#app/solution/solutions/filters.ts';
import { classes } from '#app/ui/texts/classes.ts';
import { formatDay } from '#app/ui/texts/dates.ts';

/** The facts of a solution, most of which lead to the other solutions that share them. */
export function DetailsCard({ solution }: { solution: Solution }) {
  return (
    <section aria-labelledby="details" className="rounded-md border bg-surface px-5 py-6 md:px-6">
      <h2 id="details" className="text-xl">
        Solution Details
      </h2>
      <dl className="mt-3">
        <div className="grid grid-cols-[auto_1fr] items-center gap-x-3 pb-3">
          <dt className="col-start-2 self-end text-sm text-ink-3">Amputation Level</dt>
          <dd className="col-start-2 self-start text-lg font-title">
            <FilterLink value={solution.amputation_level} />
          </dd>
          <dd className="col-start-1 row-span-2 row-start-1" aria-hidden>
            <span
              className={classes(
                'icon block size-12 text-accent',
                levelSigns[solution.amputation_level]?.className,
              )}
            />
          </dd>
        </div>
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
          <FilterLink value={solution.cost_range}>{solution.cost_range.split(' ')[0]}</FilterLink>
        </Fact>
        {solution.materials.length > 0 && (
          <Fact name="Materials Used">
            <FilterLinks values={solution.materials} />
          </Fact>
        )}
        {solution.custom_tags.length > 0 && (
          <Fact name="Tags">
            <ul className="flex flex-wrap gap-1.5">
              {solution.custom_tags.map((tag) => (
                <li key={tag}>
                  <Link
                    to={browseUrl({ search: tag })}
                    className="badge reach bg-chip text-ink wrap-anywhere hover:underline"
                  >
                    <bdi>{tag}</bdi>
                  </Link>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name="Submitted">{formatDay(solution.created_at)}</Fact>
      </dl>
    </section>
  );
}

/** A value that leads to the other solutions that have it. */
function FilterLink({ value, children = value }: { value: string; children?: ReactNode }) {
  return (
    <Link
      to={browseUrl({ values: [value] })}
      className="reach underline decoration-line-2 underline-offset-4 hover:decoration-current"
    >
      {children}
    </Link>
  );
}

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
    <div className="grid grid-cols-[124px_1fr] gap-x-2 border-t py-2.5">
      <dt className="pt-0.5 text-sm text-ink-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
