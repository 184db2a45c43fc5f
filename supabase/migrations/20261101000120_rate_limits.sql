/* Refuses an action that was repeated too often recently: status 429 with the time to wait, which PostgREST
   reads from the error itself. */
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

/* Refuses another row of the caller's in `rows` for now when they, by the column `owner`, have made
   `max_rows` of them within `span`, at the longest until `until`. Simultaneous requests are counted one after
   the other. Reads at most `max_rows` entries of an index on the owner and the time. Not security definer: it
   looks at the rows that its caller can see. */
create function private.enforce_row_limit(
  rows regclass, owner text, max_rows integer, span interval, reason text, until timestamptz default null
) returns void
language plpgsql set search_path = ''
as $$
declare
  made_at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended(rows::text || ' of ' || (select auth.uid()), 0));
  execute format(
    'select r.created_at from %s r where r.%I = $1 and r.created_at > now() - $2 order by r.created_at desc offset $3 limit 1', rows, owner
  )
    into made_at using (select auth.uid()), span, max_rows - 1;
  if made_at is not null then
    perform private.raise_rate_limited(reason, least(made_at + span, until) - now());
  end if;
end
$$;

grant execute on function private.enforce_row_limit(regclass, text, integer, interval, text, timestamptz) to authenticated, service_role;

-- Not logged: after a crash all counts begin at zero.
create unlogged table private.rate_limit_counters (
  action text not null,
  client text not null,
  minute timestamptz not null,
  count integer not null default 1,
  primary key (client, action, minute)
);

comment on table private.rate_limit_counters is
  'The number of each client''s acts in the current minute, for throttling only; older rows are removed in passing.';

create index rate_limit_counters_minute_idx on private.rate_limit_counters (minute);
alter table private.rate_limit_counters enable row level security;

/*
 * The networks by which the caller's client is counted, from the address that the gateway reports: of IPv4
 * the address, of IPv6 the /64 that a household has, and then the /56 around it, of which one customer can
 * have all 256. Takes an address with a port, in brackets, with a zone or with quotes, and one of IPv4
 * written as IPv6. All clients without a known address count as one network, ''.
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
 * Counts an act of the caller, and returns whether it is within the limit for this minute: of a member by
 * account, of others by network, and of the networks around it with a limit four times as high together.
 * Networks are kept only as a hash and only for minutes. Security definer, because the counted client must
 * not write the count.
 */
create function private.within_rate_limit(kind text, max_count integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  is_within boolean := true;
  new_count integer;
  counted_client text;
  place bigint;
begin
  for counted_client, place in
    select coalesce((select auth.uid())::text, md5(n.network)), n.place
    from unnest(private.client_networks()) with ordinality as n (network, place)
    where n.place = 1 or (select auth.uid()) is null
  loop
    insert into private.rate_limit_counters as c (action, client, minute) values (kind, counted_client, date_trunc('minute', now()))
    on conflict (client, action, minute) do update set count = c.count + 1
    returning c.count into new_count;
    if new_count = 1 then
      delete from private.rate_limit_counters c where c.minute < now() - interval '2 minutes';
    end if;
    is_within := is_within and new_count <= max_count * case place when 1 then 1 else 4 end;
  end loop;
  return is_within;
end
$$;

grant execute on function private.within_rate_limit(text, integer) to anon, authenticated, service_role;
