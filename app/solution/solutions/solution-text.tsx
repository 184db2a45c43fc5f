import { LinkedText } from '#app/ui/texts/linked-text.tsx';
import type { Solution } from './data.ts';
import { solutionSections } from './value-lists.ts';

/** The description and the optional sections that were filled in. */
export function SolutionText({
  solution,
}: {
  solution: Pick<Solution, 'description' | (typeof solutionSections)[number]['column']>;
}) {
  return (
    <>
      <Paragraphs text={solution.description} />
      {solutionSections.map(({ column, title }) => (
        <Section key={column} title={title} text={solution[column]} />
      ))}
    </>
  );
}

function Paragraphs({ text }: { text: string }) {
  return (
    <div className="flex max-w-[66ch] flex-col gap-3.5 text-prose whitespace-pre-line wrap-anywhere">
      {text.split(/\n\s*\n/).map((paragraph, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs never move
        <p key={index} dir="auto">
          <LinkedText text={paragraph} />
        </p>
      ))}
    </div>
  );
}

function Section({ title, text }: { title: string; text: string | null }) {
  if (!text) return null;
  return (
    <section className="mt-8 md:mt-10">
      <h2 className="mb-2 text-xl">{title}</h2>
      <Paragraphs text={text} />
    </section>
  );
}
