/** The formatting that the toolbar can add. */
export type Format = 'bold' | 'emphasis' | 'list' | 'quote' | 'link';

/** A text as its field has it, with the selected part. */
export interface Selection {
  text: string;
  start: number;
  end: number;
}

/** The part of the text to replace, what comes there, and the selection after that. */
export interface Replacement {
  from: number;
  to: number;
  insert: string;
  start: number;
  end: number;
}

const MARKS = { bold: '**', emphasis: '_' };
const PREFIXES = { list: '- ', quote: '> ' };

/**
 * Formats the selected part of a text: bold and emphasis go around it, or away where they are; lists and quotes begin each of its
 * lines; a link keeps it as its words and selects the address to be typed.
 */
export function formatted({ text, start, end }: Selection, format: Format): Replacement {
  const selected = text.slice(start, end);
  if (format === 'link') {
    const words = selected || 'text';
    const address = start + words.length + 3;
    return { from: start, to: end, insert: `[${words}](https://)`, start: address, end: address + 8 };
  }
  if (format === 'list' || format === 'quote') {
    const prefix = PREFIXES[format];
    const from = text.lastIndexOf('\n', start - 1) + 1;
    const lines = text.slice(from, end).split('\n');
    const isFormatted = lines.every((line) => line.startsWith(prefix));
    const insert = lines.map((line) => (isFormatted ? line.slice(prefix.length) : prefix + line)).join('\n');
    return { from, to: end, insert, start: from + insert.length, end: from + insert.length };
  }
  const mark = MARKS[format];
  const isFormatted =
    text.slice(start - mark.length, start) === mark && text.slice(end, end + mark.length) === mark;
  if (isFormatted)
    return {
      from: start - mark.length,
      to: end + mark.length,
      insert: selected,
      start: start - mark.length,
      end: end - mark.length,
    };
  return {
    from: start,
    to: end,
    insert: mark + selected + mark,
    start: start + mark.length,
    end: end + mark.length,
  };
}

/** The beginning of a username that is being typed at the caret, after an @; undefined elsewhere. */
export function mentionAt(text: string, caret: number): string | undefined {
  return /(?:^|[\s(])@([a-z0-9._-]{1,30})$/i.exec(text.slice(0, caret))?.[1];
}
