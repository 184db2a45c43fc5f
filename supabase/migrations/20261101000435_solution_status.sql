/* Enforces rules that policies cannot express: which columns change together, and who may change them. Not
   security definer, because it checks which role the statement runs as. */
create function private.guard_solution() returns trigger
language plpgsql set search_path = ''
as $$
declare
  edited boolean;
begin
  new.title := btrim(new.title);
  if tg_op = 'INSERT' then
    new.version := (new.status = 'approved')::integer;
  end if;
  -- Not a constraint of the table, which each like and comment would test.
  if char_length(new.change_note) > 500 then
    raise check_violation using message = 'What changed must be at most 500 characters';
  end if;
  if tg_op = 'INSERT' or not private.is_client() then
    return new;
  end if;

  new.change_note := case when new.revises is not null then nullif(btrim(new.change_note), '') end;

  new.thumbnail_url := private.storage_path(new.thumbnail_url);
  if new.thumbnail_url is distinct from old.thumbnail_url and new.thumbnail_url is not null
    and not exists (
      select from public.solution_media m
      where m.solution_id = new.id and new.thumbnail_url in (m.media_url, m.compressed_url, m.thumbnail_url)
    )
  then
    raise check_violation using message = 'The thumbnail must be one of this solution''s own media';
  end if;

  edited := to_jsonb(new) - private.solution_state() <> to_jsonb(old) - private.solution_state()
    or (new.thumbnail_url, new.change_note) is distinct from (old.thumbnail_url, old.change_note);
  -- To show it to fewer needs no review.
  edited := edited or not private.covers_audience(old.audience, new.audience);

  if old.user_id = (select auth.uid()) and (edited or new.status = 'pending') then
    if old.status = 'approved' then
      raise check_violation using message = 'This solution is published. Submit your changes as a new version.';
    end if;
    -- The reviewed content is no longer the content readers would see: back to review in the same statement.
    if new.status is distinct from old.status and new.status <> 'pending' then
      raise insufficient_privilege using message = 'An edited solution must be reviewed first';
    end if;
    new.status := 'pending';
    new.rejection_reason := null;
    new.approved_at := null;
    return new;
  end if;

  if edited or (new.audience <> old.audience and old.user_id is distinct from (select auth.uid())) then
    raise insufficient_privilege using message = 'Only the author can edit a solution';
  end if;
  if new.status is distinct from old.status then
    if not private.may_moderate() or (old.user_id = (select auth.uid()) and not private.is_admin()) then
      raise insufficient_privilege using message = 'Only a moderator can decide on a solution, and not on their own';
    end if;
    if old.status <> 'pending' or new.status not in ('approved', 'rejected') then
      raise check_violation using message = 'Only a pending solution can be approved or rejected';
    end if;
    if new.status = 'approved' then
      new.rejection_reason := null;
      new.approved_at := now();
    end if;
  elsif new.rejection_reason is distinct from old.rejection_reason then
    raise insufficient_privilege using message = 'A decision cannot be reworded';
  end if;
  return new;
end
$$;

create trigger solutions_10_guard before insert or update on public.solutions
  for each row execute function private.guard_solution();
