-- Names whose letters only look alike, and lines that read otherwise than they are stored.

/*
 * A name as it appears to the eye: words of a to z, with letters of other scripts and of phonetic writing, digits and signs that look
 * like one of them replaced by it, letters in circles, squares and flags too, l by i and "rn" by m. Only for comparing two names
 * that were both converted by it.
 */
create or replace function private.name_skeleton(value text) returns text
language sql immutable parallel safe set search_path = ''
return btrim(regexp_replace(
  replace(translate(
    private.normalized(normalize(value, NFKC)),
      'аеорсухіјѕԁкмтвнпгԛԝӏαεορνικτημσυ013457$@!|l'
      'ɐɑɒʌᴧəɘǝɜɚɝɔɵᴐᴑꟁɩᴉǀǃʊɯʍꟺᴎɹɿʁᴙᴚᴦꞃƨƽꞅʇʞʎɣƿᴩꞯᵹƅꞵꭓ'
      'ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ'
      'ꭰꭱꭲꭵꭹꭺꭻꭼꮃꮇꮋꮎꮐꮒꮓꮢꮩꮪꮮꮯꮲꮶꮷ'
      '🅐🅑🅒🅓🅔🅕🅖🅗🅘🅙🅚🅛🅜🅝🅞🅟🅠🅡🅢🅣🅤🅥🅦🅧🅨🅩'
      '🅰🅱🅲🅳🅴🅵🅶🅷🅸🅹🅺🅻🅼🅽🅾🅿🆀🆁🆂🆃🆄🆅🆆🆇🆈🆉'
      '🇦🇧🇨🇩🇪🇫🇬🇭🇮🇯🇰🇱🇲🇳🇴🇵🇶🇷🇸🇹🇺🇻🇼🇽🇾🇿'
      '⓿🄋🄌❶➀➊⓵❸➂➌⓷❹➃➍⓸❺➄➎⓹❼➆➐⓻',
      'aeopcyxijsdkmtbhnrqwiaeopniktnmouoieastsaiii'
      'aaaaaeeeeeeoooooiiiiummmnrrrrrrrssstkyyppqgbbx'
      'bpdtgkjczfmnisrvhwxyaeiou'
      'drtiyajewmhoghzrvsicpkd'
      'abcdefghijkimnopqrstuvwxyz'
      'abcdefghijkimnopqrstuvwxyz'
      'abcdefghijkimnopqrstuvwxyz'
      'oooiiiieeeeaaaasssstttt'
  ), 'rn', 'm'),
  '[^a-z]+', ' ', 'g'
));

reindex index public.member_registrations_name_idx;
-- A name that the constraint would refuse at any later change of its row: its member is asked for another.
update public.profiles set full_name = null where private.impersonates_staff(full_name);

/* True for a text with a word of several alphabets, as of a Latin name with one Cyrillic letter. The scripts of East Asia, which have no
   letters that look like those of others, stand beside any; the letters of phonetic writing that look like plain ones stand beside none. */
create function private.mixes_alphabets(value text) returns boolean
language sql immutable parallel safe set search_path = ''
return exists (
  select from regexp_split_to_table(normalize(value, NFKC), '[\s\d_.,;:/()&+\u2010-\u2015-]+') as w (word)
  where 1 < (w.word ~ '[A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02AF\u1D00-\u1DBF\u1E00-\u1EFF\u2183\u2184'
      '\u2C60-\u2C7F\uA720-\uA7FF\uAB30-\uAB6F\U0001DF00-\U0001DFFF]')::integer
    + (w.word ~ '[\u0251\u0261\u0262\u026A\u0274\u0280\u028F\u0299\u029C\u029F\u1D00-\u1D2B'
      '\u2C6D\uA730\uA731\uA7AC\uA7AF]')::integer
    + (w.word ~ '[\u0370-\u03FF\u1F00-\u1FFF]')::integer
    + (w.word ~ '[\u0400-\u052F\u1C80-\u1C8F\u2DE0-\u2DFF\uA640-\uA69F]')::integer
    + (w.word ~ '[\u0530-\u058F]')::integer
    + (w.word ~ '[\u10A0-\u10FF\u1C90-\u1CBF\u2D00-\u2D2F]')::integer
    -- All others, none of which is written beside another.
    + (w.word ~ '[\u0590-\u109F\u1200-\u1AAF\u1B00-\u1C7F\u1CC0-\u1CFF\u2C00-\u2C5F\u2C80-\u2CFF\u2D30-\u2DDF\uA4D0-\uA63F'
      '\uA6A0-\uA6FF\uA800-\uA95F\uA980-\uAB2F\uAB70-\uABFF\U00010000-\U00016FDF\U0001B300-\U0001CFFF\U0001E000-\U0001E02F'
      '\U0001E090-\U0001EFFF]')::integer
);

/* Whether there is a letter or a digit in it that can be read. */
create function private.can_be_read(value text) returns boolean
language sql immutable parallel safe set search_path = ''
return normalize(value, NFKC) ~ '[0-9A-Za-z\u00C0-\u02AF\u0370-\u1AAF\u1B00-\u1DBF\u1E00-\u1FFF\u2C00-\u2DFF\u2E80-\u2FFF'
  '\u3005-\u3007\u3021-\uD7FF\uF900-\uFDFF\U00010000-\U0001EFFF\U00020000-\U0003FFFF]';

/* True for a profession and a workplace that pass for an office of the site: its own name, or the product's, with a word for staff.
   An administrator elsewhere is none. */
