-- The filter "Asked again" follows the questions (private.extra_facets), and a setting stops them.

create trigger use_questions_20_facets after insert or delete or update of audience on public.use_questions
  for each row execute function private.refresh_solution_facets();

/* Names that were there before the site's own name stay. Not security definer: it checks which role the statement runs as. */
create or replace function private.normalize_profile() returns trigger
language plpgsql set search_path = ''
as $$
declare
  settings constant text[] := array['allow_messages', 'allow_notifications', 'email_notifications', 'weekly_digest', 'digest_due_at',
    'asks_still_in_use', 'created_at', 'updated_at'];
begin
  new.avatar_url := private.storage_path(new.avatar_url);
  new.username := nullif(btrim(new.username), '');
  new.full_name := nullif(btrim(new.full_name), '');
  if (tg_op = 'INSERT' or new.username is distinct from old.username) and private.impersonates_site(new.username) then
    raise check_violation using message = 'This username is reserved';
  end if;
  if (tg_op = 'INSERT' or new.full_name is distinct from old.full_name) and private.impersonates_site(new.full_name) then
    raise check_violation using message = 'Please enter your own name, not one of the site''s staff';
  end if;
  -- Suspended and banned members change only their settings.
  if private.is_client() and (tg_op = 'INSERT' or to_jsonb(new) - settings <> to_jsonb(old) - settings) then
    perform private.refuse_sanctioned();
  end if;
  return new;
end
$$;
