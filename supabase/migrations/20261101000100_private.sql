-- Ground for all other migrations: extensions, and a schema the API does not expose for the functions that
-- policies, constraints and triggers call.

create extension if not exists pg_trgm schema extensions;
create extension if not exists unaccent schema extensions;
create extension if not exists pgcrypto schema extensions;

create schema private;
grant usage on schema private to anon, authenticated, service_role;

-- What is made hereafter is open to nobody but the service key, and to visitors and members only where it is granted by
-- name: the same on a Supabase project of today, whose defaults leave a few rights to each of them, on one of before, whose
-- defaults leave all, and here. PostgreSQL itself lets everybody execute a new function.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public grant select, insert, update, delete on tables to service_role;
alter default privileges in schema public grant usage, select on sequences to service_role;
alter default privileges in schema public grant execute on functions to service_role;

/* True for null, white space and characters that show nothing (zero-width marks, soft hyphen, byte order mark). */
create function private.is_blank(value text) returns boolean
language sql immutable parallel safe set search_path = ''
return coalesce(regexp_replace(value, '[\s\u00A0\u00AD\u180E\u200B-\u200F\u2028-\u202F\u2060-\u2064\u3164\uFEFF]+', '', 'g'), '') = '';

grant execute on function private.is_blank(text) to anon, authenticated, service_role;

/* Lower case without accents, so that "Prothèse" is found by "prothese". The dictionary is named, which is
   what makes the result independent of settings and the function safe to store the result of. */
create function private.normalized(value text) returns text
language sql immutable parallel safe set search_path = ''
return lower(extensions.unaccent('extensions.unaccent'::regdictionary, value));

grant execute on function private.normalized(text) to anon, authenticated, service_role;

/*
 * True for a text with characters that turn the order of what stands beside it or show nothing: controls, marks of
 * direction (UAX #9) and what Unicode says to ignore when drawn. The joiners that Persian and Indic names are spelt with
 * are none between letters of those scripts.
 */
create function private.has_hidden_characters(value text) returns boolean
language sql immutable parallel safe set search_path = ''
return regexp_replace(value, '(?<=[\u0600-\u06FF\u0900-\u0DFF])[\u200C\u200D](?=[\u0600-\u06FF\u0900-\u0DFF])', '', 'g')
  ~ '[\u0001-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]';

/* Names that would pass for the site itself, or for nobody. */
create function private.reserved_names() returns text[]
language sql immutable parallel safe set search_path = ''
return array[
  'about', 'admin', 'administrator', 'admins', 'anonymous', 'api', 'auth', 'contact', 'deleted', 'everyone', 'former-member',
  'forum', 'guest', 'help', 'here', 'limb-commons', 'limbcommons', 'me', 'mod', 'moderation', 'moderator',
  'moderators', 'mods', 'nhs', 'null', 'official', 'owner', 'postmaster', 'privacy', 'root', 'security', 'settings',
  'staff', 'superuser', 'support', 'sysadmin', 'system', 'team', 'undefined', 'unknown', 'webmaster'
];

/*
 * A name as the eye takes it in: words of a to z, with letters of other scripts, digits and signs that look like one of
 * them replaced by it, l by i and "rn" by m. Only good for comparing two that went through it.
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
 * True for a name that passes for staff or the site: one that says so ("Moderator Anna", "Limb Commons team"), however it
 * is spelt, and one of nothing but reserved names ("Support Team"). "Anna Staff" is somebody's name.
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

grant execute on function private.has_hidden_characters(text), private.reserved_names(), private.name_skeleton(text), private.impersonates_staff(text)
  to anon, authenticated, service_role;

/* Stamps `updated_at`; what the client sent for it is ignored. */
create function private.touch() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;

/* A statement that came through the API as a visitor or member, as opposed to one of our own functions, a
   trusted service or an operator. Trigger functions that ask this must not be security definer. */
create function private.is_client() returns boolean
language sql stable set search_path = ''
return current_user in ('anon', 'authenticated');

grant execute on function private.is_client() to anon, authenticated, service_role;

/* Refuses what has been done too often of late: status 429 with the time to wait, which PostgREST reads from the
   error itself. */
