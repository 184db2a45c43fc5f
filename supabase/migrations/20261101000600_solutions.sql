-- The value lists of the specification, each in one place: constraints and facet counts read them here.
create function private.amputation_levels() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Transradial (Below Elbow)', 'Transtibial (Below Knee)', 'Transfemoral (Above Knee)', 'Transhumeral (Above Elbow)',
  'Partial Foot', 'Full Limb'];

create function private.occupations() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Grasping & Gripping', 'Fine Motor Tasks', 'Walking', 'Running', 'Climbing Stairs', 'Weight-Bearing Activities',
  'Writing & Drawing', 'Typing', 'Playing Instruments', 'Sports & Athletics', 'Daily Living Activities', 'Heavy Lifting',
  'Precision Work', 'Balance & Stability'];

create function private.materials() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Carbon Fiber', 'Silicone', 'Titanium', '3D-Printed PLA', 'Gel Liners', 'Custom Alloys', 'Thermoplastic', 'Aluminum'];

create function private.prosthesis_types() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Myoelectric', 'Body-Powered', 'Passive', 'Hybrid', 'Osseointegrated'];

create function private.age_groups() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Children', 'Adults'];

create function private.cost_ranges() returns text[]
language sql immutable parallel safe set search_path = ''
return array['Low-cost (<$500)', 'Mid-range ($500-$5000)', 'High-end (>$5000)'];

/* Tags as the form keeps them: trimmed, none empty, none twice. */
create function private.are_tags(tags text[]) returns boolean
language sql immutable parallel safe set search_path = ''
return cardinality(tags) <= 20 and (
  select coalesce(bool_and(tag = btrim(tag) and not private.is_blank(tag) and char_length(tag) <= 40), true)
    and count(*) = count(distinct tag)
  from unnest(tags) as t (tag)
);

create function private.search_text(title text, description text, occupation text, materials text[], custom_tags text[]) returns text
language sql immutable parallel safe set search_path = ''
return private.normalized(
  title || E'\n' || description || E'\n' || coalesce(occupation, '')
  -- array_to_string is only stable, because some types' output depends on settings; that of text does not.
  || E'\n' || replace(replace(replace(materials::text, '","', E'\n'), '{', ''), '}', '')
  || E'\n' || replace(replace(replace(custom_tags::text, '","', E'\n'), '{', ''), '}', '')
);

grant execute on function
  private.amputation_levels(), private.occupations(), private.materials(), private.prosthesis_types(), private.age_groups(),
  private.cost_ranges(), private.are_tags(text[]), private.search_text(text, text, text, text[], text[])
  to anon, authenticated, service_role;

/* A function of its own for the same reason as search_text: the text of an array counts as stable only. */
create function private.solution_identifiers(title text, description text, durability text, outcomes text, challenges text, tags text[]) returns text[]
language sql immutable parallel safe set search_path = ''
return private.identifiers_in(
  title || E'\n' || description || E'\n' || coalesce(durability, '') || E'\n' || coalesce(outcomes, '') || E'\n'
  || coalesce(challenges, '') || E'\n' || replace(tags::text, ',', E'\n')
);

grant execute on function private.solution_identifiers(text, text, text, text, text, text[]) to anon, authenticated, service_role;

