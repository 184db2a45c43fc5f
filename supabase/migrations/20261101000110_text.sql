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
 * Persian and Indic names are spelt are allowed between letters of those scripts.
 */
create function private.has_hidden_characters(value text) returns boolean
language sql immutable parallel safe set search_path = ''
return regexp_replace(value, '(?<=[\u0600-\u06FF\u0900-\u0DFF])[\u200C\u200D](?=[\u0600-\u06FF\u0900-\u0DFF])', '', 'g')
  ~ '[\u0001-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]';

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
