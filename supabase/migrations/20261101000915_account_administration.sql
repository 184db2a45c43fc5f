-- Who may have an account, and what admins do about one without the service key.

create table private.invitations (
  -- In small letters.
  email text primary key,
  invited_at timestamptz not null default now()
);

comment on table private.invitations is
  'Addresses that admins have invited, for 30 days: they sign up where it takes an invitation, and whatever their domain.';

alter table private.invitations enable row level security;

/*
 * Says whether the authentication service may add an account: {} or {error: {http_code, code, message}}. It asks before it
 * looks for the address, so that the answer tells nothing of the accounts there are; a hosted project asks by its hook
 * "before user created". Security definer, because the service reads no table of ours.
 *
 * event: {user: {id, email, phone}}; without any, whether sign-up is open at all
 */
create function private.before_user_created(event jsonb) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  settings public.site_settings;
  address constant text := lower(nullif(event -> 'user' ->> 'email', ''));
  phone constant text := nullif(event -> 'user' ->> 'phone', '');
  is_invited constant boolean := exists (
    select from private.invitations i where i.email = address and i.invited_at > now() - interval '30 days'
  );
begin
  select * into settings from public.site_settings;
  if settings.sign_up = 'closed' or (settings.sign_up = 'invite' and not is_invited) then
    return '{"error": {"http_code": 422, "code": "signup_disabled", "message": "Signups not allowed for this instance"}}';
  end if;
  if cardinality(settings.email_domains) > 0 and not is_invited and (coalesce(address, phone) is not null or event -> 'user' ? 'id')
    and coalesce(split_part(address, '@', 2), '') <> all (settings.email_domains)
  then
    return jsonb_build_object('error', jsonb_build_object('http_code', 422, 'code', 'email_address_not_authorized',
      'message', 'Please use an email address at ' || array_to_string(settings.email_domains, ' or ')));
  end if;
  return '{}';
end
$$;

/*
 * Holds the authentication service to the same, whichever way an account is added, and to the domains when an address is
 * changed. Invitations and the service key may add any; so may an operator's own statement. Not security definer: it checks
 * which role the statement runs as.
 */
create function private.guard_account() returns trigger
language plpgsql set search_path = ''
as $$
declare
  refusal jsonb;
begin
  if current_user <> 'supabase_auth_admin' or auth.role() = 'service_role' then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if new.invited_at is null then
      refusal := private.before_user_created(jsonb_build_object('user', jsonb_build_object('id', new.id, 'email', new.email)));
    end if;
  elsif new.email_change <> '' and new.email_change is distinct from old.email_change then
    refusal := private.before_user_created(jsonb_build_object('user', jsonb_build_object('email', new.email_change)));
  end if;
  if refusal #>> '{error,code}' = 'email_address_not_authorized' or (tg_op = 'INSERT' and refusal ? 'error') then
    raise insufficient_privilege using message = refusal #>> '{error,message}', hint = refusal #>> '{error,code}';
  end if;
  return new;
end
$$;

create trigger guard_account before insert or update of email_change on auth.users
  for each row execute function private.guard_account();

/* What the templates of emails about accounts are filled with besides. Security definer, because the authentication service reads no
   table of ours. */
create function private.email_variables() returns jsonb
language sql stable security definer set search_path = ''
return (select jsonb_build_object('SiteName', s.site_name, 'AccentColour', s.accent_colour) from public.site_settings s);

grant usage on schema private to supabase_auth_admin;
grant execute on function private.before_user_created(jsonb), private.guard_account(), private.email_variables()
  to supabase_auth_admin;

/* Whether the caller may act on the account: an admin, and not on that of an admin, themselves included. */
create function private.refuse_account_act(member uuid) returns void
language plpgsql stable set search_path = ''
as $$
begin
  perform private.may_take_part();
  if not private.may_administer() or private.is_admin_account(member) then
    raise insufficient_privilege using message = 'Only admins can do this, and not to an admin’s account';
  end if;
end
$$;

/* Mails an account's owner about it, at its confirmed address and whatever they chose; also one who cannot sign in. */
create function private.mail_account_notice(member uuid, kind text) returns void
language sql set search_path = ''
as $$
  insert into private.mail_jobs (address, notice, digest, due_at)
  select u.email, jsonb_build_object('type', kind), false, now()
  from auth.users u where u.id = member and u.email_confirmed_at is not null;
$$;

