create table public.page_views (
  id bigint generated always as identity primary key,
  page_path text not null
    constraint "A page path starts with a slash and has no query" check (page_path ~ '^/[^?#]*$' and char_length(page_path) <= 300),
  user_id uuid references public.profiles on delete set null,
  session_id text constraint "A session id is at most 64 letters and digits" check (session_id ~ '^[A-Za-z0-9-]{1,64}$'),
  viewed_at timestamptz not null default now()
);

comment on table public.page_views is 'The views of pages, with their times. Holds an account or session only where the visitor agreed to statistics.';

alter table public.page_views enable row level security;

create policy "Everybody can log a view of their own" on public.page_views
  for insert with check (user_id is null or user_id = (select auth.uid()));
create policy "Moderators can read page views" on public.page_views
  for select to authenticated using ((select private.is_moderator()));

-- Counts by month.
create index page_views_viewed_at_idx on public.page_views (viewed_at);
create index page_views_user_id_idx on public.page_views (user_id) where user_id is not null;

/* The time of a view is the server's; the client's clock is ignored. More views than a person can have in a
   minute are refused: 120 of a member, 600 of an address, which a whole hospital may share. */
create function private.stamp_page_view() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if private.is_client() then
    new.viewed_at := now();
    if not private.within_rate_limit('page_view', case when (select auth.uid()) is null then 600 else 120 end) then
      perform private.raise_rate_limited('Too many page views within a minute', date_trunc('minute', now()) + interval '1 minute' - now());
    end if;
  end if;
  return new;
end
$$;

create trigger page_views_stamp before insert on public.page_views
  for each row execute function private.stamp_page_view();

-- Without the columns that identify the viewer of a page.
grant select (id, page_path, viewed_at) on public.page_views to authenticated;
grant insert (page_path, user_id, session_id, viewed_at) on public.page_views to anon, authenticated;