create table public.solutions (
  id uuid primary key default gen_random_uuid(),
  -- Null once the author has left: "Former member".
  user_id uuid default auth.uid() references public.profiles on delete set null,
  title text not null
    constraint "Title must be at least 10 characters" check (char_length(btrim(title)) >= 10 and not private.is_blank(title))
    constraint "Title must be at most 150 characters" check (char_length(title) <= 150),
  description text not null
    constraint "Description must be at least 50 characters" check (char_length(btrim(description)) >= 50 and not private.is_blank(description))
    constraint "Description must be at most 10000 characters" check (char_length(description) <= 10000),
  status text not null default 'pending'
    constraint "Status must be pending, approved or rejected" check (status in ('pending', 'approved', 'rejected')),
  rejection_reason text
    constraint "A rejection reason must be at most 2000 characters" check (char_length(rejection_reason) <= 2000),
  likes_count integer not null default 0 check (likes_count >= 0),
  comments_count integer not null default 0 check (comments_count >= 0),
  occupation text not null
    constraint "Please select a function" check (occupation = any (private.occupations())),
  amputation_level text not null
    constraint "Please select amputation level" check (amputation_level = any (private.amputation_levels())),
  age_group text not null
    constraint "Please select at least one age group" check (age_group in ('Children', 'Adults', 'Children, Adults', 'Adults, Children')),
  prosthesis_type text not null
    constraint "Please select prosthesis type" check (prosthesis_type = any (private.prosthesis_types())),
  cost_range text not null
    constraint "Please select cost range" check (cost_range = any (private.cost_ranges())),
  materials text[] not null default '{}'
    constraint "Materials must be chosen from the list" check (materials <@ private.materials() and cardinality(materials) <= 8),
  custom_tags text[] not null default '{}'
    constraint "Tags must be at most 20, each of 1 to 40 characters" check (private.are_tags(custom_tags)),
  durability_testing text
    constraint "Durability testing must be at most 5000 characters" check (char_length(durability_testing) <= 5000),
  patient_outcomes text
    constraint "Patient outcomes must be at most 5000 characters" check (char_length(patient_outcomes) <= 5000),
  challenges_overcome text
    constraint "Challenges overcome must be at most 5000 characters" check (char_length(challenges_overcome) <= 5000),
  thumbnail_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  approved_at timestamptz,
  -- How many pictures readers do not see because a person shown asked for it; kept by takedown_requests.
  withheld_media integer not null default 0 check (withheld_media >= 0),
  -- Of the safety notice that holds now; kept by safety_notices, so that a list need not look for it.
  safety_kind text,
  -- The solution's place in the sets that browse counts and searches with.
  number integer not null generated always as identity unique,
  -- What browse searches and filters by. No list a member can filter by shares a value with another, so one
  -- array serves all of them.
  search_text text not null generated always as (private.search_text(title, description, occupation, materials, custom_tags)) stored,
  facets text[] not null generated always as (
    array[amputation_level, occupation, prosthesis_type, cost_range] || materials || string_to_array(age_group, ', ')
  ) stored,
  -- For moderators: what the text seems to hold that could tell who the patient is.
  identifiers text[] not null generated always as (
    private.solution_identifiers(title, description, durability_testing, patient_outcomes, challenges_overcome, custom_tags)
  ) stored,
  -- The form's own number for what it sends, so that sending it twice makes one solution.
  submission_id uuid,
  -- What a moderator has checked, written with the decision; decide_solution takes it into solution_reviews.
  checklist jsonb constraint "Only a decision has a checklist" check (checklist is null),
  unique (user_id, submission_id),
  constraint "A rejection needs a reason" check (status <> 'rejected' or not private.is_blank(rejection_reason)),
  constraint "Only a rejected solution has a reason" check (status = 'rejected' or rejection_reason is null)
);

comment on table public.solutions is 'Prosthetic solutions as members share them; public once a moderator has approved them.';

alter table public.solutions enable row level security;

-- Three of their own: of a deleted row the log says the status and not the author, and each is put to what it says.
create policy "Everybody can read approved solutions" on public.solutions
  for select using (status = 'approved');
create policy "Authors can read their own solutions" on public.solutions
  for select to authenticated using (user_id = (select auth.uid()));
create policy "Moderators can read all solutions" on public.solutions
  for select to authenticated using ((select private.is_moderator()));
create policy "Members can submit solutions of their own for review" on public.solutions
  for insert to authenticated with check (user_id = (select auth.uid()) and status = 'pending');
-- Four eyes: nobody but an admin decides on their own work (guard_solution). A decided solution is no longer pending, so of two
-- moderators deciding at once the second finds no row.
create policy "Authors can edit theirs, moderators decide on what is pending" on public.solutions
  for update to authenticated
  using (user_id = (select auth.uid()) or (status = 'pending' and (select private.may_moderate())))
  with check (user_id = (select auth.uid()) or status in ('approved', 'rejected'));
create policy "Authors can delete their own solutions, moderators any" on public.solutions
  for delete to authenticated using (user_id = (select auth.uid()) or (select private.may_moderate()));

