create policy "Members can read their own sanctions and moderators all" on public.sanctions
  for select to authenticated using (user_id = (select auth.uid()) or (select private.is_moderator()));
create policy "Moderators can warn and suspend members, admins also ban" on public.sanctions
  for insert to authenticated with check (
    created_by = (select auth.uid())
    and user_id <> (select auth.uid())
    and not private.is_admin_account(user_id)
    and ((select private.may_administer()) or ((select private.may_moderate()) and kind <> 'ban' and not private.is_staff_account(user_id)))
  );
create policy "Moderators can lift warnings and suspensions, admins also bans" on public.sanctions
  for update to authenticated
  using (
    lifted_at is null
    and user_id <> (select auth.uid())
    and ((select private.may_administer()) or ((select private.may_moderate()) and kind <> 'ban'))
  )
  with check (lifted_at is not null);

/* The server sets who lifted it, and when. Not security definer: it only fills the row in. */
create function private.stamp_sanction() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() then
    new.lifted_at := now();
    new.lifted_by := (select auth.uid());
  end if;
  return new;
end
$$;

create trigger sanctions_stamp before update on public.sanctions
  for each row execute function private.stamp_sanction();

/* Notifies the member by a message, which they can answer, and writes the audit log. Security definer for
   both. */
create function private.announce_sanction() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := (select auth.uid());
  subject_line text := case new.kind
    when 'warning' then 'A warning from the moderators'
    when 'suspension' then 'You are suspended until ' || to_char(new.until at time zone 'UTC', 'FMDD FMMonth YYYY')
    else 'You are banned from taking part'
  end;
begin
  if actor is null then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into public.messages (sender_id, recipient_id, subject, content) values (actor, new.user_id, subject_line, new.reason);
    perform private.audit('member_' || case new.kind when 'warning' then 'warned' when 'suspension' then 'suspended' else 'banned' end,
      'profile', new.user_id::text, null, jsonb_build_object('reason', new.reason, 'until', new.until));
  else
    insert into public.messages (sender_id, recipient_id, subject, content)
    values (actor, new.user_id, 'Lifted: ' || subject_line, 'This no longer holds. You can take part as before.');
    perform private.audit('sanction_lifted', 'profile', new.user_id::text, jsonb_build_object('kind', new.kind, 'until', new.until), null);
  end if;
  return null;
end
$$;

create trigger sanctions_announce after insert or update of lifted_at on public.sanctions
  for each row execute function private.announce_sanction();

grant select on public.sanctions to authenticated;
grant insert (user_id, kind, reason, until) on public.sanctions to authenticated;
grant update (lifted_at) on public.sanctions to authenticated;