/* Ends all sessions of a member and lets them sign in no more, or again. For admins by set_account_disabled, and for operators. */
create function private.disable_account(member uuid, disabled boolean) returns void
language plpgsql set search_path = ''
as $$
begin
  update auth.users u set banned_until = case when disabled then now() + interval '100 years' end where u.id = member;
  if disabled then
    delete from auth.sessions s where s.user_id = member;
  end if;
  perform private.audit(case when disabled then 'account_disabled' else 'account_enabled' end, 'profile', member::text);
  perform private.mail_account_notice(member, case when disabled then 'account_disabled' else 'account_enabled' end);
end
$$;

/* Removes a second step that its owner has lost, with the recovery codes, and ends their sessions. For admins by
   remove_second_step, and for operators. */
create function private.forget_second_step(member uuid) returns void
language plpgsql set search_path = ''
as $$
begin
  delete from auth.mfa_factors f where f.user_id = member;
  if not found then
    raise check_violation using message = 'This member has not set up two-step sign-in';
  end if;
  delete from auth.sessions s where s.user_id = member;
  perform private.audit('second_step_removed', 'profile', member::text);
  perform private.mail_account_notice(member, 'second_step_removed');
end
$$;

/* What an admin sees of a member's account: {disabled, second_step}; null for others. Security definer, as are its siblings
   below, because accounts lie with Auth. */
create function public.member_account(member uuid) returns jsonb
language sql stable security definer set search_path = ''
return (
  select jsonb_build_object(
    'disabled', coalesce(u.banned_until > now(), false),
    'second_step', exists (select from auth.mfa_factors f where f.user_id = u.id and f.status::text = 'verified')
  )
  from auth.users u where u.id = member and private.is_admin()
);

/* Errors: 42501 for who is no admin, and for the account of one. */
create function public.set_account_disabled(member uuid, disabled boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.refuse_account_act(member);
  perform private.disable_account(member, disabled);
end
$$;

/* Errors: 42501 for who is no admin and for the account of one, 23514 without a second step. */
create function public.remove_second_step(member uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.refuse_account_act(member);
  perform private.forget_second_step(member);
end
$$;

/* Invites an address to sign up, by a mail. For admins by invite_member, and for operators. */
create function private.invite(address text) returns void
language plpgsql set search_path = ''
as $$
declare
  invited constant text := lower(btrim(address));
begin
  if invited is null or char_length(invited) > 255 or invited !~ '^[^@\s]+@([a-z0-9-]+\.)+[a-z][a-z0-9-]+$' then
    raise check_violation using message = 'Enter an email address, such as name@example.org';
  end if;
  if exists (select from auth.users u where u.email = invited and u.email_confirmed_at is not null) then
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

/* Errors: 42501 for who is no admin, 23514 for what is no address and for one that has an account, PT429 after 100 within an
   hour. */
create function public.invite_member(email text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.may_take_part();
  if not private.may_administer() then
    raise insufficient_privilege using message = 'Only admins can invite people';
  end if;
  perform private.invite(email);
end
$$;

/* Takes an invitation back before it is used, with its mail if that still waits. For admins by withdraw_invitation, and for
   operators. */
create function private.take_back_invitation(address text) returns void
language plpgsql set search_path = ''
as $$
declare
  invited constant text := lower(btrim(address));
begin
  delete from private.invitations i where i.email = invited;
  if not found then
    raise check_violation using message = 'There is no invitation to this address';
  end if;
  delete from private.mail_jobs j where j.address = invited and j.notice ->> 'type' = 'invitation';
  perform private.audit('invitation_withdrawn', 'invitation', split_part(invited, '@', 2));
end
$$;

/* Errors: 42501 for who is no admin, 23514 without an invitation. */
create function public.withdraw_invitation(email text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.may_take_part();
  if not private.may_administer() then
    raise insufficient_privilege using message = 'Only admins can withdraw invitations';
  end if;
  perform private.take_back_invitation(email);
end
$$;

/* The next 50 invitations by address that no account has used and that have not lapsed; none for who is no admin. */
create function public.pending_invitations(after text default '') returns table (email text, lapses_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select i.email, i.invited_at + interval '30 days'
  from private.invitations i
  where (select private.is_admin()) and i.email > pending_invitations.after and i.invited_at > now() - interval '30 days'
    and not exists (select from auth.users u where u.email = i.email and u.email_confirmed_at is not null)
  order by i.email
  limit 50;
$$;

grant execute on function public.member_account(uuid), public.set_account_disabled(uuid, boolean), public.remove_second_step(uuid),
  public.invite_member(text), public.withdraw_invitation(text), public.pending_invitations(text) to authenticated;
