import type { ReactNode } from 'react';
import { levelSigns } from '#app/solutions/amputation-level-signs.ts';
import type { Solution } from '#app/solutions/data.ts';
import { Badge } from '#app/ui/badge.tsx';
import { classes } from '#app/ui/classes.ts';
import { formatDay } from '#app/ui/dates.ts';

export function DetailsCard({ solution }: { solution: Solution }) {
  return (
    <section aria-labelledby="details" className="rounded-md border bg-surface px-5 py-6 md:px-6">
      <h2 id="details" className="text-xl">
        Solution Details
      </h2>
      <dl className="mt-3">
        <div className="grid grid-cols-[auto_1fr] items-center gap-x-3 pb-3">
          <dt className="col-start-2 self-end text-sm text-ink-3">Amputation Level</dt>
          <dd className="col-start-2 self-start text-lg font-title">{solution.amputation_level}</dd>
          <dd className="col-start-1 row-span-2 row-start-1" aria-hidden>
            <span
              className={classes(
                'icon block size-12 text-accent',
                levelSigns[solution.amputation_level]?.className,
              )}
            />
          </dd>
        </div>
        <Fact name="Target Occupation">{solution.occupation}</Fact>
        <Fact name="Age Group">{solution.age_group}</Fact>
        <Fact name="Prosthesis Type">{solution.prosthesis_type}</Fact>
        <Fact name="Cost Range">{solution.cost_range.split(' ')[0]}</Fact>
        {solution.materials.length > 0 && <Fact name="Materials Used">{solution.materials.join(', ')}</Fact>}
        {solution.custom_tags.length > 0 && (
          <Fact name="Tags">
            <ul className="flex flex-wrap gap-1.5">
              {solution.custom_tags.map((tag) => (
                <li key={tag}>
                  <Badge className="wrap-anywhere">{tag}</Badge>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name={solution.status === 'approved' ? 'Published' : 'Submitted'}>
          {formatDay(solution.approved_at ?? solution.created_at)}
        </Fact>
      </dl>
    </section>
  );
}

/** One line of a list of facts: name, then value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[124px_1fr] gap-x-2 border-t py-2.5">
      <dt className="pt-0.5 text-sm text-ink-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
