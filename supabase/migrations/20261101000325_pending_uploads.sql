-- Files on their way: what waits for a solution, and the work on what is stored.

create table public.pending_uploads (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles on delete cascade,
  -- Of all its files; the first is the one that a form names.
  urls text[] not null,
  url text not null generated always as (urls[1]) stored unique,
  byte_size bigint not null check (byte_size > 0),
  -- What processing made and measured, by the columns of `solution_media` or `solution_files`.
  made jsonb not null,
  created_at timestamptz not null default now()
);

comment on table public.pending_uploads is
  'Pictures, clips and build files that processing has made and no solution holds yet; written by process-media-upload and '
  'process-file-upload alone. A row leaves when its files join a solution or have waited for a day.';

alter table public.pending_uploads enable row level security;

create policy "Members can read their own uploads" on public.pending_uploads
  for select to authenticated using (user_id = (select auth.uid()));
create policy "A second step comes before reading" on public.pending_uploads
  as restrictive for select to authenticated using ((select private.has_required_aal()));

create index pending_uploads_user_id_idx on public.pending_uploads (user_id);
-- The sweep of abandoned uploads.
create index pending_uploads_created_at_idx on public.pending_uploads (created_at);

grant select on public.pending_uploads to authenticated;

create table public.media_jobs (
  id bigint generated always as identity primary key,
  -- Whose files are put where they belong; null for none.
  solution_id uuid,
  -- `bucket/name` of files that are removed afterwards, except those that a row names: files whose rows were deleted, and
  -- the places that files of the solution leave or are copied to.
  object_names text[] not null default '{}',
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  -- Null while no worker has it. One that renews it no more is taken for dead after two minutes.
  claimed_at timestamptz,
  attempts integer not null default 0,
  last_error text
);

comment on table public.media_jobs is
  'Pending work on files after a decision or deletion; process-media-jobs does it. '
  'Written in the decision''s own transaction, so that nothing is forgotten.';

alter table public.media_jobs enable row level security;

-- The next job to claim.
create index media_jobs_due_at_idx on public.media_jobs (due_at, id);
