/* The check digit of an NHS number: the first nine digits weighted 10 to 2, modulo 11. */
create function private.is_nhs_number(digits text) returns boolean
language sql immutable parallel safe set search_path = ''
return (
  select (11 - sum((11 - place) * substr(digits, place, 1)::integer) % 11) % 11 = substr(digits, 10, 1)::integer
  from generate_series(1, 9) as place
);

/* The kinds of personal detail that a text seems to hold. The form warns its author by the same rules, which
   are written so that both engines read them alike; see app/submission/patient-identifiers.ts. */
create function private.identifiers_in(value text) returns text[]
language sql immutable parallel safe set search_path = ''
return array_remove(array[
  case when exists (
    select from regexp_matches(value, '(?<![0-9])[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}(?![0-9])', 'g') as found (number)
    where private.is_nhs_number(regexp_replace(found.number[1], '[^0-9]', '', 'g'))
  ) then 'NHS number' end,
  case when value ~* '(?<![a-z])(?:d\.?o\.?b\.?|born|birth ?day|birth ?date|date of birth)(?![a-z])[^0-9]{0,20}(?:[0-9]{1,2}(?:st|nd|rd|th)?(?: of)?[-/. ](?:[0-9]{1,2}|[a-z]{3,9})[-/. ](?:[0-9]{4}|[0-9]{2})|[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2})(?![0-9])'
    then 'date of birth' end,
  case when value ~* '(?<![a-z0-9])(?:[beglmnsw]|[a-z]{2})[0-9][a-z0-9]? ?[0-9](?!nd|rd|th|st)[abd-hjlnp-uw-z]{2}(?![a-z0-9])'
    then 'postcode' end,
  case when value ~* '[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}\.[a-z]{2}' then 'email address' end,
  case when value ~ '(?<![0-9+.])(?:\+44 ?(?:\(0\) ?)?|0044 ?|\(?0)[1-9](?:[ ()-]{0,2}[0-9]){8,9}(?![0-9])' then 'phone number' end
], null);

grant execute on function private.is_nhs_number(text), private.identifiers_in(text) to anon, authenticated, service_role;
