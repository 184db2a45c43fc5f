create table public.solutions (
  id uuid primary key default gen_random_uuid(),
  -- Null once the author has left: "Former member".
  user_id uuid default auth.uid() references public.profiles on delete set null,
  title text not null
    constraint "Title must be at least 10 characters" check (char_length(btrim(title)) >= 10 and not private.is_blank(title))
    constraint "Title must be at most 150 characters" check (char_length(title) <= 150),
  description text not null
    constraint "Description must be at least 50 characters" check (
      char_length(btrim(description)) >= 50 and not private.is_blank(description)
    )
    constraint "Description must be at most 10000 characters" check (char_length(description) <= 10000),
  status text not null default 'pending'
    constraint "Status must be pending, approved or rejected" check (status in ('pending', 'approved', 'rejected')),
  -- Who may read it once it is published, besides its author and moderators.
  audience text not null default 'public'
    constraint "Please choose who can see the solution" check (audience = any (private.audiences())),
  rejection_reason text
    constraint "A rejection reason must be at most 2000 characters" check (char_length(rejection_reason) <= 2000),
  likes_count integer not null default 0 check (likes_count >= 0),
  -- The number of members whose trials are public; kept by count_trials.
  tried_count integer not null default 0 check (tried_count >= 0),
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
  -- Since when it has waited, while it is pending; kept by guard_solution.
  submitted_at timestamptz not null default now(),
  -- The published solution of which this row is a new version under review: a revision, which is never approved itself
  -- (private.publish_version).
  revises uuid references public.solutions on delete cascade,
  -- The number of the version that readers see; 0 before the first approval.
  version integer not null default 0,
  -- What the author says has changed in a revision.
  change_note text,
  -- Whether its author or moderator says that a revision removes details about a person: the texts of earlier versions go with
  -- its approval (private.publish_version).
  removes_details boolean not null default false,
  -- The number of pictures hidden at the request of a person shown; kept by removal_requests.
  withheld_media integer not null default 0 check (withheld_media >= 0),
  -- The same of build files.
  withheld_files integer not null default 0 check (withheld_files >= 0),
  -- The kind of the safety notice that holds now; kept by safety_notices, so that a list need not look for
  -- it.
  safety_kind text,
  -- The solution's place in the sets that browse counts and searches with.
  number integer not null generated always as identity,
  -- The values that browse searches and filters by. No list a member can filter by shares a value with
  -- another, so one array serves all of them.
  -- The author's names, so that search finds their solutions; kept by solutions_05_author and profiles_author_names.
  author_names text not null default '',
  search_text text not null generated always as (
    private.search_text(title, description, occupation, materials, custom_tags, amputation_level, prosthesis_type, age_group, author_names)
  ) stored,
  -- Those of them that follow from other tables; kept by refresh_extra_facets.
  extra_facets text[] not null default '{}',
  facets text[] not null generated always as (
    array[amputation_level, occupation, prosthesis_type, cost_range] || materials || string_to_array(age_group, ', ') || extra_facets
  ) stored,
  -- The form's own number for its submission, so that sending it twice makes one solution.
  submission_id uuid,
  -- What that submission sent, so that one which is sent again changes nothing, and one with changes is not lost.
  submission_digest text,
  -- The items that a moderator has checked, written with the decision; decide_solution takes it into
  -- solution_reviews.
  checklist jsonb constraint "Only a decision has a checklist" check (checklist is null),
  unique (user_id, submission_id),
  -- With what browse sorts by, so that what it has found by number is sorted without being read.
  unique (number) include (created_at, id, likes_count, tried_count),
  constraint "A rejection needs a reason" check (status <> 'rejected' or not private.is_blank(rejection_reason)),
  constraint "Only a rejected solution has a reason" check (status = 'rejected' or rejection_reason is null)
)
-- Room for a second version of a row, which each like makes for its count, on the same page: no index then
-- has to know of it.
with (fillfactor = 75);

comment on table public.solutions is
  'Prosthetic solutions as members share them; seen by their audience once a moderator has approved them.';

/* The columns that are no part of what a solution says: each other one goes into its versions, is compared, and needs a review.
   The audience, the card's picture and what has changed are said of a version, and reviewed as well. */
