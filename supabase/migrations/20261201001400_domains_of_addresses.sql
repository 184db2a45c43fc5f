-- Every way in which an account comes to an address asks for the domains that are allowed, whoever may sign up.

/*
 * The sentence that refuses an address of another domain; null for one that is allowed or invited. Security definer, because the
 * authentication service reads no table of ours.
 */
create function private.domain_refusal(address text) returns text
language sql stable security definer set search_path = ''
return (
  select 'Please use an email address at ' || array_to_string(s.email_domains, ' or ')
  from public.site_settings s
  where cardinality(s.email_domains) > 0
    and coalesce(split_part(lower(domain_refusal.address), '@', 2), '') <> all (s.email_domains)
    and not exists (
      select from private.invitations i
      where i.email = lower(domain_refusal.address) and i.invited_at > now() - interval '30 days'
    )
);

create or replace function private.before_user_created(event jsonb) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  settings public.site_settings;
  address constant text := lower(nullif(event -> 'user' ->> 'email', ''));
  phone constant text := nullif(event -> 'user' ->> 'phone', '');
  is_invited constant boolean := exists (
    select from private.invitations i where i.email = address and i.invited_at > now() - interval '30 days'
  );
  refusal constant text := private.domain_refusal(address);
begin
  select * into settings from public.site_settings;
  if settings.sign_up = 'closed' or (settings.sign_up = 'invite' and not is_invited) then
    return '{"error": {"http_code": 422, "code": "signup_disabled", "message": "Signups not allowed for this instance"}}';
  end if;
  if refusal is not null and (coalesce(address, phone) is not null or event -> 'user' ? 'id') then
    return jsonb_build_object('error',
      jsonb_build_object('http_code', 422, 'code', 'email_address_not_authorized', 'message', refusal));
  end if;
  return '{}';
end
$$;

/*
 * Holds the authentication service to the same, whichever way an account is added, and to the domains whichever way it comes to
 * another address: by a change that is asked for, which is why a confirmed one is not asked again, or by a provider that is
 * connected or disconnected. Invitations and the service key may add any; so may an operator's own statement. Not security
 * definer: it checks which role the statement runs as.
 */
create or replace function private.guard_account() returns trigger
language plpgsql set search_path = ''
as $$
declare
  refusal jsonb;
  message text;
begin
  if current_user <> 'supabase_auth_admin' or auth.role() = 'service_role' then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if new.invited_at is null then
      refusal := private.before_user_created(jsonb_build_object('user', jsonb_build_object('id', new.id, 'email', new.email)));
      if refusal ? 'error' then
        raise insufficient_privilege using message = refusal #>> '{error,message}', hint = refusal #>> '{error,code}';
      end if;
    end if;
    return new;
  end if;
  if new.email_change <> '' and new.email_change is distinct from old.email_change then
    message := private.domain_refusal(new.email_change);
  -- What takes the place of a deleted account's address is none.
  elsif new.email is distinct from old.email and new.email is distinct from old.email_change and new.email like '%@%' then
    message := private.domain_refusal(new.email);
  end if;
  if message is not null then
    raise insufficient_privilege using message = message, hint = 'email_address_not_authorized';
  end if;
  return new;
end
$$;

create or replace trigger guard_account before insert or update of email, email_change on auth.users
  for each row execute function private.guard_account();

grant execute on function private.domain_refusal(text) to supabase_auth_admin;

/* Invites an address to sign up, by a mail. For admins by invite_member, and for operators. An organisation's account with the
   address stays apart from the one that its invitation is for. */
create or replace function private.invite(address text) returns void
language plpgsql set search_path = ''
as $$
declare
  invited constant text := lower(btrim(address));
begin
  if invited is null or char_length(invited) > 255 or invited !~ '^[^@\s]+@([a-z0-9-]+\.)+[a-z][a-z0-9-]+$' then
    raise check_violation using message = 'Enter an email address, such as name@example.org';
  end if;
  if exists (select from auth.users u where u.email = invited and not u.is_sso_user and u.email_confirmed_at is not null) then
    raise check_violation using message = 'There is an account with this email already';
  end if;
  if (select count(*) from private.invitations i where i.invited_at > now() - interval '1 hour') >= 100 then
    perform private.raise_rate_limited('100 invitations were sent within an hour. Please wait before you send another.', '1 hour');
  end if;
  insert into private.invitations (email) values (invited) on conflict (email) do update set invited_at = now();
  insert into private.mail_jobs (address, notice, digest, due_at) values (invited, '{"type": "invitation"}', false, now());
  -- The log names no address: it outlives accounts.
  perform private.audit('member_invited', 'invitation', split_part(invited, '@', 2));
end
$$;

/* The next 50 invitations by address that no account has used and that have not lapsed; none for who is no admin. An
   organisation's account that was there before has not used one. */
create or replace function public.pending_invitations(after text default '') returns table (email text, lapses_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select i.email, i.invited_at + interval '30 days'
  from private.invitations i
  where (select private.is_admin()) and i.email > pending_invitations.after and i.invited_at > now() - interval '30 days'
    and not exists (
      select from auth.users u
      where u.email = i.email and u.email_confirmed_at is not null
        and (not u.is_sso_user or u.email_confirmed_at >= i.invited_at)
    )
  order by i.email
  limit 50;
$$;
