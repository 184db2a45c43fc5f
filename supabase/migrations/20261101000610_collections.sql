-- Members' collections, and the page of one.

create table public.collections (
  -- Random, so that the address of a shared collection cannot be guessed.
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles on delete cascade,
  title text not null
    constraint "Please enter a title" check (not private.is_blank(title))
    constraint "A title must be at most 120 characters" check (char_length(title) <= 120),
  is_shared boolean not null default false,
  -- By a moderator, after a report; see stop_sharing.
  link_removed_at timestamptz,
  created_at timestamptz not null default now(),
  constraint "A moderator removed the link of this collection" check (not is_shared or link_removed_at is null),
  unique (id, user_id)
);

comment on table public.collections is 'Lists of solutions that members keep for themselves, or share with everyone who has the address.';

alter table public.collections enable row level security;

create policy "Members can read their own collections" on public.collections
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Members can make collections" on public.collections
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "Members can change their own collections" on public.collections
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "Members can delete their own collections" on public.collections
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.collections
  as restrictive for select to authenticated using ((select private.has_required_aal()));

create index collections_user_id_idx on public.collections (user_id, created_at);

grant select, delete on public.collections to authenticated;
grant insert (id, user_id, title), update (title, is_shared) on public.collections to authenticated;

create table public.collection_items (
  collection_id uuid not null,
  user_id uuid not null default auth.uid() references public.profiles on delete cascade,
  solution_id uuid not null references public.solutions on delete cascade,
  note text constraint "A note must be at most 1000 characters" check (char_length(note) <= 1000),
  created_at timestamptz not null default now(),
  -- A collection has one owner; with their id it is also the index of the reference to it.
  primary key (collection_id, user_id, solution_id),
  foreign key (collection_id, user_id) references public.collections (id, user_id) on delete cascade
);

comment on table public.collection_items is 'The solutions of a collection, each with its owner''s note.';

alter table public.collection_items enable row level security;

create policy "Members can read the items of their own collections" on public.collection_items
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Members can save approved solutions" on public.collection_items
  for insert to authenticated with check (user_id = (select auth.uid()) and private.is_approved(solution_id));
create policy "Members can change their own notes" on public.collection_items
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "Members can remove what they saved" on public.collection_items
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.collection_items
  as restrictive for select to authenticated using ((select private.has_required_aal()));

-- What a collection holds, newest first.
create index collection_items_latest_idx on public.collection_items (collection_id, user_id, created_at desc);
create index collection_items_user_id_idx on public.collection_items (user_id, created_at);
create index collection_items_solution_id_idx on public.collection_items (solution_id);

grant select, delete on public.collection_items to authenticated;
grant insert (collection_id, user_id, solution_id, note), update (note) on public.collection_items to authenticated;

/* At most 50 new collections and 300 saved solutions a day. Not security definer: it counts the rows that the member can
   see. */
create function private.guard_collection() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() and tg_table_name = 'collections' then
    perform private.enforce_row_limit('public.collections', 'user_id', 50, '1 day',
      'You have created 50 collections within a day. Please wait before you create another.');
  elsif private.is_client() then
    perform private.enforce_row_limit('public.collection_items', 'user_id', 300, '1 day',
      'You have saved 300 solutions within a day. Please wait before you save another.');
  end if;
  return new;
end
$$;

create trigger collections_guard before insert on public.collections
  for each row execute function private.guard_collection();
create trigger collection_items_guard before insert on public.collection_items
  for each row execute function private.guard_collection();

/* The solutions and notes of a collection that its owner reads or has shared; null for others. Security definer, because
   readers cannot read the collections of others; what they get of a solution is up to collection_page. */
create function private.open_collection(collection uuid) returns jsonb
language sql stable security definer set search_path = ''
return (
  select jsonb_build_object('id', c.id, 'title', c.title, 'is_shared', c.is_shared, 'link_removed_at', c.link_removed_at,
    'user_id', c.user_id, 'notes', (
      select coalesce(jsonb_object_agg(l.solution_id, l.note), '{}')
      from (
        select i.* from public.collection_items i
        where i.collection_id = c.id and i.user_id = c.user_id order by i.created_at desc limit 500
      ) l
    ))
  from public.collections c
  where c.id = collection and (c.is_shared or (c.user_id = (select auth.uid()) and private.has_required_aal()))
);

grant execute on function private.open_collection(uuid) to anon, authenticated, service_role;

grant execute on function private.solution_cards(uuid[]) to anon, authenticated;

/*
 * A collection with its newest 500 solutions: {id, title, is_shared, link_removed_at, user_id, owner, unseen, items [{note, version,
 * published_at, solution}]}; null for one that is neither the caller's nor shared. unseen: how many others its owner saved in
 * it, which their rights no longer show them; null for other readers. Not security definer: the caller gets the approved
 * solutions that their own rights show them, and no word of the others.
 */
create function public.collection_page(collection uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select opened - 'notes' || jsonb_build_object(
    'owner', private.author_card((opened ->> 'user_id')::uuid),
    'unseen', case when (opened ->> 'user_id')::uuid = (select auth.uid())
      then (select count(*) from jsonb_object_keys(opened -> 'notes')) - cardinality(readable) end,
    'items', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'note', opened -> 'notes' -> (card ->> 'id'), 'version', v.version, 'published_at', v.published_at, 'solution', card
      ) order by place), '[]')
      from rows from (jsonb_array_elements(private.solution_cards(readable)), unnest(readable)) with ordinality as cards (card, id, place)
      join public.solutions s on s.id = cards.id
      left join public.solution_versions v on v.solution_id = s.id and v.version = s.version
    )
  )
  from private.open_collection(collection) as opened, lateral (
    select array(
      select s.id from public.solutions s
      -- An array, since a cast is not leakproof and so finds no index under row-level security.
      where s.status = 'approved' and s.id = any (array(select k::uuid from jsonb_object_keys(opened -> 'notes') k))
      order by s.title, s.id
    ) as readable
  ) as r
  where opened is not null
$$;

grant execute on function public.collection_page(uuid) to anon, authenticated;

/*
 * The caller's collections, the first made first: [{id, title, is_shared, size, latest [{id, thumbnail_url}]}]. size: how many
 * solutions it holds; latest: the newest four of its newest 500 that its page shows. Not security definer, as collection_page.
 */
create function public.own_collections() returns jsonb
language sql stable set search_path = ''
return (
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', c.id, 'title', c.title, 'is_shared', c.is_shared,
    'size', (select count(*) from public.collection_items i where i.collection_id = c.id and i.user_id = c.user_id),
    'latest', (
      select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'thumbnail_url', l.thumbnail_url) order by l.created_at desc), '[]')
      from (
        select s.id, s.thumbnail_url, h.created_at
        from (
          select i.solution_id, i.created_at from public.collection_items i
          where i.collection_id = c.id and i.user_id = c.user_id order by i.created_at desc limit 500
        ) h
        join public.solutions s on s.id = h.solution_id and s.status = 'approved'
        order by h.created_at desc limit 4
      ) l
    )
  ) order by c.created_at, c.id), '[]')
  from public.collections c
  where c.user_id = (select auth.uid())
);

grant execute on function public.own_collections() to authenticated;
