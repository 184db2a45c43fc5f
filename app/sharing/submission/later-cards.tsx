import { Link } from 'react-router';
import type { Solution } from '#app/solution/solutions/data.ts';
import { laterParts } from './use-step.ts';

type Part = keyof typeof laterParts;

const texts: Record<Part, [title: string, text: string]> = {
  outcomes: ['Outcomes', 'How it held up, and scores before and after.'],
  files: ['Build files', 'Drawings, models and PDF documents.'],
  fabrication: ['How to build it', 'Time, tools, parts and steps.'],
  sources: ['Based on other solutions', 'The published solutions it was built from.'],
};

interface LaterCardsProps {
  /** The address of the form. */
  path: string;
  /** What was sent; what it has already is not asked for. Left out where that is not known. */
  sent?: Pick<Solution, 'outcomes' | 'files' | 'fabrication' | 'sources'>;
  /** Called when one is opened. */
  onOpen?: () => void;
}

/** Asks for what can be added to a solution after it was sent, with a link to each part of its form. */
export function LaterCards({ path, sent, onOpen }: LaterCardsProps) {
  const has = (part: Part) => {
    const value = sent?.[part];
    return Array.isArray(value) ? value.length > 0 : Boolean(value);
  };
  const parts = (Object.keys(laterParts) as Part[]).filter((part) => !has(part));
  if (parts.length === 0) return null;
  return (
    <section aria-labelledby="later" className="my-6 print:hidden">
      <h2 id="later" className="text-xl">
        Add more while you wait
      </h2>
      <ul className="mt-3 grid grid-cols-[repeat(auto-fit,minmax(150px,1fr))] gap-2 sm:grid-cols-2 sm:gap-3">
        {parts.map((part) => {
          const [title, text] = texts[part];
          return (
            <li key={part}>
              <Link
                to={`${path}#${laterParts[part]}`}
                onClick={onOpen}
                className="group flex h-full items-center gap-2 rounded-md border bg-surface p-3 sm:px-4"
              >
                <span className="icon icon-plus shrink-0 text-accent" />
                <span>
                  <span className="block font-bold group-hover:underline">{title}</span>
                  <span className="hidden text-ink-2 sm:block">{text}</span>
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
