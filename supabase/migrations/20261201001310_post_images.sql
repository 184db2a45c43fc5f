-- Images in the texts of topics and replies: made by the same processing as those of a solution, read where the text is read, and
-- checked by a moderator afterwards.

insert into private.notice_types (type, at_once, by_moderator, warns) values
  ('images_hidden', true, true, true),
  ('images_removed', true, true, true),
  ('images_restored', true, true, false);

/* The addresses of all files of a post's images. */
create function private.image_urls(images jsonb) returns text[]
language sql immutable parallel safe set search_path = ''
return array(
  select u.url from jsonb_array_elements(case jsonb_typeof(images) when 'array' then images else '[]' end) i,
    unnest(array[i ->> 'media_url', i ->> 'compressed_url', i ->> 'thumbnail_url']) as u (url)
  where u.url is not null
);

grant execute on function private.image_urls(jsonb) to anon, authenticated, service_role;

/* Whether it is one of the statements that a member can choose. */
create function private.is_consent(basis text) returns boolean
language sql immutable parallel safe set search_path = ''
return coalesce(basis in ('patient_written', 'guardian_written', 'no_identifiable_person'), false);

grant execute on function private.is_consent(text) to anon, authenticated, service_role;

-- Of each image the columns of solution_media that processing has made, and its description.
alter table public.forum_topics
  add column images jsonb not null default '[]' constraint "A post can have at most 4 images" check (jsonb_array_length(images) <= 4),
  add column image_consent text constraint "Please choose a consent statement" check (
    case when images = '[]' then image_consent is null else private.is_consent(image_consent) end
  ),
  -- The time at which a moderator found nothing wrong with them.
  add column images_checked_at timestamptz,
  -- The time since which only its author and moderators see them.
  add column images_hidden_at timestamptz;
alter table public.forum_posts
  add column images jsonb not null default '[]' constraint "A post can have at most 4 images" check (jsonb_array_length(images) <= 4),
  add column image_consent text constraint "Please choose a consent statement" check (
    case when images = '[]' then image_consent is null else private.is_consent(image_consent) end
  ),
  add column images_checked_at timestamptz,
  add column images_hidden_at timestamptz;
alter table public.held_posts
  add column images jsonb not null default '[]' constraint "A post can have at most 4 images" check (jsonb_array_length(images) <= 4),
  add column image_consent text constraint "Please choose a consent statement" check (
    case when images = '[]' then image_consent is null else private.is_consent(image_consent) end
  ),
  add constraint "Comments have no images" check (solution_id is null or images = '[]');

-- The post that a file belongs to.
create index forum_topics_image_urls_idx on public.forum_topics using gin (private.image_urls(images)) where images <> '[]';
create index forum_posts_image_urls_idx on public.forum_posts using gin (private.image_urls(images)) where images <> '[]';
create index held_posts_image_urls_idx on public.held_posts using gin (private.image_urls(images)) where images <> '[]';
-- The review queue.
create index forum_topics_images_waiting_idx on public.forum_topics (images_hidden_at, created_at, id)
  where images <> '[]' and images_checked_at is null;
create index forum_posts_images_waiting_idx on public.forum_posts (images_hidden_at, created_at, id)
  where images <> '[]' and images_checked_at is null;

grant insert (images, image_consent) on public.forum_topics, public.forum_posts, public.held_posts to authenticated;

/*
 * Turns uploads into the images of a post: only files that our processing made for this member, each once, and what is stored of
 * them is what processing measured. Security definer, because it consumes the rows of the uploads.
 *
 * images: [{media_url, description}] in order. Errors: 23514 with a sentence for its author.
 */
create function private.attach_images() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  attached jsonb := '[]';
  listed record;
  made jsonb;
begin
  for listed in
    select item ->> 'media_url' as url, nullif(btrim(item ->> 'description', E' \t\r\n'), '') as description
    from jsonb_array_elements(private.list_of(new.images, 'Images must be a list')) as item limit 5
  loop
    if char_length(listed.description) > 500 then
      raise check_violation using message = 'A description of media must be at most 500 characters';
    end if;
    delete from public.pending_uploads u where u.url = private.storage_path(listed.url) and u.user_id = me returning u.made into made;
    -- Sent again, it is known by its number, and its uploads are its images already.
    if made is null and (
      exists (select from public.forum_topics t where t.user_id = me and t.submission_id = new.submission_id)
      or exists (select from public.forum_posts p where p.user_id = me and p.submission_id = new.submission_id)
      or exists (select from public.held_posts h where h.user_id = me and h.submission_id = new.submission_id)
    ) then
      new.images := '[]';
      new.image_consent := null;
      return new;
    elsif made is null or made ->> 'media_type' is distinct from 'image' then
      raise check_violation using message = 'Images must be files you have uploaded';
    end if;
    attached := attached || jsonb_build_array(jsonb_build_object('media_url', private.storage_path(listed.url),
      'compressed_url', made -> 'compressed_url', 'thumbnail_url', made -> 'thumbnail_url', 'width', made -> 'width',
      'height', made -> 'height', 'description', listed.description));
    made := null;
  end loop;
  new.images := attached;
  return new;
