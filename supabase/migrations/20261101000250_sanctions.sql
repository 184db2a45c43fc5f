create table public.sanctions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles on delete cascade,
  kind text not null check (kind in ('warning', 'suspension', 'ban')),
  reason text not null
    constraint "Please provide a reason" check (not private.is_blank(reason))
    constraint "A reason must be at most 2000 characters" check (char_length(reason) <= 2000),
  until timestamptz,
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  lifted_at timestamptz,
  lifted_by uuid references public.profiles on delete set null,
  constraint "A suspension says until when" check ((kind = 'suspension') = (until is not null)),
  constraint "A suspension ends in the future, within a year" check (until > created_at and until <= created_at + interval '1 year 1 day')
);

comment on table public.sanctions is 'Warnings, suspensions and bans. Who is suspended or banned can read, but not take part.';

alter table public.sanctions enable row level security;

-- What a member's every write asks, and the history of a member.
create index sanctions_user_id_idx on public.sanctions (user_id, created_at desc);
-- Foreign keys.
create index sanctions_created_by_idx on public.sanctions (created_by);
create index sanctions_lifted_by_idx on public.sanctions (lifted_by);

/*
 * What keeps a member from taking part, in the words they are told; null when nothing does. For our own functions, which
 * work with the service key. Security definer, so that the rules below may ask it whatever the caller may read.
 */
create function public.sanction_message(member uuid) returns text
language sql stable security definer set search_path = ''
return (
  select case s.kind
    when 'ban' then 'You are banned from taking part'
    else 'You are suspended until ' || to_char(s.until at time zone 'UTC', 'FMDD FMMonth YYYY')
  end
  from public.sanctions s
  where s.user_id = member and s.lifted_at is null and (s.kind = 'ban' or s.until > now())
  order by s.kind = 'ban' desc, s.until desc
  limit 1
);

/* Whether the caller is suspended or banned. Security definer, because members ask nothing about others. */
create function private.is_sanctioned() returns boolean
language sql stable security definer set search_path = ''
return public.sanction_message((select auth.uid())) is not null;

/* True, or a refusal that says why: a policy that is merely false could not. Security definer for the same reason. */
create function private.may_take_part() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  reason text := public.sanction_message((select auth.uid()));
begin
  if reason is not null then
    raise insufficient_privilege using message = reason;
  end if;
  return true;
end
$$;

grant execute on function private.is_sanctioned(), private.may_take_part() to anon, authenticated, service_role;
