/*
 * Takes back the caller's wish to change their address; links and codes that were sent for it become invalid. The
 * sign-in service has no request for it. False when no change was waiting. Security definer, because members cannot
 * write auth.users.
 */
create function public.cancel_email_change() returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := auth.uid();
begin
  if me is null or not private.has_required_aal() then
    raise insufficient_privilege using message = 'Please sign in again to change your email';
  end if;
  delete from auth.one_time_tokens t
  where t.user_id = me and t.token_type::text in ('email_change_token_new', 'email_change_token_current');
  update auth.users u
  set email_change = '', email_change_token_new = '', email_change_token_current = '', email_change_confirm_status = 0
  where u.id = me and u.email_change <> '';
  return found;
end
$$;

grant execute on function public.cancel_email_change() to authenticated;
