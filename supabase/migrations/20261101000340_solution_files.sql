create table public.solution_files (
  id uuid primary key default gen_random_uuid(),
  solution_id uuid not null references public.solutions on delete cascade,
  position smallint not null
    constraint "A solution can have at most 10 build files" check (position between 0 and 9),
  file_url text not null,
  -- In a column of its own, since row-level security keeps the index on an expression from those whose rows it filters.
  folder text not null generated always as (regexp_replace(file_url, '[^/]+$', '')) stored,
  -- As its author called it, for readers; the ending follows from the type.
  file_name text not null constraint "The name of a build file must have 1 to 120 characters" check (
    char_length(file_name) between 1 and 120
  ),
  file_type text not null constraint "A build file must be a PDF, STL, 3MF, STEP, SVG or DXF file"
    check (file_type in ('pdf', 'stl', '3mf', 'step', 'svg', 'dxf')),
  byte_size bigint not null check (byte_size > 0),
  licence text not null default 'CC BY 4.0' constraint "Choose one of the listed licences"
    check (licence in ('CC BY 4.0', 'CC BY-SA 4.0', 'CC BY-NC 4.0', 'CC0 1.0')),
  description text constraint "The description of a build file must be at most 500 characters" check (char_length(description) <= 500),
  -- What processing measured: pages, triangles, dimensions, units.
  facts jsonb not null,
  -- The names of the pictures of its pages or of its model, which lie in the folder of the file.
  previews text[] not null,
  -- The beginning of the text of each page of a document.
  page_texts text[] not null,
  downloads integer not null default 0 check (downloads >= 0),
  -- The time since which it is withheld at the request of a person.
  hidden_at timestamptz,
  -- In a revision, the row of the published version whose file it names: where that one goes, it goes as well.
  copy_of uuid references public.solution_files on delete cascade,
  created_at timestamptz not null default now()
);

comment on table public.solution_files is
  'Build files of a solution: documents, models and drawings, each rewritten by our own processing. '
  'Written by its submission alone, so that no file becomes public without review.';

alter table public.solution_files enable row level security;

create policy "Files are seen with their solution, withheld ones by moderators" on public.solution_files
  for select using (
    (hidden_at is null or (select private.is_moderator())) and (select true from public.solutions s where s.id = solution_id)
  );

-- A solution's files in order.
create index solution_files_solution_id_idx on public.solution_files (solution_id, position);
-- Of a file in storage, whose previews lie beside it.
create index solution_files_folder_idx on public.solution_files (folder);
create index solution_files_copy_of_idx on public.solution_files (copy_of) where copy_of is not null;

grant select on public.solution_files to anon, authenticated;

/* The URLs of a build file and of its previews, which lie in one folder. */
create function private.file_urls(file_url text, previews text[]) returns text[]
language sql immutable set search_path = ''
return array(
  select file_url union all select regexp_replace(file_url, '[^/]+$', p.name) from unnest(previews) as p (name)
);

grant execute on function private.file_urls(text, text[]) to service_role;

/* The stored files that the rows of a solution name, and whether each is for the public; for the jobs that move them. */
create function public.files_of_solution(solution uuid) returns table (url text, is_public boolean)
language sql stable set search_path = ''
as $$
  select unnest(array[m.media_url, m.compressed_url, m.thumbnail_url]),
    s.status = 'approved' and s.audience = 'public' and m.hidden_at is null and coalesce(t.status, 'approved') = 'approved'
  from public.solution_media m join public.solutions s on s.id = m.solution_id left join public.solution_trials t on t.id = m.trial_id
  where m.solution_id = solution
  union all
  select unnest(private.file_urls(f.file_url, f.previews)), s.status = 'approved' and s.audience = 'public' and f.hidden_at is null
  from public.solution_files f join public.solutions s on s.id = f.solution_id where f.solution_id = solution;
$$;

/* Whether the caller sees a row of which this is a file in the private bucket. Not security definer: the policies of the
   rows decide. */
create function private.sees_file(name text) returns boolean
language sql stable set search_path = ''
return exists (
  select from public.solution_media m, (select '/storage/v1/object/authenticated/pending-media/' || sees_file.name as url) f
  where m.media_url = f.url or m.compressed_url = f.url or m.thumbnail_url = f.url
) or exists (
  -- The previews lie in the folder of their file, which is its own.
  select from public.solution_files f
  where f.folder = '/storage/v1/object/authenticated/pending-media/' || regexp_replace(sees_file.name, '[^/]+$', '')
);

grant execute on function private.sees_file(text) to anon, authenticated, service_role;

