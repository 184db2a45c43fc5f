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

/*
 * True for a name that passes for staff or the site: one that claims so ("Moderator Anna", "Limb Commons
 * team"), in any spelling, and one of nothing but reserved names ("Support Team"). "Anna Staff" is a name of
 * a person.
 */
create function private.impersonates_staff(value text) returns boolean
language sql immutable parallel safe set search_path = ''
return (
  select replace(s.name, ' ', '') ~ 'moderator|administrator|iimbcommons|sysadmin|superuser|webmaster|postmaster'
    or string_to_array(s.name, ' ') && array['admin', 'admins']
    or replace(s.name, ' ', '') = any (s.reserved)
    or string_to_array(s.name, ' ') <@ (s.reserved || array['the', 'site', 'and', 'of'])
  from (
    select private.name_skeleton(value) as name,
      array(select replace(private.name_skeleton(r), ' ', '') from unnest(private.reserved_names()) as r) as reserved
  ) s
  where s.name <> ''
);

grant execute on function private.reserved_names(), private.name_skeleton(text), private.impersonates_staff(text)
  to anon, authenticated, service_role;
