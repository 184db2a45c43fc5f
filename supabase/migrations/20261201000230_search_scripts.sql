-- Search in the scripts of all languages: letters as they are typed and stored in several ways, and words without spaces between.

/*
 * A text as search compares it: lower case without accents, so that "Prothèse" is found by "prothese"; of the forms in which
 * Unicode has a letter one (µ, full width, ligatures); without what is not seen (soft hyphens, zero-width characters) and what
 * readers of a script leave out or write alike: the vowel signs of Arabic and Hebrew, the dot below of Devanagari, the forms of alef,
 * and the letters that Persian and Urdu keyboards have for two Arabic ones. The dictionary is named, which makes the result
 * independent of settings and thus safe to store. The marks in search results follow the same rules, in app/ui/languages/fold.ts.
 */
create or replace function private.normalized(value text) returns text
language sql immutable parallel safe set search_path = ''
return case when value ~ '[^\u0001-\u007F]' then
  translate(
    lower(extensions.unaccent('extensions.unaccent'::regdictionary, regexp_replace(
      normalize(value, NFKC),
      '[\u00AD\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061C\u0640\u064B-\u065F\u0670'
        '\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED\u093C\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u2064'
        '\u2066-\u2069\uFE00-\uFE0F\uFEFF]+',
      '', 'g'
    ))),
    U&'\0622\0623\0625\0671\0649\06CC\06A9', U&'\0627\0627\0627\0627\064A\064A\0643'
  )
else lower(value) end;

/* A normalized text with nothing but spaces between its words. Signs are listed instead of testing which
   characters are letters, because that depends on the database's locale. */
create or replace function private.without_punctuation(value text) returns text
language sql immutable parallel safe set search_path = ''
return regexp_replace(value, '[\n\r\t\u00A0.,;:!?"''`´()\[\]{}<>/\\|+\-_=*&%$#@^~°×·•–—‘’“”…€£'
  '¡¿«»‹›„‚\u055A-\u055F\u0589\u05BE\u05C0\u05C3\u05F3\u05F4\u060C\u061B\u061E\u061F\u066A-\u066D\u06D4\u0964\u0965'
  '\u0E2F\u0E5A\u0E5B\u0F0B-\u0F14\u104A\u104B\u1361-\u1368\u17D4-\u17D6\u17D8\u17DA\u2000-\u200A\u2010-\u2015\u2044\u2190-\u21FF\u2212'
  '\u3000-\u3003\u3008-\u3011\u3014-\u301F\u30FB]+', ' ', 'g');

/* The letters of scripts that are written without spaces, as a range of a pattern: Thai, Lao, Burmese, Khmer, Japanese and Chinese,
   and Korean, which joins words. */
create function private.unspaced_scripts() returns text
language sql immutable parallel safe set search_path = ''
return '\u0E01-\u0EFF\u1000-\u109F\u1780-\u17FF\u3005-\u3007\u3041-\u30FF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA9E0-\uA9FF'
  '\uAA60-\uAA7F\uAC00-\uD7AF\U00020000-\U000323AF';

/* One of them with the vowel and tone signs that belong to it, as a pattern. */
create function private.unspaced_letter() returns text
language sql immutable parallel safe set search_path = ''
return '[' || private.unspaced_scripts() || '](?:[\u1039\u17D2][\u1000-\u102A\u1780-\u17A2]|[\u0E31\u0E34-\u0E3A\u0E47-\u0E4E\u0EB1'
  '\u0EB4-\u0EBC\u0EC8-\u0ECE\u102B-\u103E\u1056-\u1059\u105E-\u1060\u1062-\u1064\u1067-\u106D\u1071-\u1074\u1082-\u108D\u109A-\u109D'
  '\u17B4-\u17D3\u17DD\u3099\u309A])*';

/*
 * The words of a normalized text with spaces between them. Where a script has none, each letter makes a word with the one after it,
 * and the last is one alone: every part of such a text then has a word, or the beginning of one, to be found by.
 */
create function private.spaced(value text) returns text
language sql immutable parallel safe set search_path = ''
return case when value !~ ('[' || private.unspaced_scripts() || ']') then private.without_punctuation(value) else (
  select string_agg(p.piece || case when p.is_letter and p.is_letter_after then p.piece_after else '' end, ' ' order by p.place)
  from (
    select w.*, lead(w.piece) over in_order as piece_after, lead(w.is_letter) over in_order as is_letter_after
    from (
      select m.found[1] as piece, m.found[1] ~ ('^[' || private.unspaced_scripts() || ']') as is_letter, m.place
      from regexp_matches(private.without_punctuation(value),
        private.unspaced_letter() || '|[^ ' || private.unspaced_scripts() || ']+| +', 'g') with ordinality as m (found, place)
    ) w
    window in_order as (order by w.place)
  ) p
) end;

/* The words that a search looks for, in their order. The last letter of a run without spaces is in the word before it. */
create function private.search_words(search text) returns text[]
language sql immutable parallel safe set search_path = ''
return (
  select coalesce(array_agg(left(w.word, 40) order by w.place), '{}')
  from (
    select u.word, u.place, lag(u.word) over (order by u.place) as word_before
    from unnest(string_to_array(private.spaced(private.normalized(search)), ' ')) with ordinality as u (word, place)
    where u.word <> ''
  ) w
  where w.word_before is null or w.word_before !~ ('^' || private.unspaced_letter() || '(?:' || private.unspaced_letter() || ')$')
    or w.word !~ ('^' || private.unspaced_letter() || '$') or right(w.word_before, char_length(w.word)) <> w.word
);

/* The words of a search as one would type them: those that a run without spaces was cut into are joined again. */
create function private.joined_words(words text[]) returns text
language sql immutable parallel safe set search_path = ''
return regexp_replace(array_to_string(words, ' '), '(' || private.unspaced_letter() || ') \1(?=' || private.unspaced_letter() || ')',
  '\1', 'g');

/* The keys of all sets that a normalized text belongs to. */
create or replace function private.word_keys(search_text text) returns text[]
language sql immutable parallel safe set search_path = ''
return (
  with words as materialized (
    select distinct left(w.word, 40) as word
    from unnest(string_to_array(private.spaced(word_keys.search_text), ' ')) as w (word) where w.word <> ''
  )
  select array(select w.word from words w union select private.part_keys(w.word) from words w)
);