create function private.claims_office(value text) returns boolean
language sql stable set search_path = ''
return (
  select (
      n.joined ~ 'moderator|administrator|sysadmin|superuser|webmaster'
      or string_to_array(n.words, ' ')
        && array['admin', 'admins', 'mod', 'mods', 'moderation', 'officiai', 'owner', 'staff', 'support', 'team']
    ) and (
      n.joined ~ 'iimbcommons' or private.impersonates_site(value)
      or case n.site when '' then position(n.site_name in value) > 0 else position(' ' || n.site || ' ' in ' ' || n.words || ' ') > 0 end
    )
  from (
    select s.site_name, private.name_skeleton(s.site_name) as site, private.name_skeleton(value) as words,
      replace(private.name_skeleton(value), ' ', '') as joined
    from public.site_settings s
  ) n
);

grant execute on function private.mixes_alphabets(text), private.can_be_read(text), private.claims_office(text)
  to anon, authenticated, service_role;

/* What was there before these rules stays. Not security definer: it checks which role the statement runs as. */
create or replace function private.normalize_profile() returns trigger
language plpgsql set search_path = ''
as $$
declare
  settings constant text[] := array['allow_messages', 'allow_notifications', 'email_notifications', 'weekly_digest', 'digest_due_at',
    'asks_still_in_use', 'created_at', 'updated_at'];
  -- Of the texts that are shown beside what its member writes.
  changed text;
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
  if (tg_op = 'INSERT' or (new.profession, new.workplace) is distinct from (old.profession, old.workplace))
    and private.claims_office(concat_ws(' ', new.profession, new.workplace))
  then
    raise check_violation using message = 'Please enter your own profession and workplace, not those of the site''s staff';
  end if;
  changed := (
    select string_agg(n.value, ' ') from jsonb_each_text(to_jsonb(new)) n
    where n.key in ('full_name', 'profession', 'workplace', 'location')
      and (tg_op = 'INSERT' or n.value is distinct from to_jsonb(old) ->> n.key)
  );
  -- In the words of the constraints where these refuse it.
  if private.impersonates_staff(new.full_name) is not true and not private.has_hidden_characters(changed) then
    if private.mixes_alphabets(changed) then
      raise check_violation using message = 'Each word of a name must be of one alphabet';
    end if;
    if (tg_op = 'INSERT' or new.full_name is distinct from old.full_name) and not private.can_be_read(new.full_name) then
      raise check_violation using message = 'A name must have letters or digits';
    end if;
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
      when not private.is_blank(full_name) and not private.can_be_read(full_name) then 'A name must have letters or digits'
      when private.has_stacked_marks(full_name) then 'Names must not have more than four marks on a letter'
    end;
$$;

/*
 * A text without invisible characters, and without ones that change the order of adjacent text: controls, marks of direction
 * (UAX #9) and those that Unicode says to ignore when drawn; a break of the line becomes a blank. The joiners with which Persian and
 * Indic names are spelt stay between letters of those scripts, and what makes one sign of several emoji.
 */
create function private.without_hidden_characters(value text) returns text
language sql immutable parallel safe set search_path = ''
return regexp_replace(
  regexp_replace(
    regexp_replace(value, '[\u0009-\u000D\u0085\u2028\u2029]', ' ', 'g'),
    '[\u0001-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F\u2028-\u202E'
      '\u2060-\u206F\u3164\uFE00-\uFE0E\uFEFF\uFFA0\uFFF0-\uFFFB\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]',
    '', 'g'
  ),
  '((?<=[\u0600-\u06FF\u0900-\u0DFF])[\u200C\u200D](?=[\u0600-\u06FF\u0900-\u0DFF])'
    '|(?<=[\u2600-\u27BF\U0001F300-\U0001FAFF])\uFE0F?\u200D(?=[\u2600-\u27BF\U0001F300-\U0001FAFF])'
    '|(?<=[\u2600-\u27BF\U0001F300-\U0001FAFF])\uFE0F)|[\u200C\u200D\uFE0F]',
  '\1', 'g'
);

/* True for a text with any of those characters. */
create or replace function private.has_hidden_characters(value text) returns boolean
language sql immutable parallel safe set search_path = ''
return value <> private.without_hidden_characters(value);

grant execute on function private.without_hidden_characters(text) to anon, authenticated, service_role;

/* Takes what cannot be seen out of a line, which is isolated from what stands around it wherever it is shown. The arguments are its
   columns, each a text or a list of texts. Not security definer: it changes its own row alone. */
create function private.plain_lines() returns trigger
language plpgsql set search_path = ''
as $$
declare
  line text;
  written jsonb;
begin
  foreach line in array tg_argv loop
    written := to_jsonb(new) -> line;
    new := jsonb_populate_record(new, jsonb_build_object(line, case jsonb_typeof(written)
      when 'string' then to_jsonb(btrim(private.without_hidden_characters(written #>> '{}')))
      when 'array' then to_jsonb(array(
        select btrim(private.without_hidden_characters(w.text)) from jsonb_array_elements_text(written) with ordinality as w (text, place)
        order by w.place
      ))
    end));
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
         for each row when (private.has_hidden_characters(concat_ws('' '', %s)))
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
  new.texts := jsonb_set(new.texts, '{title}', to_jsonb(btrim(private.without_hidden_characters(new.texts ->> 'title'))));
  return new;
end
$$;

create trigger solution_translations_00_plain before insert or update of texts on public.solution_translations
  for each row when (private.has_hidden_characters(new.texts ->> 'title')) execute function private.plain_title();
