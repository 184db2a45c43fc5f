-- Nested, paired or lookahead constructs in a rich text cost its readers more than in proportion to its
-- length. The form and the page apply the same limits in app/ui/texts/formatting.ts.

/* Whether a line begins with more than 8 lists and quotes, or steps of indentation before one. */
create function private.is_nested_deeply(value text) returns boolean
language sql immutable parallel safe set search_path = ''
return value ~ '(?:^|[\r\n])(?: {2}| ?(?:\t|>|(?:[-+*]|[0-9]{1,9}[.)])[ \t])){8}[ \t]*(?:>|(?:[-+*]|[0-9]{1,9}[.)])[ \t])';

/* The number of characters of a text that can begin or end a construct: signs of formatting, lines,
   addresses. Those that may begin a quote, which costs the parser most, count as four when there are many. */
create function private.formatting_marks(value text) returns integer
language sql immutable parallel safe set search_path = ''
return greatest(regexp_count(value, '[*_~`[\]\\(>@&]|[\r\n]{1,2}|[-+][ \t]|[0-9][.)][ \t]|://|[wW]{3}\.|[!"''),.:;<?]{2}'),
  4 * regexp_count(value, '>'));

/* The length of its longest word, which may be an address. */
create function private.longest_word(value text) returns integer
language sql immutable parallel safe set search_path = ''
return (select max(char_length(word)) from regexp_split_to_table(value, '[^!-~]+') as w (word));

grant execute on function private.is_nested_deeply(text), private.formatting_marks(text), private.longest_word(text)
  to anon, authenticated, service_role;
