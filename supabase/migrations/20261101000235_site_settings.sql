create policy "Everybody can read the settings" on public.site_settings for select using (true);
create policy "Admins can change the settings" on public.site_settings
  for update to authenticated using ((select private.may_administer()));

grant select on public.site_settings to anon, authenticated;
grant update (site_name, welcome_text, accent_colour, logo_url, sign_up, email_domains, staff_second_step, show_points,
    reviewed_first_posts)
  on public.site_settings to authenticated;
revoke insert, delete on public.site_settings from service_role;

/* Texts without spaces around them, domains and the colour in small letters. An admin without a second step would lock themselves out by
   demanding one. Not security definer: it checks which role the statement runs as. */
create function private.normalize_site_settings() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.site_name := btrim(regexp_replace(new.site_name, '\s+', ' ', 'g'));
  new.welcome_text := btrim(new.welcome_text);
  new.accent_colour := lower(btrim(new.accent_colour));
  new.email_domains := array(
    select distinct lower(ltrim(btrim(d.domain), '@')) from unnest(new.email_domains) d (domain) where btrim(d.domain) <> '' order by 1
  );
  if new.staff_second_step and not old.staff_second_step and private.is_client() and not private.has_aal2() then
    raise insufficient_privilege using message = 'Set up two-step sign-in for your own account first';
  end if;
  return new;
end
$$;

grant execute on function private.has_aal2() to authenticated, service_role;

create trigger site_settings_normalize before update on public.site_settings
  for each row execute function private.normalize_site_settings();

/* Writes an entry for each setting that has another value. Security definer, because it writes the audit log. */
create function private.audit_site_settings() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.audit('setting_changed', 'setting', n.key, jsonb_build_object(n.key, o.value), jsonb_build_object(n.key, n.value))
  from jsonb_each(to_jsonb(new)) n join jsonb_each(to_jsonb(old)) o using (key)
  where n.value <> o.value
  order by n.key;
  return null;
end
$$;

create trigger site_settings_audit after update on public.site_settings
  for each row execute function private.audit_site_settings();

/* Tells every process that keeps the settings. Not security definer: anyone may notify. */
create function private.tell_site_settings() returns trigger
language plpgsql set search_path = ''
as $$
begin
  perform pg_notify('site_settings', '');
  return null;
end
$$;

create trigger site_settings_tell after update on public.site_settings
  for each statement execute function private.tell_site_settings();

/* Whether readers see points and badges. */
create function private.shows_points() returns boolean
language sql stable set search_path = ''
return coalesce((select s.show_points from public.site_settings s), true);

grant execute on function private.shows_points() to anon, authenticated, service_role;
