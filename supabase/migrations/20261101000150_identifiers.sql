/* The check digit of an NHS number: the first nine digits weighted 10 to 2, modulo 11. */
create function private.is_nhs_number(digits text) returns boolean
language sql immutable parallel safe set search_path = ''
return (
  select (11 - sum((11 - place) * substr(digits, place, 1)::integer) % 11) % 11 = substr(digits, 10, 1)::integer
  from generate_series(1, 9) as place
);

/* The personal details that a text seems to hold, by kind. The form warns its author by the same rules, which
   are written so that both engines read them alike; see app/sharing/submission/patient-identifiers.ts. */
create function private.identifiers_of(value text) returns table (kind text, detail text)
language sql immutable parallel safe set search_path = ''
as $$
  select 'NHS number', regexp_replace(found.number[1], '[^0-9]', '', 'g')
  from regexp_matches(value, '(?<![0-9])[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}(?![0-9])', 'g') as found (number)
  where private.is_nhs_number(regexp_replace(found.number[1], '[^0-9]', '', 'g'))
  union all
  select rules.kind, lower(found.detail[1])
  from (values
    ('date of birth', '(?<![a-z])(?:d\.?o\.?b\.?|born|birth ?day|birth ?date|date of birth)(?![a-z])[^0-9]{0,20}(?:[0-9]{1,2}(?:st|nd|rd|th)?(?: of)?[-/. ](?:[0-9]{1,2}|[a-z]{3,9})[-/. ](?:[0-9]{4}|[0-9]{2})|[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2})(?![0-9])'),
    ('postcode', '(?<![a-z0-9])(?:[beglmnsw]|[a-z]{2})[0-9][a-z0-9]? ?[0-9](?!nd|rd|th|st)[abd-hjlnp-uw-z]{2}(?![a-z0-9])'),
    ('email address', '[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}\.[a-z]{2}'),
    ('phone number', '(?<![0-9+.])(?:\+44 ?(?:\(0\) ?)?|0044 ?|\(?0)[1-9](?:[ ()-]{0,2}[0-9]){8,9}(?![0-9])')
  ) as rules (kind, pattern), regexp_matches(value, rules.pattern, 'gi') as found (detail)
$$;

/* The kinds of them, each once. */
create function private.identifiers_in(value text) returns text[]
language sql immutable parallel safe set search_path = ''
return array(
  select k.kind from unnest(array['NHS number', 'date of birth', 'postcode', 'email address', 'phone number']) with ordinality as k (kind, place)
  where k.kind in (select f.kind from private.identifiers_of(value) f) order by k.place
);

grant execute on function private.is_nhs_number(text), private.identifiers_of(text), private.identifiers_in(text) to anon, authenticated, service_role;
