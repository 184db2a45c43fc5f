/* Terms as search compares them: one to four words, lower-case and without accents, each once. */
create function private.are_terms(terms text[]) returns boolean
language sql immutable parallel safe set search_path = ''
return cardinality(terms) between 2 and 12 and (
  select bool_and(term = array_to_string(private.tokenize(private.normalized(term)), ' ') and cardinality(private.tokenize(term)) between 1 and 4 and char_length(term) <= 60)
    and count(*) = count(distinct term)
  from unnest(terms) as t (term)
);

grant execute on function private.are_terms(text[]), private.tokenize(text), private.without_punctuation(text) to authenticated, service_role;

create table public.search_synonyms (
  id uuid primary key default gen_random_uuid(),
  terms text[] not null unique
    constraint "Terms must be 2 to 12, in lower case, each of 1 to 4 words" check (private.are_terms(terms)),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now()
);

comment on table public.search_synonyms is 'Terms that search treats as equal: abbreviations of the profession, and British and American spelling. Moderators add to it.';

alter table public.search_synonyms enable row level security;

create policy "Everybody can read synonyms" on public.search_synonyms for select using (true);
create policy "Moderators can add synonyms" on public.search_synonyms
  for insert to authenticated with check ((select private.may_moderate()) and created_by = (select auth.uid()));
create policy "Moderators can change synonyms" on public.search_synonyms
  for update to authenticated using ((select private.may_moderate())) with check ((select private.may_moderate()));
create policy "Moderators can remove synonyms" on public.search_synonyms
  for delete to authenticated using ((select private.may_moderate()));
create policy "A second step comes before any insert" on public.search_synonyms
  as restrictive for insert to authenticated with check ((select private.has_required_aal()));
create policy "A second step comes before any update" on public.search_synonyms
  as restrictive for update to authenticated using ((select private.has_required_aal()));
create policy "A second step comes before any delete" on public.search_synonyms
  as restrictive for delete to authenticated using ((select private.has_required_aal()));
create policy "Suspended and banned members add nothing" on public.search_synonyms
  as restrictive for insert to authenticated with check ((select private.may_take_part()));
create policy "Suspended and banned members change nothing" on public.search_synonyms
  as restrictive for update to authenticated using ((select private.may_take_part()));

create index search_synonyms_terms_idx on public.search_synonyms using gin (terms);
create index search_synonyms_created_by_idx on public.search_synonyms (created_by);

grant select (id, terms) on public.search_synonyms to anon, authenticated;
grant insert (terms, created_by) on public.search_synonyms to authenticated;
grant update (terms) on public.search_synonyms to authenticated;
grant delete on public.search_synonyms to authenticated;

insert into public.search_synonyms (terms) values
  ('{bk,tt,bka,tta,transtibial,trans tibial,below knee}'),
  ('{ak,tf,aka,tfa,transfemoral,trans femoral,above knee}'),
  ('{be,tr,bea,tra,transradial,trans radial,below elbow}'),
  ('{ae,th,aea,tha,transhumeral,trans humeral,above elbow}'),
  ('{pf,pff,partial foot}'),
  ('{kd,knee disarticulation,through knee}'),
  ('{hd,hip disarticulation}'),
  ('{wd,wrist disarticulation}'),
  ('{sd,shoulder disarticulation}'),
  ('{myo,myoelectric,emg}'),
  ('{bp,body powered}'),
  ('{oi,osseointegrated,osseointegration,bone anchored}'),
  ('{td,terminal device}'),
  ('{pla,polylactic acid,polylactide}'),
  ('{tpu,thermoplastic polyurethane}'),
  ('{pp,polypropylene}'),
  ('{3d printed,3d printing,additive manufacturing}'),
  ('{cad,computer aided design}'),
  ('{mpk,microprocessor knee}'),
  ('{esar,energy storing foot,energy storage and return}'),
  ('{sach,solid ankle cushion heel}'),
  ('{ptb,patellar tendon bearing}'),
  ('{tsb,total surface bearing}'),
  ('{rom,range of motion}'),
  ('{adl,daily living activities,activities of daily living}'),
  ('{stump,residual limb,residuum}'),
  ('{paed,paeds,paediatric,paediatrics,pediatric,child,children,kid,kids}'), ('{foot,feet}'), ('{tooth,teeth}'), ('{man,men}'), ('{woman,women}'),
  ('{fibre,fiber}'), ('{fibres,fibers}'), ('{aluminium,aluminum}'), ('{mould,mold}'), ('{moulded,molded}'), ('{moulding,molding}'),
  ('{colour,color}'), ('{grey,gray}'), ('{centre,center}'), ('{metre,meter}'), ('{tyre,tire}'), ('{orthopaedic,orthopedic}'),
  ('{stabilise,stabilize}'), ('{customised,customized}'), ('{customise,customize}'), ('{optimised,optimized}'), ('{lightweight,light weight}'),
  ('{prosthesis,prosthetic,prosthetics,prostheses}'), ('{programme,program}'), ('{plough,plow}'), ('{travelling,traveling}'), ('{pedalling,pedaling}'),
  ('{behaviour,behavior}'), ('{practise,practice}'), ('{haemophilia,hemophilia}'), ('{oedema,edema}'), ('{ischaemia,ischemia}'), ('{anaesthesia,anesthesia}');
