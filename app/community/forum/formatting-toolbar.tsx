import { Bold, Eye, Italic, Link2, List, type LucideIcon, PencilLine, Quote } from 'lucide-react';
import type { Format } from './format-text.ts';

const FORMATS: [Format, string, LucideIcon][] = [
  ['bold', 'Bold', Bold],
  ['emphasis', 'Italic', Italic],
  ['list', 'List', List],
  ['quote', 'Quote', Quote],
  ['link', 'Link', Link2],
];

interface FormattingToolbarProps {
  /** The id of the field it formats. */
  fieldId: string;
  isPreview: boolean;
  onFormat: (format: Format) => void;
  onPreview: (isPreview: boolean) => void;
}

const button =
  'flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-sm px-2 text-ink-2 -outline-offset-3 hover:bg-chip hover:text-ink aria-disabled:opacity-40 lg:min-h-9 lg:min-w-9';

/** Formats the selected part of a text, and shows how it will look. */
export function FormattingToolbar({ fieldId, isPreview, onFormat, onPreview }: FormattingToolbarProps) {
  return (
    <div
      role="toolbar"
      aria-label="Formatting"
      aria-controls={fieldId}
      className="flex w-full flex-wrap items-center"
    >
      {FORMATS.map(([format, name, Icon]) => (
        <button
          key={format}
          type="button"
          title={name}
          aria-disabled={isPreview || undefined}
          className={button}
          onClick={() => isPreview || onFormat(format)}
        >
          <Icon className="size-[18px]" strokeWidth={2} aria-hidden />
          <span className="sr-only">{name}</span>
        </button>
      ))}
      <button
        type="button"
        aria-pressed={isPreview}
        className={`${button} ms-auto text-sm font-medium`}
        onClick={() => onPreview(!isPreview)}
      >
        {isPreview ? (
          <PencilLine className="size-[18px]" strokeWidth={2} aria-hidden />
        ) : (
          <Eye className="size-[18px]" strokeWidth={2} aria-hidden />
        )}
        Preview
      </button>
    </div>
  );
}