-- Browse, newest and oldest first: matches the list's order alone, since a policy with OR can use nothing else.
create index solutions_newest_idx on public.solutions (created_at desc, id desc);
-- Browse, popular first.
create index solutions_popular_idx on public.solutions (likes_count desc, created_at desc, id desc);
-- "My Solutions" and the foreign key.
create index solutions_user_id_idx on public.solutions (user_id, created_at desc);
-- The review queue, oldest first.
create index solutions_queue_idx on public.solutions (created_at, id) where status = 'pending';
-- Solutions alike.
create index solutions_facets_idx on public.solutions using gin (facets) where status = 'approved';

create trigger solutions_touch before update on public.solutions
  for each row
  when (old.likes_count = new.likes_count and old.comments_count = new.comments_count)
  execute function private.touch();

create table public.solution_media (
  id uuid primary key default gen_random_uuid(),
  solution_id uuid not null references public.solutions on delete cascade,
  media_url text not null,
  compressed_url text not null,
  thumbnail_url text not null,
  media_type text not null constraint "Media must be image or video" check (media_type in ('image', 'video')),
  description text constraint "A description of media must be at most 500 characters" check (char_length(description) <= 500),
  position smallint not null default 0 check (position between 0 and 999),
  width integer,
  height integer,
  duration_seconds real,
  -- Since when it is withheld at the request of a person shown.
  hidden_at timestamptz,
  created_at timestamptz not null default now()
);

comment on table public.solution_media is 'Pictures and clips of a solution. Every file was made by our own media processing; see media_uploads.';

alter table public.solution_media enable row level security;

/* Who sees a solution sees what hangs on it. Not security definer: the solution's own policies decide. */
create function private.sees_solution(solution uuid) returns boolean
language sql stable set search_path = ''
return exists (select from public.solutions s where s.id = solution);

create function private.owns_solution(solution uuid) returns boolean
language sql stable set search_path = ''
return exists (select from public.solutions s where s.id = solution and s.user_id = (select auth.uid()));

grant execute on function private.sees_solution(uuid), private.owns_solution(uuid) to anon, authenticated, service_role;

create policy "Media are seen with their solution, withheld ones by moderators" on public.solution_media
  for select using ((hidden_at is null or (select private.is_moderator())) and private.sees_solution(solution_id));
create policy "Authors can add media to their own solutions" on public.solution_media
  for insert to authenticated with check (private.owns_solution(solution_id));
create policy "Authors can describe and order the media of their own solutions" on public.solution_media
  for update to authenticated using (private.owns_solution(solution_id)) with check (private.owns_solution(solution_id));
create policy "Authors can remove media of their own solutions" on public.solution_media
  for delete to authenticated using (private.owns_solution(solution_id));

-- A solution's media in order.
create index solution_media_solution_id_idx on public.solution_media (solution_id, position);

create table public.media_uploads (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles on delete cascade,
  media_url text not null unique,
  compressed_url text not null,
  thumbnail_url text not null,
  media_type text not null check (media_type in ('image', 'video')),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  duration_seconds real,
  byte_size bigint not null check (byte_size > 0),
  created_at timestamptz not null default now()
);

comment on table public.media_uploads is 'Files that processing has made and no solution holds yet; written by process-media-upload alone. A row leaves when its file joins a solution or has waited for a day.';

alter table public.media_uploads enable row level security;

create policy "Members can read their own uploads" on public.media_uploads
  for select to authenticated using (user_id = (select auth.uid()));

create index media_uploads_user_id_idx on public.media_uploads (user_id);
-- The sweep of abandoned uploads.
create index media_uploads_created_at_idx on public.media_uploads (created_at);

create table public.solution_consents (
  solution_id uuid primary key references public.solutions on delete cascade,
  basis text not null
    constraint "Please choose a consent statement" check (basis in ('patient_written', 'guardian_written', 'nobody_recognisable')),
  statement_version text not null
    constraint "This version of the statement is not known" check (statement_version = any (private.text_versions('consent'))),
  recorded_by uuid default auth.uid() references public.profiles on delete set null,
  recorded_at timestamptz not null default now()
);

comment on table public.solution_consents is 'On what ground pictures of a case may be public: what the author stated, when, and which version of the text. Never a patient''s name.';

alter table public.solution_consents enable row level security;

