-- What texts are tested with and compared by: blanks, accents, hidden characters, names, formatting and personal details.

/* True for null, white space and characters that show nothing (zero-width marks, soft hyphen, byte order
   mark). */
create function private.is_blank(value text) returns boolean
language sql immutable parallel safe set search_path = ''
return coalesce(value, '') !~ '[^\s\u00A0\u00AD\u180E\u200B-\u200F\u2028-\u202F\u2060-\u2064\u3164\uFEFF]';

grant execute on function private.is_blank(text) to anon, authenticated, service_role;

/* Lower case without accents, so that "Prothèse" is found by "prothese". The dictionary is named, which makes
   the result independent of settings and thus safe to store. */
create function private.normalized(value text) returns text
language sql immutable parallel safe set search_path = ''
return lower(extensions.unaccent('extensions.unaccent'::regdictionary, value));

grant execute on function private.normalized(text) to anon, authenticated, service_role;

/*
 * True for a text with invisible characters, or with ones that change the order of adjacent text: controls,
 * marks of direction (UAX #9) and those that Unicode says to ignore when drawn. The joiners with which
 * Persian and Indic names are spelt are allowed between letters of those scripts, and what makes one sign of several emoji.
 */
create function private.has_hidden_characters(value text) returns boolean
language sql immutable parallel safe set search_path = ''
return regexp_replace(value, '(?<=[\u0600-\u06FF\u0900-\u0DFF])[\u200C\u200D](?=[\u0600-\u06FF\u0900-\u0DFF])'
    '|(?<=[\u2600-\u27BF\U0001F300-\U0001FAFF])\uFE0F?\u200D(?=[\u2600-\u27BF\U0001F300-\U0001FAFF])'
    '|(?<=[\u2600-\u27BF\U0001F300-\U0001FAFF])\uFE0F', '', 'g')
  ~ '[\u0001-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E'
    '\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]';

/* True for a text with more marks on one letter than any script writes, which cover the lines above and below. */
create function private.has_stacked_marks(value text) returns boolean
language sql immutable parallel safe set search_path = ''
return normalize(value, NFC) ~ '[\u0300-\u036F\u0483-\u0489\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]{5}';

grant execute on function private.has_hidden_characters(text), private.has_stacked_marks(text) to anon, authenticated, service_role;

/* Keeps the path of a stored file's public URL, so that no row points a reader's browser at another host and
   the site can move to another address. */
create function private.storage_path(url text) returns text
language sql immutable parallel safe set search_path = ''
return regexp_replace(nullif(url, ''), '^https?://[^/?#]+(?=/storage/v1/object/)', '');

/* The name of a stored file without its bucket, which changes when it is published or withdrawn. */
create function private.file_name(url text) returns text
language sql immutable parallel safe set search_path = ''
return regexp_replace(private.storage_path(url), '^/storage/v1/object/(public|authenticated)/[^/]+/', '');

grant execute on function private.storage_path(text), private.file_name(text) to anon, authenticated, service_role;

/* Names that would pass for the site itself, or for an account that does not exist. */
create function private.reserved_names() returns text[]
language sql immutable parallel safe set search_path = ''
return array[
  'about', 'admin', 'administrator', 'admins', 'anonymous', 'api', 'auth', 'contact', 'deleted', 'everyone', 'former-member',
  'forum', 'guest', 'help', 'here', 'limb-commons', 'limbcommons', 'me', 'mod', 'moderation', 'moderator',
  'moderators', 'mods', 'nhs', 'null', 'official', 'owner', 'postmaster', 'privacy', 'root', 'security', 'settings',
  'staff', 'superuser', 'support', 'sysadmin', 'system', 'team', 'undefined', 'unknown', 'webmaster'
];

/*
 * A name as it appears to the eye: words of a to z, with letters of other scripts, digits and signs that look
 * like one of them replaced by it, l by i and "rn" by m. Only for comparing two names that were both
 * converted by it.
 */
create function private.name_skeleton(value text) returns text
language sql immutable parallel safe set search_path = ''
return btrim(regexp_replace(
  replace(translate(
    private.normalized(normalize(value, NFKC)),
    'аеорсухіјѕԁкмтвнпгԛԝӏαεορνικτημσυ013457$@!|l',
    'aeopcyxijsdkmtbhnrqwiaeopniktnmouoieastsaiii'
  ), 'rn', 'm'),
  '[^a-z]+', ' ', 'g'
));