create function private.raise_rate_limited(reason text, wait interval) returns void
language plpgsql set search_path = ''
as $$
begin
  raise sqlstate 'PGRST' using
    message = jsonb_build_object('code', 'PT429', 'message', reason)::text,
    detail = jsonb_build_object(
      'status', 429, 'headers', jsonb_build_object('Retry-After', greatest(1, ceil(extract(epoch from wait)))::integer::text)
    )::text;
end
$$;

grant execute on function private.raise_rate_limited(text, interval) to anon, authenticated, service_role;

/* Refuses another row of the caller's in `rows` for now when they, by the column `owner`, have made `max_rows` of them within
   `span`, at the longest until `until`. Many at once are counted one after the other. Not security definer: it counts
   what the caller can see. */
create function private.enforce_row_limit(rows regclass, owner text, max_rows integer, span interval, reason text, until timestamptz default null) returns void
language plpgsql set search_path = ''
as $$
declare
  made integer;
  first_made timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended(rows::text || ' of ' || (select auth.uid()), 0));
  execute format('select count(*), min(r.created_at) from %s r where r.%I = auth.uid() and r.created_at > now() - $1', rows, owner)
    into made, first_made using span;
  if made >= max_rows then
    perform private.raise_rate_limited(reason, least(first_made + span, until) - now());
  end if;
end
$$;

grant execute on function private.enforce_row_limit(regclass, text, integer, interval, text, timestamptz) to authenticated, service_role;

-- Not logged: after a crash everybody begins anew.
create unlogged table private.rate_limit_counters (
  action text not null,
  client text not null,
  minute timestamptz not null,
  count integer not null default 1,
  primary key (client, action, minute)
);

comment on table private.rate_limit_counters is 'How often each client did something in the current minute, for throttling alone; older rows are swept on the way.';

create index rate_limit_counters_minute_idx on private.rate_limit_counters (minute);
alter table private.rate_limit_counters enable row level security;

/*
 * The networks by which the caller's client is counted, as the gateway reports its address: of IPv4 the address, of IPv6
 * the /64 that a household has, and then the /56 around it, of which one customer can have all 256. Takes an address with
 * a port, in brackets, with a zone or with quotes, and one of IPv4 written as IPv6. Where it is not known, everybody is
 * one network, ''.
 */
create function private.client_networks() returns text[]
language plpgsql stable set search_path = ''
as $$
declare
  -- The gateway sends one address; Supabase's lists its proxies after it.
  forwarded_for text := btrim(split_part(nullif(current_setting('request.headers', true), '')::json ->> 'x-forwarded-for', ',', 1), ' "');
  address inet;
begin
  address := host(split_part(case
    when forwarded_for like '[%' then substring(forwarded_for from '^\[([^]]*)')
    when forwarded_for ~ '^[0-9.]+:[0-9]+$' then split_part(forwarded_for, ':', 1)
    else forwarded_for
  end, '%', 1)::inet)::inet;
  if address <<= '::ffff:0:0/96' then
    address := '0.0.0.0'::inet + (address - '::ffff:0:0'::inet);
  end if;
  return case
    when address is null then array['']
    when family(address) = 4 then array[host(address)]
    else array[network(set_masklen(address, 64))::text, network(set_masklen(address, 56))::text]
  end;
exception when invalid_text_representation then
  return array[''];
end
$$;

grant execute on function private.client_networks() to anon, authenticated, service_role;

/*
 * Counts an act of the caller, and says whether there were at most so many in this minute: of a member by account, of
 * others by network, and of the networks around it four times as many together. Networks are kept only as a hash and
 * only for minutes. Security definer, because who is counted must not write the count.
 */
create function private.within_rate_limit(kind text, max_count integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  within boolean := true;
  counted integer;
  who text;
  place bigint;
begin
  for who, place in
    select coalesce((select auth.uid())::text, md5(n.network)), n.place
    from unnest(private.client_networks()) with ordinality as n (network, place)
    where n.place = 1 or (select auth.uid()) is null
  loop
    insert into private.rate_limit_counters as c (action, client, minute) values (kind, who, date_trunc('minute', now()))
    on conflict (client, action, minute) do update set count = c.count + 1
    returning c.count into counted;
    if counted = 1 then
      delete from private.rate_limit_counters c where c.minute < now() - interval '2 minutes';
    end if;
    within := within and counted <= max_count * case place when 1 then 1 else 4 end;
  end loop;
  return within;
end
$$;

grant execute on function private.within_rate_limit(text, integer) to anon, authenticated, service_role;
