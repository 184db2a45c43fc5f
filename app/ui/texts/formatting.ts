/** The lists and quotes, or steps of indentation before one, that a line may begin with. */
const MAX_NESTING = 8;
/** The most marks a text may have that can begin or end an element: signs of formatting, lines, addresses. */
const MAX_MARKS = 1000;
/** Characters of the longest word, which may be an address. */
const MAX_WORD = 1000;

// Written so that JavaScript and PostgreSQL read them alike and once, without backtracking; see
// supabase/migrations/20261101000110_text.sql.
const nested = new RegExp(
  `(?:^|[\\r\\n])(?: {2}| ?(?:\\t|>|(?:[-+*]|[0-9]{1,9}[.)])[ \\t])){${MAX_NESTING}}[ \\t]*(?:>|(?:[-+*]|[0-9]{1,9}[.)])[ \\t])`,
);
const mark = /[*_~`[\]\\(>@&]|[\r\n]{1,2}|[-+][ \t]|[0-9][.)][ \t]|:\/\/|[wW]{3}\.|[!"'),.:;<?]{2}/g;
const quote = />/g;
const word = new RegExp(`[!-~]{${MAX_WORD + 1}}`);

/**
 * The number of marks in a text; those that may begin a quote, which cost the parser most, count as four when
 * there are many.
 */
const marks = (text: string) => Math.max(text.match(mark)?.length ?? 0, 4 * (text.match(quote)?.length ?? 0));

/**
 * The reason why a text cannot be shown as rich text, as the database words it. Nested, paired or
 * looked-ahead marks cost the parser more than in proportion to the length of the text. Undefined for all
 * other texts.
 */
export function formattingProblem(text: string): string | undefined {
  if (nested.test(text)) return 'Please nest lists and quotes less deeply';
  if (marks(text) > MAX_MARKS) return 'Please use fewer lists, links and other formatting';
  if (word.test(text)) return 'Please use no word or link over 1000 characters';
  return undefined;
}
