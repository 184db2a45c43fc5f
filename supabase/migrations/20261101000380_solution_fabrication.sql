create function private.are_tools(tools text[]) returns boolean
language sql immutable parallel safe set search_path = ''
return cardinality(tools) <= 30
  and not exists (select from unnest(tools) as t (tool) where tool is null or private.is_blank(tool) or char_length(tool) > 80);

grant execute on function private.are_tools(text[]) to service_role;

create table public.solution_fabrication (
  solution_id uuid primary key references public.solutions on delete cascade,
  hours numeric(6, 1) constraint "Hours must be between 0.1 and 10,000" check (hours between 0.1 and 10000),
  tools text[] not null default '{}'
    constraint "Please list at most 30 tools, each of 1 to 80 characters" check (private.are_tools(tools)),
  -- Of all costs in the parts list, as ISO 4217 names it.
  currency text constraint "Please choose a currency from the list" check (currency ~ '^[A-Z]{3}$')
);

comment on table public.solution_fabrication is
  'What a solution takes to be made, beside its parts and steps. '
  'The three are written by its submission alone, so that nothing becomes public without review.';

create table public.solution_parts (
  solution_id uuid not null references public.solution_fabrication on delete cascade,
  position smallint not null
    constraint "A parts list can have at most 60 parts" check (position between 0 and 59),
  component text not null
    constraint "Please name the part" check (not private.is_blank(component))
    constraint "A component must be at most 120 characters" check (char_length(component) <= 120),
  maker text constraint "A maker must be at most 120 characters" check (char_length(maker) <= 120),
  part_number text constraint "A part number must be at most 80 characters" check (char_length(part_number) <= 80),
  quantity numeric(8, 2) not null
    constraint "A quantity must be more than 0 and at most 10,000" check (quantity > 0 and quantity <= 10000),
  -- Of one.
  cost numeric(10, 2) constraint "A cost must be between 0 and 1,000,000" check (cost between 0 and 1000000),
  link text
    constraint "A link must begin with https:// or http://" check (link ~ '^https?://[^\s/]+')
    constraint "A link must not contain a user name or invisible characters"
      check (link !~ '^https?://[^/?#]*[@\\]' and not private.has_hidden_characters(link))
    constraint "A link must be at most 500 characters without spaces" check (char_length(link) <= 500 and link !~ '\s'),
  primary key (solution_id, position)
);

comment on table public.solution_parts is 'The parts list of a solution.';

create table public.solution_steps (
  solution_id uuid not null references public.solution_fabrication on delete cascade,
  position smallint not null
    constraint "There can be at most 50 steps" check (position between 0 and 49),
  instruction text not null
    constraint "Please say what is done in this step" check (not private.is_blank(instruction))
    constraint "A step must be at most 2000 characters" check (char_length(instruction) <= 2000),
  -- One of the solution's own pictures or clips.
  media_id uuid references public.solution_media on delete set null,
  primary key (solution_id, position)
);

comment on table public.solution_steps is 'How a solution is made, step by step.';

alter table public.solution_fabrication enable row level security;
alter table public.solution_parts enable row level security;
alter table public.solution_steps enable row level security;

create policy "Fabrication is seen with its solution" on public.solution_fabrication
  for select using ((select true from public.solutions s where s.id = solution_id));
create policy "Parts are seen with their solution" on public.solution_parts
  for select using ((select true from public.solutions s where s.id = solution_id));
create policy "Steps are seen with their solution" on public.solution_steps
  for select using ((select true from public.solutions s where s.id = solution_id));

create index solution_steps_media_id_idx on public.solution_steps (media_id) where media_id is not null;

grant select on public.solution_fabrication, public.solution_parts, public.solution_steps to anon, authenticated;

/*
 * Replaces how the caller's own solution, which waits for review, is made. A form that does not know of it changes nothing.
 *
 * fabrication: {hours, tools, currency, parts: [{component, maker, part_number, quantity, cost, link}], steps: [{instruction,
 * media_url}]}, each list in order; null for none. Errors: 23514 with a sentence for its author. Security definer, because
 * it is written through a submission alone.
 */