create function private.solution_state() returns text[]
language sql immutable parallel safe set search_path = ''
return array['id', 'user_id', 'status', 'audience', 'rejection_reason', 'likes_count', 'tried_count',
  'thumbnail_url', 'created_at', 'updated_at', 'approved_at', 'submitted_at', 'revises', 'version', 'change_note', 'removes_details',
  'withheld_media', 'withheld_files', 'safety_kind', 'number', 'author_names', 'search_text', 'extra_facets', 'facets',
  'submission_id', 'submission_digest', 'checklist'];

grant execute on function private.solution_state() to authenticated, service_role;

/* The other columns are what a solution says: what fills them in, copies, publishes or compares them takes this list, so that a new
   one is reviewed and kept in versions without being named there. Only the grants name each. */
create function private.content_columns(out name text, out is_required boolean, out is_list boolean) returns setof record
language sql stable set search_path = ''
as $$
  select a.attname, a.attnotnull, t.typcategory = 'A' from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid
  where a.attrelid = 'public.solutions'::regclass and a.attnum > 0 and not a.attisdropped and a.attname <> all (private.solution_state())
$$;

/* The same for a statement, each after `qualifier`. */
create function private.content_list(qualifier text default '') returns text
language sql stable set search_path = ''
return (select string_agg(qualifier || quote_ident(c.name), ', ' order by c.name) from private.content_columns() c);

/* What a solution says, for the search for personal details: each text on a line of its own. */
create function private.content_texts(solution uuid) returns text
language plpgsql stable set search_path = ''
as $$
declare
  content jsonb;