create policy "Authors and moderators can read the consent statement" on public.solution_consents
  for select to authenticated using (private.owns_solution(solution_id) or (select private.is_moderator()));
create policy "Authors can state consent for their own solutions" on public.solution_consents
  for insert to authenticated with check (private.owns_solution(solution_id) and recorded_by = (select auth.uid()));
create policy "Authors can restate consent for their own solutions" on public.solution_consents
  for update to authenticated using (private.owns_solution(solution_id)) with check (private.owns_solution(solution_id) and recorded_by = (select auth.uid()));

create index solution_consents_recorded_by_idx on public.solution_consents (recorded_by);

/* What a moderator looked at: each question of the checklist with whether all is well. */
create function private.is_checklist(answers jsonb) returns boolean
language sql immutable parallel safe set search_path = ''
return jsonb_typeof(answers) = 'object' and (
  select coalesce(bool_and(e.key in ('recognisable_person', 'identifiers', 'consent', 'claims') and jsonb_typeof(e.value) = 'boolean'), true)
  from jsonb_each(case jsonb_typeof(answers) when 'object' then answers else '{}' end) as e
);

grant execute on function private.is_checklist(jsonb) to service_role;

create table public.solution_reviews (
  id bigint generated always as identity primary key,
  solution_id uuid not null references public.solutions on delete cascade,
  reviewer_id uuid references public.profiles on delete set null,
  decision text not null check (decision in ('submitted', 'resubmitted', 'approved', 'rejected')),
  reason text,
  -- Of a decision: what its moderator had checked.
  checklist jsonb constraint "A checklist answers the questions of a review" check (private.is_checklist(checklist)),
  -- Of a decision: the statement of consent it rests on, since the author can state another one for a later version.
  consent jsonb,
  -- Of a resubmission, until it is decided on: what stood there before.
  replaced jsonb,
  created_at timestamptz not null default now()
);

comment on table public.solution_reviews is 'The history of a solution''s review, one row a step, written by trigger.';

alter table public.solution_reviews enable row level security;

create policy "Authors and moderators can read the history of a review" on public.solution_reviews
  for select to authenticated using (private.owns_solution(solution_id) or (select private.is_moderator()));

create index solution_reviews_solution_id_idx on public.solution_reviews (solution_id, id);
create index solution_reviews_reviewer_id_idx on public.solution_reviews (reviewer_id);

create table public.media_jobs (
  id bigint generated always as identity primary key,
  solution_id uuid,
  action text not null check (action in ('publish', 'unpublish', 'purge')),
  -- For purge: `bucket/name` of each file, since the rows that named them are gone. For unpublish: the names of the public
  -- files, since the rows name others by and by.
  object_names text[] not null default '{}',
  created_at timestamptz not null default now(),
  claimed_at timestamptz,
  attempts integer not null default 0,
  last_error text
);

comment on table public.media_jobs is 'What must still be done to files after a decision or deletion; process-media-jobs works it off. Written in the decision''s own transaction, so that nothing is forgotten.';

alter table public.media_jobs enable row level security;

-- The next job to claim.
create index media_jobs_claimed_at_idx on public.media_jobs (claimed_at nulls first, id);

/* Keeps clients to what the policies cannot say: which columns move together, and who may move them. Not
   security definer, because it asks which role the statement runs as. */
create function private.guard_solution() returns trigger
language plpgsql set search_path = ''
as $$
declare
  edited boolean;
begin
  new.title := btrim(new.title);
  if not private.is_client() then
    return new;
  end if;
  if tg_op = 'INSERT' then
    return new;
  end if;

  new.thumbnail_url := private.storage_path(new.thumbnail_url);
  if new.thumbnail_url is distinct from old.thumbnail_url and new.thumbnail_url is not null
    and not exists (
      select from public.solution_media m
      where m.solution_id = new.id and new.thumbnail_url in (m.media_url, m.compressed_url, m.thumbnail_url)
    )
  then
    raise check_violation using message = 'The thumbnail must be one of this solution''s own media';
  end if;

  edited := (new.title, new.description, new.occupation, new.amputation_level, new.age_group, new.prosthesis_type, new.cost_range,
      new.materials, new.custom_tags, new.durability_testing, new.patient_outcomes, new.challenges_overcome, new.thumbnail_url)
    is distinct from
      (old.title, old.description, old.occupation, old.amputation_level, old.age_group, old.prosthesis_type, old.cost_range,
      old.materials, old.custom_tags, old.durability_testing, old.patient_outcomes, old.challenges_overcome, old.thumbnail_url);

  if old.user_id = (select auth.uid()) and (edited or new.status = 'pending') then
    -- What reviewers saw is no longer what readers would see: back to review in the same statement.
    if new.status is distinct from old.status and new.status <> 'pending' then
      raise insufficient_privilege using message = 'An edited solution must be reviewed first';
    end if;
    new.status := 'pending';
    new.rejection_reason := null;
    new.approved_at := null;
    return new;
  end if;

  if edited then
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

