-- The ORCID iD of a member who connected ORCID as a way to sign in, for readers once the member chooses to show it.

/* Whether the last sign is the check character of the 15 digits before it by ISO 7064, MOD 11-2. */
create function private.is_orcid(id text) returns boolean
language sql immutable set search_path = ''
return id ~ '^[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]$' and (
  select substr('0123456789X', (12 - sum(substr(replace(id, '-', ''), n, 1)::integer << (16 - n)) % 11)::integer % 11 + 1, 1)
  from generate_series(1, 15) n
) = right(id, 1);

grant execute on function private.is_orcid(text) to anon, authenticated, service_role;

-- Written by show_orcid alone, and emptied when ORCID is disconnected.
alter table public.profiles add column orcid text constraint "This is not an ORCID iD" check (private.is_orcid(orcid));

grant select (orcid) on public.profiles to anon;

/*
 * Shows the caller's ORCID iD to all readers, or hides it. It is taken from how they sign in, and only where ORCID itself vouched
 * for it: a provider that merely has its name, such as ORCID's sandbox, gives none.
 * Security definer, because members can write neither auth.identities nor this column.
 */
create function public.show_orcid(shown boolean) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := auth.uid();
  connected text;
begin
  if me is null or not private.has_required_aal() then
    raise insufficient_privilege using message = 'Please sign in again to change what others see';
  end if;
  if shown then
    perform private.refuse_sanctioned();
    -- Locked, so that one that is being disconnected is not shown afterwards.
    select i.provider_id into connected
    from auth.identities i
    where i.user_id = me and i.provider in ('orcid', 'custom:orcid') and i.identity_data ->> 'iss' = 'https://orcid.org'
    order by i.created_at limit 1
    for share;
    if connected is null then
      raise check_violation using message = 'Connect ORCID first';
    end if;
  end if;
  update public.profiles p set orcid = connected where p.id = me;
  return connected;
end
$$;

grant execute on function public.show_orcid(boolean) to authenticated;

/* Hides an iD whose owner no longer signs in by it. Security definer, because the sign-in service cannot write profiles. */
create function private.hide_disconnected_orcid() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.profiles p set orcid = null where p.id = old.user_id and p.orcid = old.provider_id;
  return null;
end
$$;

create trigger hide_disconnected_orcid after delete on auth.identities
  for each row execute function private.hide_disconnected_orcid();
