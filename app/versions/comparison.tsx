import { type Content, contentSchema } from './content.ts';
import { type DiffPart, diffContents } from './diff.ts';

interface ComparisonProps {
  title: string;
  /** The earlier version; where it is not that of any, nothing is shown. */
  before: unknown;
  after: Content;
  /** What the author says about the changes. */
  note?: string | null;
  /** Below what it stands. */
  heading?: 'h2' | 'h3';
}

/** The changes between two versions, by words and media. */
export function Comparison({ title, before, after, note, heading: Heading = 'h3' }: ComparisonProps) {
  const earlier = contentSchema.safeParse(before);
  if (!earlier.success) return null;
  const changes = diffContents(earlier.data, after);
  const media = [
    changes.addedMedia.length > 0 && `New: ${listNames(changes.addedMedia)}`,
    changes.removedMedia > 0 && `Removed: ${changes.removedMedia}`,
    changes.describedMedia.length > 0 && `New description: ${listNames(changes.describedMedia)}`,
  ].filter((line) => line !== false);
  return (
    <section aria-labelledby="changes" className="mb-6 rounded-md border bg-surface px-5 py-4 md:px-6">
      <Heading id="changes" className="text-xl">
        {title}
      </Heading>
      {note && (
        <p dir="auto" className="mt-2 max-w-prose whitespace-pre-line wrap-anywhere">
          “{note}”
        </p>
      )}
      {changes.fields.length + media.length === 0 && !changes.changedSources && (
        <p className="mt-2 text-ink-2">Nothing was changed</p>
      )}
      <dl className="mt-1 divide-y">
        {media.length > 0 && (
          <div className="py-3">
            <dt className="text-sm text-ink-3">Images and videos</dt>
            {media.map((line) => (
              <dd key={line}>{line}</dd>
            ))}
          </div>
        )}
        {changes.changedSources && (
          <div className="py-3">
            <dt className="text-sm text-ink-3">Based on</dt>
            <dd>Other solutions than before</dd>
          </div>
        )}
        {changes.fields.map(({ name, parts }) => (
          <div key={name} className="py-3">
            <dt className="text-sm text-ink-3">{name}</dt>
            <dd dir="auto" className="max-w-prose whitespace-pre-line wrap-anywhere">
              {parts.map((part, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
                <ChangedText key={index} part={part} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const listNames = (positions: number[]) => `number ${positions.join(', ')}`;

/** Not by colour alone: removed words are struck through, added ones underlined, and both are read out. */
function ChangedText({ part: { kind, text } }: { part: DiffPart }) {
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