create trigger solutions_guard before insert or update on public.solutions
  for each row execute function private.guard_solution();

/* Turns an upload into media of a solution: only files our processing made for this member can be attached,
   each once, and what is stored about them is what processing measured, not what the client says. Security
   definer, because it consumes the upload's row. */
create function private.attach_upload() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  upload public.media_uploads;
begin
  if (select auth.uid()) is null then
    return new;
  end if;
  delete from public.media_uploads u
  where u.media_url = private.storage_path(new.media_url) and u.user_id = (select auth.uid())
  returning * into upload;
  if upload.id is null or new.media_type <> upload.media_type
    or private.storage_path(new.compressed_url) is distinct from upload.compressed_url
    or private.storage_path(new.thumbnail_url) is distinct from upload.thumbnail_url
  then
    raise check_violation using message = 'Media must be a file you have uploaded';
  end if;
  new.media_url := upload.media_url;
  new.compressed_url := upload.compressed_url;
  new.thumbnail_url := upload.thumbnail_url;
  new.width := upload.width;
  new.height := upload.height;
  new.duration_seconds := upload.duration_seconds;
  if (select count(*) from public.solution_media m where m.solution_id = new.solution_id) >= 20 then
    raise check_violation using message = 'A solution can have at most 20 images and videos';
  end if;
  -- New pictures have not been reviewed.
  update public.solutions s set status = 'pending', approved_at = null where s.id = new.solution_id and s.status = 'approved';
  return new;
end
$$;

create trigger solution_media_attach before insert on public.solution_media
  for each row execute function private.attach_upload();

/*
 * Sends an approved solution back to review when its author describes or orders its media otherwise, in the same
 * statement and before the row changes, so that the history holds what stood there. Not security definer: it asks which
 * role the statement runs as, and the author's own rights suffice.
 *
 * Of all that is shown with an approved solution, an author cannot change anything without a review but this:
 * - solutions: every column that the form asks for and `thumbnail_url` go back to review (guard_solution); counts, dates,
 *   `withheld_media` and `safety_kind` are nobody's to write.
 * - solution_media: new files (attach_upload), descriptions and places go back to review; files, kinds and sizes of a row
 *   cannot be changed. Removing one shows nothing new, and must not wait when a person shown asks for it.
 * - safety_notices: shown at once, since a warning must not wait; they are added to the solution, never part of its text.
 * - solution_consents: seen by moderators alone, and fixed once the solution was decided on.
 * - profiles and user_badges of the author: about the member, on every page alike.
 */
create function private.review_changed_media() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() then
    update public.solutions s set status = 'pending' where s.id = new.solution_id and s.status = 'approved';
  end if;
  return new;
end
$$;

create trigger solution_media_review before update on public.solution_media
  for each row when ((old.description, old.position) is distinct from (new.description, new.position))
  execute function private.review_changed_media();

/* `bucket/name` of the files behind a media row, each once. */
create function private.object_names(media public.solution_media) returns text[]
language sql stable set search_path = ''
return (
  select array_agg(distinct regexp_replace(url, '^/storage/v1/object/(public|authenticated)/', ''))
  from unnest(array[media.media_url, media.compressed_url, media.thumbnail_url]) as u (url)
);

/* Removed media leave no file behind, and no thumbnail that shows them. Security definer, because clients
   cannot write jobs. */
create function private.purge_media() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.media_jobs (solution_id, action, object_names) values (old.solution_id, 'purge', private.object_names(old));
  update public.solutions s set thumbnail_url = null
  where s.id = old.solution_id and s.thumbnail_url in (old.media_url, old.compressed_url, old.thumbnail_url);
  return null;