/* The reserved names as skeletons without blanks. A function of nothing, so that PostgreSQL works them out once for a
   statement's plan instead of at each name that is tested. */
create function private.reserved_skeletons() returns text[]
language sql immutable parallel safe set search_path = ''
return array(select replace(private.name_skeleton(r), ' ', '') from unnest(private.reserved_names()) as r);

/*
 * True for a name that passes for staff or the site: one that claims so ("Moderator Anna", the product's name),
 * in any spelling, and one of nothing but reserved names ("Support Team"). "Anna Staff" is a name of
 * a person.
 */
create function private.impersonates_staff(value text) returns boolean
language sql immutable parallel safe set search_path = ''
return (
  select replace(s.name, ' ', '') ~ 'moderator|administrator|iimbcommons|sysadmin|superuser|webmaster|postmaster'
    or string_to_array(s.name, ' ') && array['admin', 'admins']
    or replace(s.name, ' ', '') = any (private.reserved_skeletons())
    or string_to_array(s.name, ' ') <@ (private.reserved_skeletons() || array['the', 'site', 'and', 'of'])
  from (select private.name_skeleton(value) as name) s
  where s.name <> ''
);

grant execute on function private.reserved_names(), private.name_skeleton(text), private.reserved_skeletons(),
  private.impersonates_staff(text)
  to anon, authenticated, service_role;

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

/* The check digit of an NHS number: the first nine digits weighted 10 to 2, modulo 11. */
create function private.is_nhs_number(digits text) returns boolean
language sql immutable parallel safe set search_path = ''
return (
  select (11 - sum((11 - place) * substr(digits, place, 1)::integer) % 11) % 11 = substr(digits, 10, 1)::integer
  from generate_series(1, 9) as place
);

/* The personal details that a text seems to hold, by kind. The form warns its author by the same rules, which
   are written so that both engines read them alike; see app/sharing/patient-identifiers/patient-identifiers.ts. */
create function private.identifiers_of(value text) returns table (kind text, detail text)
language sql immutable parallel safe set search_path = ''
as $$
  select 'NHS number', regexp_replace(found.number[1], '[^0-9]', '', 'g')
  from regexp_matches(value, '(?<![0-9])[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}(?![0-9])', 'g') as found (number)
  where private.is_nhs_number(regexp_replace(found.number[1], '[^0-9]', '', 'g'))
  union all
  select rules.kind, lower(found.detail[1])
  from (values
    -- Upper case tells a title from "200 ms after", and a name from "Dr in charge".
    ('name', '(?<![A-Za-z])(?:Mr|Mrs|Ms|Miss|Dr)\.? (?:[A-Z]\.? )?[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ’-]+', 'g'),
    ('date of birth',
      '(?<![a-z])(?:d\.?o\.?b\.?|born|birth ?day|birth ?date|date of birth)(?![a-z])[^0-9]{0,20}'
      '(?:[0-9]{1,2}(?:st|nd|rd|th)?(?: of)?[-/. ](?:[0-9]{1,2}|[a-z]{3,9})[-/. ](?:[0-9]{4}|[0-9]{2})'
      '|[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2})(?![0-9])', 'gi'),
    ('postcode', '(?<![a-z0-9])(?:[beglmnsw]|[a-z]{2})[0-9][a-z0-9]? ?[0-9](?!nd|rd|th|st)[abd-hjlnp-uw-z]{2}(?![a-z0-9])', 'gi'),
    ('email address', '[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}\.[a-z]{2}', 'gi'),
    ('phone number', '(?<![0-9+.])(?:\+44 ?(?:\(0\) ?)?|0044 ?|\(?0)[1-9](?:[ ()-]{0,2}[0-9]){8,9}(?![0-9])', 'g')
  ) as rules (kind, pattern, flags), regexp_matches(value, rules.pattern, rules.flags) as found (detail)
$$;

/* The kinds of them, each once. */
create function private.identifiers_in(value text) returns text[]
language sql immutable parallel safe set search_path = ''
return array(
  select k.kind
  from unnest(array['NHS number', 'name', 'date of birth', 'postcode', 'email address', 'phone number']) with ordinality as k (kind, place)
  where k.kind in (select f.kind from private.identifiers_of(value) f) order by k.place
);

grant execute on function private.is_nhs_number(text), private.identifiers_of(text), private.identifiers_in(text)
  to anon, authenticated, service_role;