end
$$;

create trigger forum_topics_15_images before insert on public.forum_topics
  for each row when (private.is_client() and new.images <> '[]') execute function private.attach_images();
create trigger forum_posts_15_images before insert on public.forum_posts
  for each row when (private.is_client() and new.images <> '[]') execute function private.attach_images();
-- Those of a post that was sent to one of the others are its images already.
create trigger held_posts_20_images before insert on public.held_posts
  for each row when (private.is_client() and new.images <> '[]' and pg_trigger_depth() = 0) execute function private.attach_images();

/* Images that are removed, with their post or before it, leave no file behind; one that another row names by then stays
   (unnamed_files). Security definer, because clients cannot write jobs. */
create function private.purge_images() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.media_jobs (object_names) values (coalesce(private.object_names(private.image_urls(old.images)), '{}'));
  return null;
end
$$;

create trigger forum_topics_90_purge_images after delete on public.forum_topics
  for each row when (old.images <> '[]') execute function private.purge_images();
create trigger forum_topics_91_purge_removed after update of images on public.forum_topics
  for each row when (old.images <> '[]' and old.images <> new.images) execute function private.purge_images();
create trigger forum_posts_90_purge_images after delete on public.forum_posts
  for each row when (old.images <> '[]') execute function private.purge_images();
create trigger forum_posts_91_purge_removed after update of images on public.forum_posts
  for each row when (old.images <> '[]' and old.images <> new.images) execute function private.purge_images();
create trigger held_posts_purge_images after delete on public.held_posts
  for each row when (old.images <> '[]') execute function private.purge_images();

/* The posts of which this is a file, with who wrote them, since when their images are hidden, and whether they wait. Without scans of
   whole tables: the planner, which expects many posts with any file, would read one until it meets the first. */
create function private.posts_with_file(url text) returns table (user_id uuid, hidden_at timestamptz, waits boolean)
language sql stable set search_path = '' set enable_seqscan = off
as $$
  select p.user_id, p.images_hidden_at, false from public.forum_posts p
  where p.images <> '[]' and private.image_urls(p.images) @> array[url]
  union all
  select t.user_id, t.images_hidden_at, false from public.forum_topics t
  where t.images <> '[]' and private.image_urls(t.images) @> array[url]
  union all
  select h.user_id, null, true from public.held_posts h where h.images <> '[]' and private.image_urls(h.images) @> array[url]
$$;

grant execute on function private.posts_with_file(text) to service_role;

/* Whether this is a file of a post whose images the caller sees: everyone, where they are neither hidden nor wait. Security definer,
   because visitors cannot read what waits, and row-level security would keep it from its index. */
create function private.sees_image(url text) returns boolean
language sql stable security definer set search_path = ''
return exists (
  select from private.posts_with_file(url) f
  where (f.hidden_at is null and not f.waits)
    or ((f.user_id = (select auth.uid()) or (select private.is_moderator())) and (select private.has_required_aal()))
);

grant execute on function private.sees_image(text) to anon, authenticated, service_role;

/* Whether the caller sees a row of which this is a file in the private bucket. Not security definer: the policies of the
   rows decide. */
create or replace function private.sees_file(name text) returns boolean
language sql stable set search_path = ''
return exists (
  select from public.solution_media m, (select '/storage/v1/object/authenticated/pending-media/' || sees_file.name as url) f
  where m.media_url = f.url or m.compressed_url = f.url or m.thumbnail_url = f.url
) or exists (
  -- The previews lie in the folder of their file, which is its own.
  select from public.solution_files f
  where f.folder = '/storage/v1/object/authenticated/pending-media/' || regexp_replace(sees_file.name, '[^/]+$', '')
) or private.sees_image('/storage/v1/object/authenticated/pending-media/' || sees_file.name);

/* The URLs of all files that a row names. */
create or replace function private.stored_urls() returns setof text
language sql stable set search_path = ''
as $$
  select unnest(array[m.media_url, m.compressed_url, m.thumbnail_url]) from public.solution_media m
  union all select unnest(private.file_urls(f.file_url, f.previews)) from public.solution_files f
  union all select unnest(private.image_urls(t.images)) from public.forum_topics t
  union all select unnest(private.image_urls(p.images)) from public.forum_posts p
  union all select unnest(private.image_urls(h.images)) from public.held_posts h
  union all select unnest(u.urls) from public.pending_uploads u
  union all select s.logo_url from public.site_settings s where s.logo_url <> '';
$$;

-- Members have a policy of the same.
create policy "Visitors can read the images that they see" on storage.objects
  for select to anon using (bucket_id = 'pending-media' and private.sees_file(name));
