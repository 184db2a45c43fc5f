import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { NotYetTranslated, useWritten } from '#app/ui/languages/untranslated.tsx';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { LinkedText } from '#app/ui/texts/linked-text.tsx';
import { EXTERNAL_REL } from '#app/ui/texts/links.ts';
import { costText, type Fabrication, hoursText, makerText, totalCost } from './fabrication.ts';

/** A picture or clip of the solution, as a step shows it. */
interface StepImage {
  id: string;
  media_type: string;
  compressed_url: string;
  thumbnail_url: string;
  description: string | null;
  width: number | null;
  height: number | null;
}

interface FabricationViewProps {
  /** That of the solution. */
  language: string;
  fabrication: Fabrication;
  /** Those of the solution that the reader sees; a step whose image is not among them has none. */
  media: readonly StepImage[];
  /** With a box to tick beside each part and step, on paper. */
  hasBoxes?: boolean;
}

/** The section that says how a solution is built, under its heading; nothing where it does not say. */
export function FabricationSection({
  language,
  fabrication,
  media,
  action,
}: {
  language: string;
  fabrication: Fabrication | null;
  media: readonly StepImage[];
  /** Beside the heading. */
  action?: ReactNode;
}) {
  if (!fabrication) return null;
  return (
    <section aria-labelledby="build" className="mt-8 break-inside-auto md:mt-10">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="build" className="text-xl">
          How to build it
        </h2>
        {action}
      </div>
      <FabricationView language={language} fabrication={fabrication} media={media} />
    </section>
  );
}

/** Time, tools, parts and steps. */
export function FabricationView({ language, fabrication, media, hasBoxes = false }: FabricationViewProps) {
  const { hours, tools, currency, parts, steps } = fabrication;
  const written = useWritten(language);
  const total = totalCost(parts);
  const box = hasBoxes && (
    <span aria-hidden className="mt-1 me-3 inline-block size-4 shrink-0 rounded-sm border border-ink-3" />
  );
  return (
    <>
      {(hours !== null || tools.length > 0) && (
        <dl className="grid max-w-[66ch] grid-cols-[88px_1fr] gap-x-2 gap-y-2">
          {hours !== null && (
            <>
              <dt className="text-ink-3">Time</dt>
              <dd>{hoursText(hours)}</dd>
            </>
          )}
          {tools.length > 0 && (
            <>
              <dt className="text-ink-3">Tools</dt>
              <dd className="min-w-0 wrap-anywhere">
                <bdi {...textLanguage(language)}>
                  {tools.map((tool, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: stored tools never move
                    <Fragment key={index}>
                      {index > 0 && ', '}
                      <bdi {...written(tool)}>{tool}</bdi>
                    </Fragment>
                  ))}
                </bdi>
                {/* In one line they say it once. */}
                <NotYetTranslated text={tools.find((tool) => written(tool).lang !== language) ?? ''} />
              </dd>
            </>
          )}
        </dl>
      )}
      {parts.length > 0 && (
        <section className="mt-6 break-inside-auto">
          <h3 className="font-bold">Parts</h3>
          <ul className="mt-2 divide-y border-y">
            {parts.map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a stored parts list never moves
              <li key={index} className="flex break-inside-avoid items-start py-2">
                {box}
                <div className="min-w-0 flex-1 wrap-anywhere">
                  {part.quantity.toLocaleString('en-GB')} ×{' '}
                  <bdi {...written(part.component)}>{part.component}</bdi>
                  <NotYetTranslated text={part.component} />
                  <span className="block text-sm text-ink-3">
                    <bdi>{makerText(part)}</bdi>
                    {part.link && (
                      <>
                        {makerText(part) && ' · '}
                        <a href={part.link} rel={EXTERNAL_REL} className="link print:text-ink-3">
                          <span className="print:hidden">
                            Link<span className="sr-only"> to {part.component}</span>
                          </span>
                          <span className="hidden print:inline">{part.link}</span>
                        </a>
                      </>
                    )}
                  </span>
                  {part.part_number && !hasBoxes && (
                    <Link
                      to={`/browse?q=${encodeURIComponent(makerText(part))}`}
                      className="reach link text-sm print:hidden"
                    >
                      Solutions with this part<span className="sr-only">: {part.component}</span>
                    </Link>
                  )}
                </div>
                {part.cost !== null && (
                  <p className="ps-4 text-end whitespace-nowrap">
                    {costText(part.cost * part.quantity, currency)}
                    {part.quantity !== 1 && (
                      <span className="block text-sm text-ink-3">{costText(part.cost, null)} each</span>
                    )}
                  </p>
                )}
              </li>
            ))}
          </ul>
          {total && (
            <p className="mt-2 flex justify-between gap-4 font-bold">
              <span>
                Total{' '}
                {total.without > 0 && (
                  <span className="text-sm font-normal text-ink-3">
                    not including {total.without} {total.without === 1 ? 'part' : 'parts'} without a cost
                  </span>
                )}
              </span>
              <span className="whitespace-nowrap">{costText(total.amount, currency)}</span>
            </p>
          )}
        </section>
      )}
      {steps.length > 0 && (
        <section className="mt-6 break-inside-auto">
          <h3 className="font-bold">Steps</h3>
          <ol className="mt-2 flex flex-col gap-5">
            {steps.map(({ instruction, media_id }, index) => {
              const image = media.find(({ id }) => id === media_id);
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: stored steps never move
                <li key={index} className="flex break-inside-avoid items-start">
                  {box}
                  <span className="w-8 shrink-0 font-bold text-ink-2">{index + 1}.</span>
                  <div className="@container min-w-0 flex-1">
                    <div className="grid gap-x-6 gap-y-3 @[520px]:grid-cols-[minmax(0,1fr)_240px]">
                      <div className="max-w-[66ch] text-prose wrap-anywhere whitespace-pre-line">
                        <p {...written(instruction)}>
                          <LinkedText text={instruction} />
                        </p>
                        <NotYetTranslated text={instruction} />
                      </div>
                      {image && (
                        <Picture
                          src={image.media_type === 'image' ? image.compressed_url : image.thumbnail_url}
                          alt={image.description ?? `Step ${index + 1}`}
                          width={image.width ?? undefined}
                          height={image.height ?? undefined}
                          loading="lazy"
                          className="h-auto max-h-72 w-full rounded-sm object-contain"
                        />
                      )}
                    </div>
                  </div>
                </li>
              );
            })}
          </ol>
        </section>
      )}
    </>
  );
}
