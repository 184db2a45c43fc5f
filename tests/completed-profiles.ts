/** SQL that completes the profile of every member, which the site asks for before they take part. */
export const COMPLETE_PROFILES = `
  update public.profiles set full_name = coalesce(full_name, 'A Colleague'), username = coalesce(username, 'c' || left(md5(id::text), 12));
  insert into public.member_declarations (user_id, statement, text_version)
  select id, 'adult_healthcare_professional', '2026-11-01' from public.profiles on conflict do nothing;`;