begin
  execute format('select jsonb_build_array(%s) from public.solutions s where s.id = $1', private.content_list('s.'))
    into content using solution;
  return (select string_agg(t.value #>> '{}', E'\n') from jsonb_path_query(content, '$[*][*]') as t(value));
end
$$;

grant execute on function private.content_columns(), private.content_list(text), private.content_texts(uuid) to authenticated;

alter table public.solutions enable row level security;

-- Three separate policies: the log has a deleted row's status and not its author, and each policy is applied
-- to the logged columns. For what is public no audiences are worked out, which takes four reads.
create policy "Everybody can read approved solutions of their audiences" on public.solutions
  for select using (status = 'approved' and (audience = 'public' or audience = any ((select private.readable_audiences())::text[])));
create policy "Authors can read their own solutions" on public.solutions
  for select to authenticated using (user_id = (select auth.uid()) and (select private.has_required_aal()));
create policy "Moderators can read all solutions" on public.solutions
  for select to authenticated using ((select private.is_moderator()));
create policy "Members can submit solutions of their own for review" on public.solutions
  for insert to authenticated with check (user_id = (select auth.uid()) and status = 'pending');
-- Four eyes: only an admin decides on their own work (guard_solution). A decided solution is no longer pending, so of two
-- moderators deciding at once the second finds no row.
create policy "Authors can edit theirs, moderators decide on what is pending" on public.solutions
  for update to authenticated
  using (user_id = (select auth.uid()) or (status = 'pending' and (select private.may_moderate())))
  with check (user_id = (select auth.uid()) or status in ('approved', 'rejected'));
create policy "Authors can delete their own solutions, moderators any" on public.solutions
  for delete to authenticated using (user_id = (select auth.uid()) or (select private.may_moderate()));

-- Browse, newest and oldest first: matches the list's order alone, since a policy with OR can use nothing else. With
-- the number, by which browse knows the solutions that it has found.
create index solutions_newest_idx on public.solutions (created_at desc, id desc) include (number);
-- Browse, popular first.
create index solutions_popular_idx on public.solutions (likes_count desc, created_at desc, id desc) include (number);
-- Browse, tried most first.
create index solutions_tried_idx on public.solutions (tried_count desc, created_at desc, id desc) include (number);
-- "My Solutions" and the foreign key.
create index solutions_user_id_idx on public.solutions (user_id, created_at desc);
-- One revision a solution.
create unique index solutions_revises_key on public.solutions (revises) where revises is not null;
-- The review queue, oldest first, and the counts of what is not public.
create index solutions_queue_idx on public.solutions (status, submitted_at, id) include (revises) where status <> 'approved';
-- What visitors cannot read, which is little.
create index solutions_audience_idx on public.solutions (audience) where audience <> 'public';

create trigger solutions_touch before update on public.solutions
  for each row
  when (old.likes_count = new.likes_count and old.author_names = new.author_names
    and old.extra_facets = new.extra_facets and old.tried_count = new.tried_count
    and old.submission_digest is not distinct from new.submission_digest)
  execute function private.touch();

/* Security definer, because it reads a name for search that the writer need not be able to read. */
create function private.name_author() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.author_names := coalesce((select concat_ws(' ', p.full_name, p.username) from public.profiles p where p.id = new.user_id), '');
  return new;
end
$$;

create trigger solutions_05_author before insert or update of user_id on public.solutions
  for each row execute function private.name_author();

/* Security definer, because members cannot write what search keeps for itself. */
create function private.rename_author() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.solutions s set author_names = concat_ws(' ', new.full_name, new.username) where s.user_id = new.id;
  return null;
end
$$;

create trigger profiles_author_names after update on public.profiles
  for each row when ((old.full_name, old.username) is distinct from (new.full_name, new.username))
  execute function private.rename_author();

/* A reader of a solution may read the rows that belong to it. Not security definer: the solution's own policies decide. For
   writes; a policy for reading selects the solution itself, since a function would work out the caller's audiences again for each
   row. It selects true instead of asking whether one exists, for which the planner may read all solutions. */
create function private.sees_solution(solution uuid) returns boolean
language sql stable set search_path = ''
return exists (select from public.solutions s where s.id = solution);

/* Whether the caller wrote it, and has taken their second step. */
create function private.owns_solution(solution uuid) returns boolean
language sql stable set search_path = ''
return exists (
  select from public.solutions s where s.id = solution and s.user_id = (select auth.uid()) and (select private.has_required_aal())
);

/* Whether a member may read a solution, who need not be the caller. Security definer, because it stands for what policies
   let that member read. */
create function private.may_read_solution(member uuid, solution uuid) returns boolean
language sql stable security definer set search_path = ''
return exists (
  select from public.solutions s
  where s.id = solution and (
    s.user_id = member or private.is_staff_account(member) or (s.status = 'approved' and s.audience = any (private.audiences_of(member)))
  )
);

grant execute on function private.sees_solution(uuid), private.owns_solution(uuid) to anon, authenticated, service_role;

/* For whom a published solution is that the caller may not read, so that its page can say so; null for any other. Security
   definer, because the caller cannot read it. */
create function public.required_audience(solution uuid) returns text
language sql stable security definer set search_path = ''
return (
  select s.audience from public.solutions s
  where s.id = solution and s.status = 'approved' and s.audience <> all (private.readable_audiences())
    and s.user_id is distinct from (select auth.uid())
);

grant execute on function public.required_audience(uuid) to anon, authenticated;

-- Without the columns that search and forms keep for themselves (`number`, `author_names`, `search_text`, `facets`,
-- `extra_facets`, `submission_id`, `submission_digest`, `checklist`).
grant select (
  id, user_id, title, description, status, rejection_reason, likes_count, tried_count, occupation, amputation_level,
  age_group, prosthesis_type, cost_range, materials, custom_tags, durability_testing, patient_outcomes, challenges_overcome, thumbnail_url,
  created_at, updated_at, approved_at, submitted_at, withheld_media, withheld_files, safety_kind, revises, version, change_note,
  removes_details, audience
) on public.solutions to anon, authenticated;
grant insert (
  submission_id, submission_digest, user_id, title, description, status, occupation, amputation_level, age_group, prosthesis_type,
  cost_range, materials, custom_tags, durability_testing, patient_outcomes, challenges_overcome, audience
) on public.solutions to authenticated;
grant update (
  title, description, status, rejection_reason, checklist, occupation, amputation_level, age_group, prosthesis_type, cost_range, materials,
  custom_tags, durability_testing, patient_outcomes, challenges_overcome, thumbnail_url, change_note, removes_details, audience
) on public.solutions to authenticated;
grant delete on public.solutions to authenticated;

-- How many comments a solution has, without removed ones; kept by sync_comment. Not a column of the solution, whose conditions
-- are all tested, and whose texts are all logged, at each change of a row.
create table public.comment_counts (
  solution_id uuid primary key references public.solutions on delete cascade,
  comments_count integer not null check (comments_count >= 0)
);

comment on table public.comment_counts is 'The number of comments on a solution, kept by trigger; no row before the first.';

alter table public.comment_counts enable row level security;

create policy "Whoever sees a solution sees how many comments it has" on public.comment_counts
  for select using ((select true from public.solutions s where s.id = solution_id));

revoke insert, update, delete on public.comment_counts from service_role;
grant select on public.comment_counts to anon, authenticated;