end
$$;

create trigger solution_media_purge after delete on public.solution_media
  for each row execute function private.purge_media();

/* Media, or a consent statement, that come, go or change while a solution waits change what a moderator has looked at: its `updated_at` moves, by
   which a decision names what it is about. Security definer, because it is no edit by whoever caused it. */
create function private.touch_solution() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Once in a transaction is enough.
  update public.solutions s set updated_at = now()
  where s.id = coalesce(new.solution_id, old.solution_id) and s.status = 'pending' and s.updated_at <> now();
  return null;
end
$$;

create trigger solution_media_touch after insert or update or delete on public.solution_media
  for each row execute function private.touch_solution();

/* What readers see of a solution, to compare a later version with. Files by name, since their bucket changes. */
create function private.solution_content(solution public.solutions) returns jsonb
language sql stable set search_path = ''
return jsonb_build_object(
  'title', solution.title, 'description', solution.description, 'occupation', solution.occupation,
  'amputation_level', solution.amputation_level, 'age_group', solution.age_group, 'prosthesis_type', solution.prosthesis_type,
  'cost_range', solution.cost_range, 'materials', solution.materials, 'custom_tags', solution.custom_tags,
  'durability_testing', solution.durability_testing, 'patient_outcomes', solution.patient_outcomes,
  'challenges_overcome', solution.challenges_overcome,
  'media', (
    select coalesce(jsonb_agg(jsonb_build_object('name', regexp_replace(m.media_url, '^/storage/v1/object/(public|authenticated)/[^/]+/', ''),
      'description', m.description) order by m.position), '[]')
    from public.solution_media m where m.solution_id = solution.id
  )
);

/*
 * Keeps a consent statement as it was when its solution was decided on, whoever would change it, the service key included:
 * to state another one, the author sends the solution to review again. Restated while it waits, it has the time of that.
 * Security definer, so that it sees and holds the solution whatever the caller may.
 */
create function private.guard_consent() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  decided boolean;
begin
  -- Whoever stated it may leave the site.
  if tg_op = 'UPDATE' and new.recorded_by is null and to_jsonb(new) - 'recorded_by' = to_jsonb(old) - 'recorded_by' then
    return new;
  end if;
  select s.status <> 'pending' into decided from public.solutions s where s.id = old.solution_id for update;
  if decided then
    raise check_violation using message = 'A consent statement cannot be changed once its solution was decided on';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  if (select auth.uid()) is not null then
    new.recorded_at := now();
  end if;
  return new;
end
$$;

create trigger solution_consents_guard before update or delete on public.solution_consents
  for each row execute function private.guard_consent();
create trigger solution_consents_touch after insert or update on public.solution_consents
  for each row execute function private.touch_solution();

/*
 * Writes a decision into the history of a solution, with what its moderator checked and the consent statement it rests on.
 * Security definer, because clients cannot write the history.
 */
