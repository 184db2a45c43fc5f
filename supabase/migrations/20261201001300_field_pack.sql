-- A pack has the filters of Browse, by which every reader finds a solution already.
grant select (facets) on public.solutions to anon, authenticated;

/* A text that stays the same while everything that was public at a moment still is, in the same versions and translations, by the
   same authors and under the same licences, and while the same notices hold: when it changes, a field pack of that moment shows what it
   should not. */
create function public.field_pack_state(at timestamptz) returns text
language sql stable set search_path = ''
begin atomic
  with packed as (
    select s.id, s.version, s.user_id, s.licence from public.solutions s
    where s.status = 'approved' and s.audience = 'public' and coalesce(s.approved_at, s.created_at) <= at
  )
  select concat_ws(' ',
    (select sum(hashtextextended(p::text, 0)::numeric) from packed p),
    (
      select sum(uuid_hash_extended(m.id, 0)::numeric) from public.solution_media m join packed p on p.id = m.solution_id
      where m.trial_id is null and m.hidden_at is null
    ),
    (
      select sum(uuid_hash_extended(n.id, 0)::numeric)
      from public.safety_notices n join packed p on p.id = n.solution_id where n.ended_at is null
    ),
    (
      select sum(hashtextextended(concat_ws(' ', t.id, t.user_id), 0)::numeric)
      from public.solution_translations t join packed p on p.id = t.solution_id and p.version = t.version
      where t.status = 'approved' and coalesce(t.approved_at, t.created_at) <= at
    ),
    (select sum(uuid_hash_extended(n.id, 0)::numeric) from public.part_notices n where n.ended_at is null)
  );
end;

revoke execute on function public.field_pack_state(timestamptz) from public, anon, authenticated;
grant execute on function public.field_pack_state(timestamptz) to service_role;
