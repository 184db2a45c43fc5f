/** How many lists and quotes, or steps of indentation before one, a line may begin with. */
const MAX_NESTING = 8;
/** How much a text may have of what can begin or end something: signs of formatting, lines, addresses. */
const MAX_MARKS = 1000;
/** Characters of the longest word, which may be an address. */
const MAX_WORD = 1000;

// Written so that JavaScript and PostgreSQL read them alike and once, and no step can be taken in two ways; see
// supabase/migrations/20261101000140_formatting.sql.
const nested = new RegExp(
  `(?:^|[\\r\\n])(?: {2}| ?(?:\\t|>|(?:[-+*]|[0-9]{1,9}[.)])[ \\t])){${MAX_NESTING}}[ \\t]*(?:>|(?:[-+*]|[0-9]{1,9}[.)])[ \\t])`,
);
const mark = /[*_~`[\]\\(>@&]|[\r\n]{1,2}|[-+][ \t]|[0-9][.)][ \t]|:\/\/|[wW]{3}\.|[!"'),.:;<?]{2}/g;
const quote = />/g;
const word = new RegExp(`[!-~]{${MAX_WORD + 1}}`);

/** How many marks a text has; what may begin a quote, which costs the parser most, counts as four when it has many. */
const marks = (text: string) => Math.max(text.match(mark)?.length ?? 0, 4 * (text.match(quote)?.length ?? 0));

/**
 * What keeps a text from being shown as rich text, as the database says it. What is nested, paired or looked ahead for
 * costs the parser more than in proportion to the length of the text. Undefined for all else.
 */
export function formattingProblem(text: string): string | undefined {
  if (nested.test(text)) return 'Please nest lists and quotes less deeply';
  if (marks(text) > MAX_MARKS) return 'Please use fewer lists, links and other formatting';
  if (word.test(text)) return 'Please use no word or link over 1000 characters';
  return undefined;
}