/* The URLs of all files that a row names. */
create function private.stored_urls() returns setof text
language sql stable set search_path = ''
as $$
  select unnest(array[m.media_url, m.compressed_url, m.thumbnail_url]) from public.solution_media m
  union all select unnest(private.file_urls(f.file_url, f.previews)) from public.solution_files f
  union all select unnest(u.urls) from public.pending_uploads u
  union all select s.logo_url from public.site_settings s where s.logo_url <> '';
$$;

grant execute on function private.stored_urls() to service_role;

/*
 * Replaces the build files of the caller's own solution that waits for review.
 *
 * files: [{file_url, licence, description}] in order; null from a form that does not know of them, which changes nothing.
 * Those that are listed stay, or join if processing made them for the caller; others are removed. What processing measured
 * is taken from it, and nothing from the client. Errors: 23514 with a sentence for its author. Security definer, because
 * build files are written through a submission alone.
 */
create function private.set_files(solution uuid, files jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  own uuid := (select s.id from public.solutions s where s.id = solution and s.user_id = (select auth.uid()) and s.status = 'pending');
  listed record;
  made jsonb;
begin
  if own is null then
    raise insufficient_privilege using message = 'Only the author can edit a solution';
  end if;
  if coalesce(files, 'null') = 'null' then
    return;
  end if;
  files := private.list_of(files, 'Build files must be a list');
  if jsonb_array_length(files) > 10 then
    raise check_violation using message = 'A solution can have at most 10 build files';
  end if;
  delete from public.solution_files f
  where f.solution_id = own
    and private.file_name(f.file_url) not in (
      select private.file_name(item ->> 'file_url') from jsonb_array_elements(files) as item where item ->> 'file_url' is not null
    );
  for listed in
    select private.file_name(file ->> 'file_url') as name, item.ordinality - 1 as position,
      coalesce(file ->> 'licence', 'CC BY 4.0') as licence, nullif(btrim(file ->> 'description'), '') as description
    from jsonb_array_elements(files) with ordinality as item
    cross join lateral private.form_of(item.value, array['file_url', 'licence', 'description']) as file
  loop
    update public.solution_files f set position = listed.position, licence = listed.licence, description = listed.description
    where f.solution_id = own and private.file_name(f.file_url) = listed.name;
    if not found then
      delete from public.pending_uploads u
      where u.user_id = (select auth.uid()) and private.file_name(u.url) = listed.name and u.made ? 'file_type'
      returning u.made into made;
      if made is null then
        raise check_violation using message = 'A build file must be a file you have uploaded. It expires after a day: choose it again.';
      end if;
      insert into public.solution_files (solution_id, position, licence, description, file_url, file_name, file_type, byte_size, facts,
        previews, page_texts)
      select own, listed.position, listed.licence, listed.description, f.file_url, f.file_name, f.file_type, f.byte_size, f.facts,
        f.previews, f.page_texts
      from jsonb_populate_record(null::public.solution_files, made) f;
    end if;
  end loop;
end
$$;

grant execute on function private.set_files(uuid, jsonb) to authenticated;

/* Removed build files leave nothing stored, except those that another version still names. Security definer, because
   clients cannot write jobs. */
create function private.purge_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.media_jobs (solution_id, object_names)
  select old.solution_id, private.object_names(private.file_urls(old.file_url, old.previews))
  where not exists (select from public.solution_files f where f.id = old.copy_of or f.copy_of = old.id);
  return null;
end
$$;

create trigger solution_files_purge after delete on public.solution_files
  for each row execute function private.purge_file();
create trigger solution_files_touch after insert or update or delete on public.solution_files
  for each row execute function private.touch_solution();

/*
 * Counts a download of a public build file, by someone else than its author, and of each client once a minute. Who downloaded
 * it is not recorded: that minute is remembered by a hash of the file. Security definer, because no client writes the count.
 */
create function public.count_download(file uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not (
    private.within_rate_limit('download', 60)
    and private.within_rate_limit('download ' || md5(file::text || date_trunc('minute', now())), 1)
  ) then
    return;
  end if;
  update public.solution_files f set downloads = f.downloads + 1
  from public.solutions s
  where f.id = file
    and f.hidden_at is null
    and s.id = f.solution_id
    and s.status = 'approved'
    and s.audience = any (private.readable_audiences())
    and s.user_id is distinct from (select auth.uid());
end
$$;

grant execute on function public.count_download(uuid) to anon, authenticated;

/* What a version keeps of a build file. */
create function private.file_content(file public.solution_files) returns jsonb
language sql immutable set search_path = ''
return jsonb_build_object('id', coalesce(file.copy_of, file.id), 'name', file.file_name, 'licence', file.licence,
  'description', file.description);
