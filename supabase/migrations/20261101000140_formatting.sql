-- What is nested, paired or looked ahead for in a rich text costs its readers more than in proportion to its length. The
-- form and the page ask the same in app/ui/formatting.ts.

/* Whether a line begins with more than 8 lists and quotes, or steps of indentation before one. */
create function private.is_nested_deeply(value text) returns boolean
language sql immutable parallel safe set search_path = ''
return value ~ '(?:^|[\r\n])(?: {2}| ?(?:\t|>|(?:[-+*]|[0-9]{1,9}[.)])[ \t])){8}[ \t]*(?:>|(?:[-+*]|[0-9]{1,9}[.)])[ \t])';

/* How much a text has of what can begin or end something: signs of formatting, lines, addresses. What may begin a quote,
   which costs the parser most, counts as four when it has many. */
create function private.formatting_marks(value text) returns integer
language sql immutable parallel safe set search_path = ''
return greatest(regexp_count(value, '[*_~`[\]\\(>@&]|[\r\n]{1,2}|[-+][ \t]|[0-9][.)][ \t]|://|[wW]{3}\.|[!"''),.:;<?]{2}'),
  4 * regexp_count(value, '>'));

/* How long its longest word is, which may be an address. */
create function private.longest_word(value text) returns integer
language sql immutable parallel safe set search_path = ''
return (select max(char_length(word)) from regexp_split_to_table(value, '[^!-~]+') as w (word));

grant execute on function private.is_nested_deeply(text), private.formatting_marks(text), private.longest_word(text)
  to anon, authenticated, service_role;
