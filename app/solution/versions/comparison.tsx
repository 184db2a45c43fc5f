import { useQuery } from '@tanstack/react-query';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { TitleLink } from '#app/ui/languages/title-link.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { markedSolutionsQuery, shownMedia } from './content.ts';
import { type Content, contentSchema } from './content-schema.ts';
import { type DiffPart, diffContents, type SolutionDiff } from './diff.ts';

interface ComparisonProps {
  title: string;
  /** The earlier version; where it is not that of any, nothing is shown. */
  before: unknown;
  after: Content;
  /** Those of the solution; what is no longer among them has no picture. */
  media: Solution['media'];
  /** What the author says about the changes. */
  note?: string | null;
  /** Below what it stands. */
  heading?: 'h2' | 'h3';
}

/** The changes between two versions, by words, media and what they are based on. */
export function Comparison({ title, before, after, media, note, heading: Heading = 'h3' }: ComparisonProps) {
  const earlier = contentSchema.safeParse(before);
  if (!earlier.success) return null;
  const changes = diffContents(earlier.data, after);
  const hasMedia = changes.media.length + changes.removedMedia > 0;
  const hasSources = changes.addedSources.length + changes.removedSources.length > 0;
  return (
    <section aria-labelledby="changes" className="mb-6 rounded-md border bg-surface px-5 py-4 md:px-6">
      <Heading id="changes" className="text-xl">
        {title}
      </Heading>
      {note && (
        <p {...textLanguage(after.language)} className="mt-2 max-w-prose whitespace-pre-line wrap-anywhere">
          “{note}”
        </p>
      )}
      {changes.fields.length === 0 && !hasMedia && !hasSources && (
        <p className="mt-2 text-ink-2">Nothing changed</p>
      )}
      <dl className="mt-1 divide-y">
        {hasMedia && (
          <div className="py-3">
            <dt className="text-sm text-ink-3">Images and videos</dt>
            {changes.removedMedia > 0 && <dd>Removed: {changes.removedMedia}</dd>}
            {changes.media.map((one) => (
              <ChangedMedia
                key={one.id}
                changed={one}
                language={after.language}
                shown={shownMedia(media, one.id)}
              />
            ))}
          </div>
        )}
        {hasSources && (
          <div className="py-3">
            <dt className="text-sm text-ink-3">Based on</dt>
            <ChangedSources changes={changes} />
          </div>
        )}
        {changes.fields.map(({ name, parts, isText }) => (
          <div key={name} className="py-3">
            <dt className="text-sm text-ink-3">{name}</dt>
            <dd
              {...(isText ? textLanguage(after.language) : { dir: 'auto' })}
              className="max-w-prose whitespace-pre-line wrap-anywhere"
            >
              <ChangedText parts={parts} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** An image or video that is new or has another description, with its picture while there is one. */
function ChangedMedia({
  changed: { position, isNew, description },
  language,
  shown,
}: {
  changed: SolutionDiff['media'][number];
  language: string;
  shown: Solution['media'][number] | undefined;
}) {
  return (
    <dd className="mt-2 flex items-start gap-3">
      {shown && (
        <Picture
          src={shown.thumbnail_url}
          alt=""
          loading="lazy"
          className="aspect-4/3 w-28 shrink-0 rounded-sm object-cover"
        />
      )}
      <div className="min-w-0 wrap-anywhere">
        <p>{isNew ? `New: number ${position}` : `New description: number ${position}`}</p>
        <p {...textLanguage(language)} className="max-w-prose text-ink-2">
          <ChangedText parts={description} />
        </p>
      </div>
    </dd>
  );
}

/** What only one of the two is based on, by the titles of what the reader sees. */
function ChangedSources({ changes: { addedSources, removedSources } }: { changes: SolutionDiff }) {
  const named = useQuery(markedSolutionsQuery(browserClient, [...addedSources, ...removedSources]));
  if (named.isPending)
    return (
      <dd>
        <Skeleton className="h-6 w-72 max-w-full" />
      </dd>
    );
  if (named.isError) return <dd>Different solutions from before</dd>;
  const line = (label: string, marks: string[]) => {
    const seen = named.data.filter(({ mark }) => marks.includes(mark));
    const unseen = marks.length - seen.length;
    return (
      marks.length > 0 && (
        <dd>
          {label}:{' '}
          {seen.map(({ id, title }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <TitleLink to={`/solutions/${id}`} title={title} />
            </span>
          ))}
          {unseen > 0 && `${seen.length > 0 ? ', ' : ''}${unseen} that you can’t see`}
        </dd>
      )
    );
  };
  return (
    <>
      {line('New', addedSources)}
      {line('Removed', removedSources)}
    </>
  );
}

function ChangedText({ parts }: { parts: DiffPart[] }) {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
    <ChangedPart key={index} part={part} />
  ));
}

/** Not by colour alone: removed words are struck through, added ones underlined, and both are read out. */
function ChangedPart({ part: { kind, text } }: { part: DiffPart }) {
  if (kind === 'same') return text;
  const label = <span className="sr-only">{kind === 'added' ? ' added: ' : ' removed: '}</span>;
  return kind === 'added' ? (
    <ins className="[del+&]:ms-1 bg-ok-soft text-ok-ink decoration-2 underline-offset-3">
      {label}
      {text}
    </ins>
  ) : (
    <del className="bg-red-soft text-red-ink">
      {label}
      {text}
    </del>
  );
}