create function private.set_fabrication(solution uuid, fabrication jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  own uuid := (select s.id from public.solutions s where s.id = solution and s.user_id = (select auth.uid()) and s.status = 'pending');
begin
  if fabrication is null then
    return;
  end if;
  if own is null then
    raise insufficient_privilege using message = 'Only the author can edit a solution';
  end if;
  delete from public.solution_fabrication f where f.solution_id = own;
  if fabrication = 'null' then
    return;
  end if;
  if jsonb_typeof(fabrication) <> 'object'
    or not jsonb_path_exists(fabrication, '$ ? (@.tools.type() == "array" && @.parts.type() == "array" && @.steps.type() == "array")')
    or jsonb_path_exists(fabrication, 'strict $.tools[*] ? (@.type() != "string")')
    or jsonb_path_exists(fabrication, 'strict $.parts[*] ? (@.type() != "object")')
    or jsonb_path_exists(fabrication, 'strict $.steps[*] ? (@.type() != "object")')
  then
    raise check_violation using message = 'Tools, parts and steps must be lists';
  end if;
  if jsonb_path_exists(fabrication, '$.hours ? (@.type() != "number" && @.type() != "null")')
    or jsonb_path_exists(fabrication,
      '$.parts[*].keyvalue() ? ((@.key == "quantity" || @.key == "cost") && @.value.type() != "number" && @.value.type() != "null")')
  then
    raise check_violation using message = 'Hours, quantities and costs must be numbers';
  end if;
  if jsonb_path_exists(fabrication, '$.hours ? (@.abs() > 10000)') then
    raise check_violation using message = 'Hours must be between 0.1 and 10,000';
  end if;
  if jsonb_path_exists(fabrication, '$.parts[*] ? (@.quantity.abs() > 10000)') then
    raise check_violation using message = 'A quantity must be more than 0 and at most 10,000';
  end if;
  if jsonb_path_exists(fabrication, '$.parts[*] ? (@.cost.abs() > 1000000)') then
    raise check_violation using message = 'A cost must be between 0 and 1,000,000';
  end if;
  if jsonb_path_exists(fabrication, '$.parts[*] ? (@.cost.type() == "number")') and coalesce(fabrication ->> 'currency', '') = '' then
    raise check_violation using message = 'Please choose the currency of the costs';
  end if;
  if jsonb_array_length(fabrication -> 'parts') > 60 then
    raise check_violation using message = 'A parts list can have at most 60 parts';
  end if;
  if jsonb_array_length(fabrication -> 'steps') > 50 then
    raise check_violation using message = 'There can be at most 50 steps';
  end if;

  insert into public.solution_fabrication (solution_id, hours, tools, currency)
  select own, f.hours,
    array(select btrim(t.value) from jsonb_array_elements_text(fabrication -> 'tools') with ordinality as t order by t.ordinality),
    nullif(f.currency, '')
  from jsonb_populate_record(null::public.solution_fabrication, private.form_of(fabrication, array['currency'], '{}', array['hours'])) as f;
  insert into public.solution_parts (solution_id, position, component, maker, part_number, quantity, cost, link)
  select own, item.ordinality - 1, coalesce(btrim(p.component), ''), nullif(btrim(p.maker), ''), nullif(btrim(p.part_number), ''),
    coalesce(p.quantity, 1), p.cost, nullif(btrim(p.link), '')
  from jsonb_array_elements(fabrication -> 'parts') with ordinality as item
  cross join lateral jsonb_populate_record(null::public.solution_parts,
    private.form_of(item.value, array['component', 'maker', 'part_number', 'link'], '{}', array['quantity', 'cost'])) as p;
  insert into public.solution_steps (solution_id, position, instruction, media_id)
  select own, item.ordinality - 1, coalesce(btrim(step ->> 'instruction'), ''),
    -- By the name of the file, which may have moved since the form was opened.
    (
      select m.id from public.solution_media m
      where m.solution_id = own and private.file_name(m.media_url) = private.file_name(step ->> 'media_url') limit 1
    )
  from jsonb_array_elements(fabrication -> 'steps') with ordinality as item
  cross join lateral private.form_of(item.value, array['instruction', 'media_url']) as step;
end
$$;

grant execute on function private.set_fabrication(uuid, jsonb) to authenticated;

/* How a solution is made, as a version keeps it: pictures by the ids that its media have there; null without. */
create function private.fabrication_content(solution uuid) returns jsonb
language sql stable set search_path = ''
return (
  select jsonb_build_object('hours', f.hours, 'tools', f.tools, 'currency', f.currency,
    'parts', (
      select coalesce(jsonb_agg(to_jsonb(p) - array['solution_id', 'position'] order by p.position), '[]')
      from public.solution_parts p where p.solution_id = f.solution_id
    ),
    'steps', (
      select coalesce(
        jsonb_agg(jsonb_build_object('instruction', s.instruction, 'media_id', coalesce(m.copy_of, m.id)) order by s.position), '[]'
      )
      from public.solution_steps s left join public.solution_media m on m.id = s.media_id where s.solution_id = f.solution_id
    ))
  from public.solution_fabrication f where f.solution_id = solution
);

/* What is written of how a solution is made, for the search for personal details. */
create function private.fabrication_texts(solution uuid) returns text
language sql stable set search_path = ''
return concat_ws(E'\n',
  (select array_to_string(f.tools, E'\n') from public.solution_fabrication f where f.solution_id = solution),
  (
    select string_agg(concat_ws(E'\n', p.component, p.maker, p.part_number, p.link), E'\n')
    from public.solution_parts p
    where p.solution_id = solution
  ),
  (select string_agg(s.instruction, E'\n') from public.solution_steps s where s.solution_id = solution)
);

grant execute on function private.fabrication_texts(uuid) to authenticated;

/* The kinds of personal detail that a solution's text seems to hold; null for callers who are not moderators.
   Looked for when it is asked: kept in a column they would be looked for again at each like and comment. */
create function public.identifiers_found(solution uuid) returns text[]
language sql stable set search_path = ''
return (
  select private.identifiers_in(concat_ws(
    E'\n', private.content_texts(s.id), s.change_note,
    (select string_agg(o.device_before, E'\n') from public.solution_outcomes o where o.solution_id = s.id and o.trial_id is null),
    (select string_agg(m.description, E'\n') from public.solution_media m where m.solution_id = s.id and m.trial_id is null),
    private.fabrication_texts(s.id),
    (select string_agg(concat_ws(E'\n', f.file_name, f.description, left(array_to_string(f.page_texts, E'\n'), 1000000)), E'\n')
      from public.solution_files f where f.solution_id = s.id)
  ))
  from public.solutions s where s.id = solution and private.is_moderator()
);

grant execute on function public.identifiers_found(uuid) to authenticated;
