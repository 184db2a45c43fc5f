import { NotYetTranslated, useWritten } from '#app/ui/languages/untranslated.tsx';
import { LinkedText } from '#app/ui/texts/linked-text.tsx';
import type { Solution } from './data.ts';
import { solutionSections } from './value-lists.ts';

const BETWEEN_PARAGRAPHS = /\n\s*\n/;

/** The first paragraph of a text, and the others. */
export function firstParagraph(text: string): { first: string; others: string } {
  const [first = '', ...others] = text.split(BETWEEN_PARAGRAPHS);
  return { first, others: others.join('\n\n') };
}

type Texts = Pick<Solution, 'language' | 'description' | (typeof solutionSections)[number]['column']>;

/** The description and the optional sections that were filled in. */
export function SolutionText({ solution }: { solution: Texts }) {
  return (
    <>
      {solution.description && <Paragraphs text={solution.description} language={solution.language} />}
      {solutionSections.map(({ column, title }) => (
        <Section key={column} title={title} text={solution[column]} language={solution.language} />
      ))}
    </>
  );
}

/** Paragraphs as their author wrote them, with blank lines between. */
export function Paragraphs({ text, language }: { text: string; language: string }) {
  const written = useWritten(language);
  return (
    <div className="flex max-w-[66ch] flex-col gap-4 text-prose whitespace-pre-line wrap-anywhere">
      {text.split(BETWEEN_PARAGRAPHS).map((paragraph, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs never move
        <p key={index} {...written(text)}>
          <LinkedText text={paragraph} />
        </p>
      ))}
      <NotYetTranslated text={text} />
    </div>
  );
}

function Section({ title, text, language }: { title: string; text: string | null; language: string }) {
  if (!text) return null;
  return (
    <section className="mt-8 first:mt-0 md:mt-10">
      <h2 className="mb-2 text-xl">{title}</h2>
      <Paragraphs text={text} language={language} />
    </section>
  );
}