create function private.record_decision(solution public.solutions, checked jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  stated jsonb := (
    select jsonb_build_object('basis', c.basis, 'statement_version', c.statement_version, 'recorded_at', c.recorded_at)
    from public.solution_consents c where c.solution_id = solution.id
  );
begin
  -- Whoever approves, the service key included.
  if solution.status = 'approved' and stated is null then
    raise check_violation using message = 'A solution can be approved only with a consent statement';
  end if;
  -- A version that was sent back may hold what must not be kept.
  update public.solution_reviews r set replaced = null where r.solution_id = solution.id and r.replaced is not null;
  insert into public.solution_reviews (solution_id, reviewer_id, decision, reason, checklist, consent)
  values (solution.id, (select auth.uid()), solution.status, solution.rejection_reason, checked, stated);
end
$$;

/*
 * Takes the checklist that comes with a decision into the history and the audit log, and leaves none in the row. Fires
 * after guard_solution, which has the last word on the status. Security definer, because clients cannot write either.
 */
create function private.decide_solution() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := (select auth.uid());
begin
  perform private.record_decision(new, new.checklist);
  if actor is not null then
    perform private.audit('solution_' || new.status, 'solution', new.id::text,
      jsonb_build_object('status', old.status),
      jsonb_build_object('status', new.status, 'reason', new.rejection_reason, 'own', actor = new.user_id, 'checklist', new.checklist));
  end if;
  new.checklist := null;
  return new;
end
$$;

create trigger solutions_guard_then_decide before update on public.solutions
  for each row when (old.status <> new.status and new.status <> 'pending') execute function private.decide_solution();

/* Keeps history, ledger and file jobs in step with a solution's status. Security definer, because clients
   cannot write any of them. */
create function private.sync_solution() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  actor uuid := (select auth.uid());
begin
  if tg_op = 'DELETE' then
    perform private.revoke_points('solution', old.id);
    if actor is distinct from old.user_id and actor is not null then
      perform private.audit('solution_deleted', 'solution', old.id::text, jsonb_build_object('title', old.title, 'status', old.status, 'user_id', old.user_id), null);
    end if;
    return null;
  end if;

  if tg_op = 'INSERT' then
    insert into public.solution_reviews (solution_id, reviewer_id, decision) values (new.id, new.user_id, 'submitted');
    if new.status <> 'pending' then
      perform private.record_decision(new, null);
    end if;
  elsif new.status = 'pending' then
    insert into public.solution_reviews (solution_id, reviewer_id, decision, replaced)
    values (new.id, new.user_id, 'resubmitted', private.solution_content(old));
    perform private.revoke_points('solution', new.id);
  end if;
  if new.status <> 'approved'
    and exists (select from public.solution_media m where m.solution_id = new.id and m.media_url like '/storage/v1/object/public/%') then
    insert into public.media_jobs (solution_id, action) values (new.id, 'unpublish');
  end if;
  if new.status = 'approved' then
    perform private.award_points(new.user_id, 'solution', new.id);
    insert into public.media_jobs (solution_id, action) values (new.id, 'publish');
  end if;
  return null;
end
$$;

create trigger solutions_follow_insert after insert on public.solutions
  for each row execute function private.sync_solution();
create trigger solutions_follow_status after update of status, title on public.solutions
  for each row when (old.status is distinct from new.status) execute function private.sync_solution();
create trigger solutions_follow_delete after delete on public.solutions
  for each row execute function private.sync_solution();

-- Without what search and the form keep for themselves (`number`, `search_text`, `facets`, `submission_id`), without `checklist`, and without
-- `identifiers`, which would tell readers where to look; moderators are told them by identifiers_found.
grant select (id, user_id, title, description, status, rejection_reason, likes_count, comments_count, occupation, amputation_level, age_group,
  prosthesis_type, cost_range, materials, custom_tags, durability_testing, patient_outcomes, challenges_overcome, thumbnail_url,
  created_at, updated_at, approved_at, withheld_media, safety_kind) on public.solutions to anon, authenticated;
grant select on public.solution_media to anon, authenticated;

/* What the text of a solution seems to hold that could tell who the patient is; null for whoever is no moderator. Security
   definer, because nobody else may read it. */
create function public.identifiers_found(solution uuid) returns text[]
language sql stable security definer set search_path = ''
return (select s.identifiers from public.solutions s where s.id = solution and private.is_moderator());

grant execute on function public.identifiers_found(uuid) to authenticated;
grant select on public.media_uploads, public.solution_consents, public.solution_reviews to authenticated;
grant insert (submission_id, user_id, title, description, status, occupation, amputation_level, age_group, prosthesis_type, cost_range, materials, custom_tags,
  durability_testing, patient_outcomes, challenges_overcome) on public.solutions to authenticated;
grant update (title, description, status, rejection_reason, checklist, occupation, amputation_level, age_group, prosthesis_type, cost_range, materials,
  custom_tags, durability_testing, patient_outcomes, challenges_overcome, thumbnail_url) on public.solutions to authenticated;
grant delete on public.solutions, public.solution_media to authenticated;
grant insert (solution_id, media_url, compressed_url, thumbnail_url, media_type, description, position) on public.solution_media to authenticated;
grant update (description, position) on public.solution_media to authenticated;
grant insert (solution_id, basis, statement_version, recorded_by) on public.solution_consents to authenticated;
grant update (basis, statement_version, recorded_by) on public.solution_consents to authenticated;
