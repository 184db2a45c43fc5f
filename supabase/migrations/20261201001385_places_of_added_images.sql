-- Images that join a solution with a new version stand where the form has them. They stood beside the first ones, in no order.

/*
 * Replaces the contents of the caller's own solution and sends it to review again, or changes nothing; of one that is
 * published, the contents of its revision, so that readers keep the published version until the new one is approved.
 * Media that are listed stay or are added, others are removed. `solution` may have a `change_note`, which is shown with
 * the new version, and `removes_details`, with which the texts of earlier versions go when it is approved. Arguments and
 * errors otherwise as for submit_solution; PT404 when the caller has no solution with this id. Returns the id that was given.
 */
create or replace function public.resubmit_solution(
  id uuid, solution jsonb, media jsonb, consent text, consent_version text, thumbnail_url text default null
) returns uuid
language plpgsql set search_path = ''
as $$
declare
  own_id uuid;
begin
  media := private.media_of(media);
  perform private.form_of(solution, array['audience']);
  own_id := private.open_revision(resubmit_solution.id);
  -- To show it to fewer people does not wait for review.
  update public.solutions s set audience = solution ->> 'audience'
  where s.id = resubmit_solution.id and s.user_id = (select auth.uid()) and s.status = 'approved'
    and not private.covers_audience(solution ->> 'audience', s.audience);
  execute format(
    'update public.solutions s set (%s) = row(%s), status = ''pending'', rejection_reason = null, change_note = f.change_note,
       removes_details = coalesce($1 -> ''removes_details'' = ''true'', false), audience = coalesce(f.audience, s.audience)
     from private.solution_fields($1) as f where s.id = $2 and s.user_id = (select auth.uid()) returning s.id',
    private.content_list(), private.content_list('f.')
  ) into own_id using solution, own_id;
  if own_id is null then
    raise sqlstate 'PT404' using message = 'Solution not found';
  end if;

  delete from public.solution_media m
  where m.solution_id = own_id
    and private.file_name(m.media_url) not in (select private.file_name(item ->> 'media_url') from jsonb_array_elements(media) as item);
  perform private.attach_to_solution(
    own_id,
    solution -> 'outcomes',
    (
      select coalesce(jsonb_agg(item.value order by item.ordinality), '[]')
      from jsonb_array_elements(media) with ordinality as item
      where not exists (
        select from public.solution_media m
        where m.solution_id = own_id and private.file_name(m.media_url) = private.file_name(item.value ->> 'media_url')
      )
    ),
    thumbnail_url, consent, consent_version
  );
  -- Those that have just joined too, whose places were counted among themselves.
  update public.solution_media m
  set description = nullif(btrim(item.value ->> 'description'), ''), position = item.ordinality - 1
  from jsonb_array_elements(media) with ordinality as item
  where m.solution_id = own_id and private.file_name(m.media_url) = private.file_name(item.value ->> 'media_url');
  perform private.set_files(own_id, solution -> 'files');
  perform private.set_sources(own_id, solution);
  perform private.set_fabrication(own_id, solution -> 'fabrication');
  return resubmit_solution.id;
end
$$;
