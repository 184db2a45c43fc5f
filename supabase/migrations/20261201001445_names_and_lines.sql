-- Names whose letters only look alike, and lines that read in another order than they are stored in.

/* True for a text with a word of several alphabets, as of a Latin name with one Cyrillic letter. The scripts of East Asia, which have no
   letters that look like those of others, stand beside any. */
create function private.mixes_alphabets(value text) returns boolean
language sql immutable parallel safe set search_path = ''
return exists (
  select from regexp_split_to_table(normalize(value, NFKC), '[\s\d_.,;:/()&+\u2010-\u2015-]+') as w (word)
  where 1 < (w.word ~ '[A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02AF\u1D00-\u1D7F\u1E00-\u1EFF'
      '\u2C60-\u2C7F\uA720-\uA7FF\uAB30-\uAB64]')::integer
    + (w.word ~ '[\u0370-\u03FF\u1F00-\u1FFF]')::integer
    + (w.word ~ '[\u0400-\u052F\u1C80-\u1C8F\u2DE0-\u2DFF\uA640-\uA69F]')::integer
    + (w.word ~ '[\u0530-\u058F]')::integer
    + (w.word ~ '[\u0590-\u109F\u1200-\u137F\u1700-\u1AAF]')::integer
    + (w.word ~ '[\u10A0-\u10FF\u1C90-\u1CBF\u2D00-\u2D2F]')::integer
    + (w.word ~ '[\u13A0-\u16FF\u2C80-\u2CFF\u2D30-\u2DDF\uA4D0-\uA63F\uAB70-\uABBF]')::integer
);

grant execute on function private.mixes_alphabets(text) to anon, authenticated, service_role;

/* Names that were there before these rules stay. Not security definer: it checks which role the statement runs as. */
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
  if (tg_op = 'INSERT' or new.full_name is distinct from old.full_name) and private.mixes_alphabets(new.full_name)
    and not private.impersonates_staff(new.full_name) and not private.has_hidden_characters(new.full_name)
  then
    raise check_violation using message = 'Each word of a name must be of one alphabet';
  end if;
  -- Suspended and banned members change only their settings.
  if private.is_client() and (tg_op = 'INSERT' or to_jsonb(new) - settings <> to_jsonb(old) - settings) then
    perform private.refuse_sanctioned();
  end if;
  return new;
end
$$;

/* Why the caller cannot have these names, in the words of the constraints, which decide in the end: one for the
   username, one for the full name; null where nothing is in the way. */
create or replace function public.name_refusals(username text, full_name text, out username_refusal text, out full_name_refusal text)
language sql stable set search_path = ''
as $$
  select
    case
      when private.impersonates_staff(username) or private.impersonates_site(username)
        then 'This username is reserved'
      when exists (
        select from public.profiles p
        where lower(p.username) = lower(btrim(name_refusals.username)) and p.id is distinct from (select auth.uid())
      ) then 'This username is already taken'
    end,
    case
      when private.impersonates_staff(full_name) or private.impersonates_site(full_name)
        then 'Please enter your own name, not one of the site''s staff'
      when private.has_hidden_characters(full_name) then 'Names must not have invisible characters'
      when private.mixes_alphabets(full_name) then 'Each word of a name must be of one alphabet'
      when private.has_stacked_marks(full_name) then 'Names must not have more than four marks on a letter'
    end;
$$;

/* Takes the marks that change the direction of writing out of a line, which is isolated from what stands around it wherever it is shown.
   The arguments are its columns, each a text or a list of texts. Not security definer: it changes its own row alone. */
create function private.plain_lines() returns trigger
language plpgsql set search_path = ''
as $$
declare
  line text;
begin
  foreach line in array tg_argv loop
    new := jsonb_populate_record(new, jsonb_build_object(line,
      regexp_replace((to_jsonb(new) -> line)::text, '[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]', '', 'g')::jsonb));
  end loop;
  return new;
end
$$;

-- After that one, as each fires by its name.
alter trigger collections_guard on public.collections rename to collections_10_guard;
alter trigger cpd_entries_guard on public.cpd_entries rename to cpd_entries_10_guard;
alter trigger follows_guard on public.follows rename to follows_10_guard;
alter trigger held_posts_revise on public.held_posts rename to held_posts_10_revise;
alter trigger part_notices_replace on public.part_notices rename to part_notices_10_replace;
alter trigger resource_suggestions_guard on public.resource_suggestions rename to resource_suggestions_10_guard;

-- Of every short text that members write; names of people are refused with such a mark, and what staff write stands for itself.
do $$
declare
  place record;
begin
  for place in
    select c.relname as relation, string_agg(format('%L', a.attname), ', ' order by a.attnum) as arguments,
      string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns,
      string_agg(format('new.%I::text', a.attname), ', ' order by a.attnum) as texts
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and ((c.relname, a.attname) in (('solutions', 'custom_tags'), ('solution_fabrication', 'tools')) or exists (
        select from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey)
          and substring(pg_get_constraintdef(k.oid) from 'char_length\(' || a.attname || '\) <= (\d+)')::integer <= 200
      ))
      and not exists (
        select from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey)
          and pg_get_constraintdef(k.oid) like '%has_hidden_characters%'
      )
    group by c.relname
  loop
    execute format(
      'create trigger %I before insert or update of %s on public.%I
         for each row when (concat(%s) ~ ''[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]'')
         execute function private.plain_lines(%s)',
      place.relation || '_00_plain', place.columns, place.relation, place.texts, place.arguments
    );
  end loop;
end
$$;

/* As private.plain_lines, for the title among the texts of a translation. Not security definer: it changes its own row alone. */
create function private.plain_title() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.texts := jsonb_set(new.texts, '{title}', to_jsonb(
    regexp_replace(new.texts ->> 'title', '[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]', '', 'g')
  ));
  return new;
end
$$;

create trigger solution_translations_00_plain before insert or update of texts on public.solution_translations
  for each row when ((new.texts ->> 'title') ~ '[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]') execute function private.plain_title();
