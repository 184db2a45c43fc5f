-- An author who leaves an image out of a new version takes no pack from everyone else: it waits for the next one, as its texts do.

/* A text that stays the same while a pack of a moment shows nothing that has gone since: everything that was public then still is, by
   the same authors and under the same licences, with all of its translations, no more of its images was hidden or removed at a request, and
   the same notices hold. A new version, image or translation waits for the next pack, also where it leaves an image out, unless the texts
   from before were removed with it. */
create or replace function public.field_pack_state(at timestamptz) returns text
language sql stable set search_path = ''
begin atomic
  with packed as (
    select s.id, v.version, s.user_id, s.licence, v.removed_at, coalesce(v.version = s.version, true) as is_current
    from public.solutions s
    left join lateral (
      select * from public.solution_versions o where o.solution_id = s.id and o.published_at <= at order by o.version desc limit 1
    ) v on true
    where s.status = 'approved' and s.audience = 'public' and coalesce(v.audience, 'public') = 'public'
      and coalesce(v.published_at, s.approved_at, s.created_at) <= at
  )
  select concat_ws(' ',
    (select sum(hashtextextended(concat_ws(' ', p.id, p.version, p.user_id, p.licence, p.removed_at), 0)::numeric) from packed p),
    (
      select sum(uuid_hash_extended(m.id, 0)::numeric) from public.solution_media m join packed p on p.id = m.solution_id
      where m.trial_id is null and m.hidden_at is not null
    ),
    (
      select count(*) from public.removal_requests r join packed p on p.id = r.solution_id
      where r.status = 'removed' and r.resolved_at > at
    ),
    (
      select sum(uuid_hash_extended(n.id, 0)::numeric)
      from public.safety_notices n join packed p on p.id = n.solution_id where n.ended_at is null
    ),
    (
      select sum(hashtextextended(concat_ws(' ', t.id, t.user_id), 0)::numeric)
      from public.solution_translations t join packed p on p.id = t.solution_id
      where coalesce(t.approved_at, t.created_at) <= at and (t.status = 'approved' or t.status = 'replaced' and exists (
        -- One that was replaced by a better one has gone with that.
        select from public.solution_translations better
        where better.solution_id = t.solution_id and better.language = t.language and better.status = 'approved'
      ))
    ),
    (select sum(uuid_hash_extended(n.id, 0)::numeric) from public.part_notices n where n.ended_at is null)
  );
end;
