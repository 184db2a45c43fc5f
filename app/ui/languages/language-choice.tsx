import { useId, useState } from 'react';
import { Select } from '#app/ui/controls/input.tsx';
import { guessLanguage } from './guess-language.ts';
import { languageName, languages } from './languages.ts';

/** The language of a text as far as its writer has said, or else as it reads. */
export const chosenLanguage = (chosen: string, text: string): string =>
  chosen || guessLanguage(text, navigator.languages);

/** The languages to choose from, by their names; those that the browser knows only by their tag come last. */
export const languageChoices = () =>
  languages
    .map((tag) => ({ tag, name: languageName(tag) }))
    .sort(
      (a, b) =>
        Number(a.name.startsWith(a.tag)) - Number(b.name.startsWith(b.tag)) ||
        a.name.localeCompare(b.name, 'en-GB'),
    );

interface LanguageChoiceProps {
  /** What is written so far; before there is anything nothing is shown. */
  text: string;
  /** The language that the writer has chosen; empty while it follows from the text. */
  chosen: string;
  onChange: (language: string) => void;
  className?: string;
}

/** The line that says in which language a text is, with the way to say that it is another. */
export function LanguageChoice({ text, chosen, onChange, className }: LanguageChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (!text.trim()) return null;
  const language = chosenLanguage(chosen, text);
  if (!isOpen)
    return (
      <p className={className}>
        <span className="text-sm text-ink-3">Language: {languageName(language)} </span>
        <button type="button" className="reach link text-sm" onClick={() => setOpen(true)}>
          Change<span className="sr-only"> the language of this text</span>
        </button>
      </p>
    );
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-2 block text-sm text-ink-3">
        Language of this text
      </label>
      <Select
        id={id}
        // It takes the place of the button that was pressed.
        autoFocus
        className="max-w-80"
        value={language}
        onChange={(event) => onChange(event.target.value)}
      >
        {languageChoices().map(({ tag, name }) => (
          <option key={tag} value={tag}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  );
}
