-- Made by "npm run generate": what the migrations result in, for reading. The migrations are what is applied.
-- Of functions it shows the signature and the roles that may call them; triggers' functions are named by their triggers.

-- One row for each privileged act, written in the act's own transaction and never changed. Actors are kept by id alone, so that the record outlives the account.
create table audit_events (
  id bigint generated always as identity not null,
  actor_id uuid,
  action text not null,
  target_type text not null,
  target_id text not null,
  before jsonb,
  after jsonb,
  created_at timestamp with time zone default now() not null,
  constraint audit_events_pkey PRIMARY KEY (id),
  constraint "An act is one of those that are listed" FOREIGN KEY (action) REFERENCES private.audited_acts(action) NOT VALID
);
alter table audit_events enable row level security;
CREATE INDEX audit_events_action_idx ON public.audit_events USING btree (action, id DESC);
CREATE INDEX audit_events_created_at_idx ON public.audit_events USING btree (created_at DESC, id DESC);
CREATE INDEX audit_events_target_idx ON public.audit_events USING btree (target_type, target_id);
create policy "Admins can read the audit log" on audit_events as permissive for select to authenticated using (( SELECT private.is_admin() AS is_admin));
grant select on audit_events to authenticated;
grant select on audit_events to service_role;

-- The catalogue of badges and their conditions; a higher tier is shown first.
create table badges (
  id uuid default gen_random_uuid() not null,
  name text not null,
  description text not null,
  icon_url text not null,
  tier smallint not null,
  criterion text not null,
  threshold integer not null,
  constraint badges_pkey PRIMARY KEY (id),
  constraint badges_criterion_threshold_key UNIQUE (criterion, threshold),
  constraint badges_name_key UNIQUE (name),
  constraint badges_criterion_check CHECK ((criterion = ANY (ARRAY['solution'::text, 'comment'::text, 'topic'::text, 'like'::text, 'points'::text]))),
  constraint badges_icon_url_check CHECK ((icon_url ~ '^/badges/[a-z0-9-]+\.svg$'::text)),
  constraint badges_threshold_check CHECK ((threshold > 0)),
  constraint badges_tier_check CHECK (((tier >= 1) AND (tier <= 3)))
);
alter table badges enable row level security;
create policy "Everybody can read the badges, where shown" on badges as permissive for select to public using (( SELECT private.shows_points() AS shows_points));
grant select on badges to anon;
grant select on badges to authenticated;
grant delete, insert, select, update on badges to service_role;

-- The solutions of a collection, each with its owner's note.
create table collection_items (
  collection_id uuid not null,
  user_id uuid default auth.uid() not null,
  solution_id uuid not null,
  note text,
  created_at timestamp with time zone default now() not null,
  language text,
  constraint collection_items_pkey PRIMARY KEY (collection_id, user_id, solution_id),
  constraint collection_items_collection_id_user_id_fkey FOREIGN KEY (collection_id, user_id) REFERENCES collections(id, user_id) ON DELETE CASCADE,
  constraint collection_items_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint collection_items_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint "A note must be at most 1000 characters" CHECK ((char_length(note) <= 1000)),
  constraint "Please choose a language from the list" CHECK ((language = ANY (private.languages())))
);
alter table collection_items enable row level security;
CREATE INDEX collection_items_latest_idx ON public.collection_items USING btree (collection_id, user_id, created_at DESC);
CREATE INDEX collection_items_solution_id_idx ON public.collection_items USING btree (solution_id);
CREATE INDEX collection_items_user_id_idx ON public.collection_items USING btree (user_id, created_at);
CREATE TRIGGER collection_items_guard BEFORE INSERT ON collection_items FOR EACH ROW EXECUTE FUNCTION private.guard_collection();
create policy "A second step comes before any delete" on collection_items as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on collection_items as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on collection_items as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before reading" on collection_items as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can change their own notes" on collection_items as permissive for update to authenticated using ((user_id = ( SELECT auth.uid() AS uid))) with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can read the items of their own collections" on collection_items as permissive for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can remove what they saved" on collection_items as permissive for delete to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can save approved solutions" on collection_items as permissive for insert to authenticated with check (((user_id = ( SELECT auth.uid() AS uid)) AND private.is_approved(solution_id)));
create policy "Suspended and banned members add nothing" on collection_items as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on collection_items as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant delete, select on collection_items to authenticated;
grant delete, insert, select, update on collection_items to service_role;
grant insert (collection_id, user_id, solution_id, note, language) on collection_items to authenticated;
grant update (note, language) on collection_items to authenticated;

-- Lists of solutions that members keep for themselves, or share with everyone who has the address.
create table collections (
  id uuid default gen_random_uuid() not null,
  user_id uuid default auth.uid() not null,
  title text not null,
  is_shared boolean default false not null,
  link_removed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  language text,
  constraint collections_pkey PRIMARY KEY (id),
  constraint collections_id_user_id_key UNIQUE (id, user_id),
  constraint collections_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint "A moderator removed the link of this collection" CHECK (((NOT is_shared) OR (link_removed_at IS NULL))),
  constraint "A title must be at most 120 characters" CHECK ((char_length(title) <= 120)),
  constraint "Please choose a language from the list" CHECK ((language = ANY (private.languages()))),
  constraint "Please enter a title" CHECK ((NOT private.is_blank(title)))
);
alter table collections enable row level security;
CREATE INDEX collections_user_id_idx ON public.collections USING btree (user_id, created_at);
CREATE TRIGGER collections_00_plain BEFORE INSERT OR UPDATE OF title ON collections FOR EACH ROW WHEN (private.has_hidden_characters(concat_ws(' '::text, new.title))) EXECUTE FUNCTION private.plain_lines('title');
CREATE TRIGGER collections_10_guard BEFORE INSERT ON collections FOR EACH ROW EXECUTE FUNCTION private.guard_collection();
CREATE TRIGGER collections_95_close_reports AFTER DELETE ON collections FOR EACH ROW WHEN (pg_trigger_depth() > 0) EXECUTE FUNCTION private.close_reports('collection');
create policy "A second step comes before any delete" on collections as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on collections as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on collections as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before reading" on collections as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can change their own collections" on collections as permissive for update to authenticated using ((user_id = ( SELECT auth.uid() AS uid))) with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can delete their own collections" on collections as permissive for delete to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can make collections" on collections as permissive for insert to authenticated with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can read their own collections" on collections as permissive for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Suspended and banned members add nothing" on collections as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on collections as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant delete, select on collections to authenticated;
grant delete, insert, select, update on collections to service_role;
grant insert (id, user_id, title, language) on collections to authenticated;
grant update (title, is_shared, language) on collections to authenticated;

-- The number of comments on a solution, kept by trigger; no row before the first.
create table comment_counts (
  solution_id uuid not null,
  comments_count integer not null,
  constraint comment_counts_pkey PRIMARY KEY (solution_id),
  constraint comment_counts_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint comment_counts_comments_count_check CHECK ((comments_count >= 0))
);
alter table comment_counts enable row level security;
create policy "Whoever sees a solution sees how many comments it has" on comment_counts as permissive for select to public using (( SELECT true
   FROM solutions s
  WHERE (s.id = comment_counts.solution_id)));
grant select on comment_counts to anon;
grant select on comment_counts to authenticated;
grant select on comment_counts to service_role;

-- Comments of members on an approved solution; parent_comment_id is null for the first level.
create table comments (
  id uuid default gen_random_uuid() not null,
  solution_id uuid not null,
  user_id uuid default auth.uid(),
  content text not null,
  parent_comment_id uuid,
  depth smallint default 0 not null,
  thread_id uuid,
  created_at timestamp with time zone default now() not null,
  edited_at timestamp with time zone,
  deleted_at timestamp with time zone,
  submission_id uuid,
  audience text default 'public'::text not null,
  language text default 'en'::text not null,
  constraint comments_pkey PRIMARY KEY (id),
  constraint comments_id_solution_id_key UNIQUE (id, solution_id),
  constraint comments_user_id_submission_id_key UNIQUE (user_id, submission_id),
  constraint "A reply belongs to a comment on the same solution" FOREIGN KEY (parent_comment_id, solution_id) REFERENCES comments(id, solution_id) ON DELETE CASCADE,
  constraint comments_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint comments_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint "A comment cannot be empty" CHECK (((deleted_at IS NOT NULL) OR (NOT private.is_blank(content)))),
  constraint "A comment has one of the audiences of solutions" CHECK ((audience = ANY (private.audiences()))),
  constraint "A comment must be at most 5000 characters" CHECK ((char_length(content) <= 5000)),
  constraint "Please choose a language from the list" CHECK ((language = ANY (private.languages()))),
  constraint "Replies can be nested at most 50 deep" CHECK (((depth >= 0) AND (depth <= 50)))
);
alter table comments enable row level security;
CREATE INDEX comments_first_level_idx ON public.comments USING btree (solution_id, created_at DESC, id DESC) WHERE (parent_comment_id IS NULL);
CREATE INDEX comments_parent_comment_id_idx ON public.comments USING btree (parent_comment_id, solution_id);
CREATE INDEX comments_solution_id_idx ON public.comments USING btree (solution_id, created_at DESC, id DESC);
CREATE INDEX comments_thread_idx ON public.comments USING btree (thread_id, created_at, depth, id) WHERE (thread_id IS NOT NULL);
CREATE INDEX comments_user_id_idx ON public.comments USING btree (user_id, created_at);
CREATE TRIGGER comments_10_place BEFORE INSERT ON comments FOR EACH ROW EXECUTE FUNCTION private.place_comment();
CREATE TRIGGER comments_10_sync AFTER INSERT OR DELETE OR UPDATE ON comments FOR EACH ROW EXECUTE FUNCTION private.sync_comment();
CREATE TRIGGER comments_15_address BEFORE INSERT ON comments FOR EACH ROW EXECUTE FUNCTION private.address_comment();
CREATE TRIGGER comments_20_notify AFTER INSERT ON comments FOR EACH ROW EXECUTE FUNCTION private.notify_of_comment();
CREATE TRIGGER comments_20_wait BEFORE INSERT ON comments FOR EACH ROW WHEN (private.is_client()) EXECUTE FUNCTION private.hold_post();
CREATE TRIGGER comments_95_close_reports AFTER DELETE ON comments FOR EACH ROW WHEN (pg_trigger_depth() > 0) EXECUTE FUNCTION private.close_reports('comment');
CREATE TRIGGER comments_delete_notifications AFTER UPDATE OF deleted_at ON comments FOR EACH ROW WHEN (new.deleted_at IS NOT NULL) EXECUTE FUNCTION private.delete_comment_notifications();
CREATE TRIGGER comments_leave_tombstone BEFORE DELETE ON comments FOR EACH ROW EXECUTE FUNCTION private.leave_tombstone();
CREATE TRIGGER comments_limit AFTER INSERT ON comments FOR EACH ROW WHEN (private.is_client()) EXECUTE FUNCTION private.limit_contributions();
CREATE TRIGGER comments_mark_edited BEFORE UPDATE OF content, language ON comments FOR EACH ROW EXECUTE FUNCTION private.mark_edited_comment();
create policy "A second step comes before any delete" on comments as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on comments as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on comments as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Authors can delete their own comments, moderators any" on comments as permissive for delete to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.may_moderate() AS may_moderate)));
create policy "Authors can edit their own comments for 15 minutes" on comments as permissive for update to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) AND (deleted_at IS NULL) AND (created_at > (now() - '00:15:00'::interval)))) with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can comment on approved solutions" on comments as permissive for insert to authenticated with check (((user_id = ( SELECT auth.uid() AS uid)) AND private.is_approved(solution_id)));
create policy "Suspended and banned members add nothing" on comments as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on comments as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
create policy "Whoever sees a solution sees the comments for its readers then" on comments as permissive for select to public using ((((audience = 'public'::text) OR (audience = ANY (( SELECT private.readable_audiences() AS readable_audiences)::text[])) OR ((( SELECT auth.uid() AS uid) IS NOT NULL) AND ( SELECT private.has_required_aal() AS has_required_aal) AND ((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT (s.user_id = ( SELECT auth.uid() AS uid))
   FROM solutions s
  WHERE (s.id = comments.solution_id))))) AND ( SELECT true
   FROM solutions s
  WHERE (s.id = comments.solution_id))));
grant select on comments to anon;
grant delete, select on comments to authenticated;
grant delete, insert, select, update on comments to service_role;
grant insert (solution_id, user_id, content, parent_comment_id, submission_id, language) on comments to authenticated;
grant update (content, language) on comments to authenticated;

-- Reports of content by members, for moderators.
create table content_reports (
  id uuid default gen_random_uuid() not null,
  reporter_id uuid default auth.uid(),
  content_type text not null,
  content_id uuid not null,
  reason text not null,
  status text default 'pending'::text not null,
  admin_response text,
  resolved_at timestamp with time zone,
  resolved_by uuid,
  created_at timestamp with time zone default now() not null,
  shows_patient boolean default false not null,
  tells_of_harm boolean default false not null,
  constraint content_reports_pkey PRIMARY KEY (id),
  constraint content_reports_reporter_id_fkey FOREIGN KEY (reporter_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint content_reports_resolved_by_fkey FOREIGN KEY (resolved_by) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint "A closed report says when" CHECK (((status = 'pending'::text) = (resolved_at IS NULL))),
  constraint "A reason must be at most 2000 characters" CHECK ((char_length(reason) <= 2000)),
  constraint "A response cannot be blank" CHECK (((admin_response IS NULL) OR (NOT private.is_blank(admin_response)))),
  constraint "A response must be at most 5000 characters" CHECK ((char_length(admin_response) <= 5000)),
  constraint "Please provide a reason for the report" CHECK ((NOT private.is_blank(reason))),
  constraint content_reports_content_type_check CHECK ((content_type = ANY (ARRAY['topic'::text, 'post'::text, 'solution'::text, 'translation'::text, 'trial'::text, 'comment'::text, 'message'::text, 'profile'::text, 'collection'::text]))),
  constraint content_reports_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'resolved'::text, 'dismissed'::text])))
);
alter table content_reports enable row level security;
CREATE INDEX content_reports_at_risk_idx ON public.content_reports USING btree (((shows_patient OR tells_of_harm)) DESC, created_at, id) WHERE (status = 'pending'::text);
CREATE INDEX content_reports_content_idx ON public.content_reports USING btree (content_id, resolved_at DESC);
CREATE UNIQUE INDEX content_reports_open_key ON public.content_reports USING btree (reporter_id, content_type, content_id) WHERE (status = 'pending'::text);
CREATE INDEX content_reports_reporter_id_idx ON public.content_reports USING btree (reporter_id, created_at DESC);
CREATE INDEX content_reports_resolved_by_idx ON public.content_reports USING btree (resolved_by);
CREATE INDEX content_reports_status_idx ON public.content_reports USING btree (status, created_at, id);
CREATE TRIGGER content_reports_10_stamp BEFORE UPDATE ON content_reports FOR EACH ROW EXECUTE FUNCTION private.stamp_report();
CREATE TRIGGER content_reports_20_unname BEFORE UPDATE ON content_reports FOR EACH ROW WHEN (new.resolved_by IS NOT NULL) EXECUTE FUNCTION private.unname_decision('resolved_by');
CREATE TRIGGER content_reports_answer AFTER UPDATE OF status ON content_reports FOR EACH ROW WHEN (old.status = 'pending'::text AND new.status <> 'pending'::text) EXECUTE FUNCTION private.answer_report();
CREATE TRIGGER content_reports_audit AFTER UPDATE OF status ON content_reports FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION private.audit_report();
CREATE TRIGGER content_reports_count_waiting AFTER INSERT OR DELETE OR UPDATE ON content_reports FOR EACH ROW EXECUTE FUNCTION private.keep_count('waiting report', 'status = ''pending''');
CREATE TRIGGER content_reports_end_claim AFTER DELETE OR UPDATE OF status ON content_reports FOR EACH ROW EXECUTE FUNCTION private.end_claim('report');
CREATE TRIGGER content_reports_guard BEFORE INSERT ON content_reports FOR EACH ROW EXECUTE FUNCTION private.guard_report();
CREATE TRIGGER content_reports_hide_images AFTER INSERT ON content_reports FOR EACH ROW WHEN (new.shows_patient AND (new.content_type = ANY (ARRAY['topic'::text, 'post'::text]))) EXECUTE FUNCTION private.hide_reported_images();
create policy "A second step comes before any insert" on content_reports as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on content_reports as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can read their own reports and moderators all" on content_reports as permissive for select to authenticated using ((((reporter_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.has_required_aal() AS has_required_aal)) OR ( SELECT private.is_moderator() AS is_moderator)));
create policy "Members can report what they can see" on content_reports as permissive for insert to authenticated with check (((reporter_id = ( SELECT auth.uid() AS uid)) AND private.can_report(content_type, content_id)));
create policy "Moderators can close reports" on content_reports as permissive for update to authenticated using (((status = 'pending'::text) AND ( SELECT private.may_moderate() AS may_moderate))) with check ((status = ANY (ARRAY['resolved'::text, 'dismissed'::text])));
create policy "Suspended and banned members add nothing" on content_reports as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on content_reports as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant select on content_reports to authenticated;
grant delete, insert, select, update on content_reports to service_role;
grant insert (reporter_id, content_type, content_id, reason, shows_patient, tells_of_harm) on content_reports to authenticated;
grant update (status, admin_response, resolved_at, resolved_by) on content_reports to authenticated;

-- Continuing professional development as a member records it. Only the member can read it; no moderator can.
create table cpd_entries (
  id uuid default gen_random_uuid() not null,
  user_id uuid default auth.uid() not null,
  activity text not null,
  subject text not null,
  solution_id uuid,
  topic_id uuid,
  day date not null,
  minutes integer not null,
  reflection text,
  created_at timestamp with time zone default now() not null,
  kind text,
  benefit text,
  in_detail boolean default false not null,
  gap_reason text,
  constraint cpd_entries_pkey PRIMARY KEY (id),
  constraint cpd_entries_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE SET NULL,
  constraint cpd_entries_topic_id_fkey FOREIGN KEY (topic_id) REFERENCES forum_topics(id) ON DELETE SET NULL,
  constraint cpd_entries_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint "A reflection must be at most 1000 characters" CHECK ((char_length(reflection) <= 1000)),
  constraint "An entry is about a solution or a topic" CHECK ((num_nonnulls(solution_id, topic_id) <= 1)),
  constraint "Minutes must be between 1 and 1,440" CHECK (((minutes >= 1) AND (minutes <= 1440))),
  constraint "Please choose one of the listed types of learning" CHECK ((kind = ANY (ARRAY['work_based'::text, 'professional'::text, 'formal'::text, 'self_directed'::text, 'other'::text]))),
  constraint "Please choose read, tried, reviewed or discussed" CHECK ((activity = ANY (ARRAY['read'::text, 'tried'::text, 'reviewed'::text, 'discussed'::text]))),
  constraint "Please say what it was about" CHECK ((NOT private.is_blank(subject))),
  constraint "The benefit to service users must be at most 1000 characters" CHECK ((char_length(benefit) <= 1000)),
  constraint "The date cannot be before 2000" CHECK ((day >= '2000-01-01'::date)),
  constraint "The date cannot be in the future" CHECK ((day <= (((now() AT TIME ZONE 'utc'::text))::date + 1))),
  constraint "The explanation of a gap must be at most 500 characters" CHECK ((char_length(gap_reason) <= 500)),
  constraint "What it was about must be at most 200 characters" CHECK ((char_length(subject) <= 200))
);
alter table cpd_entries enable row level security;
CREATE INDEX cpd_entries_in_detail_idx ON public.cpd_entries USING btree (user_id) WHERE in_detail;
CREATE INDEX cpd_entries_solution_id_idx ON public.cpd_entries USING btree (solution_id) WHERE (solution_id IS NOT NULL);
CREATE INDEX cpd_entries_topic_id_idx ON public.cpd_entries USING btree (topic_id) WHERE (topic_id IS NOT NULL);
CREATE INDEX cpd_entries_user_id_idx ON public.cpd_entries USING btree (user_id, day DESC, created_at DESC);
CREATE TRIGGER cpd_entries_00_plain BEFORE INSERT OR UPDATE OF subject ON cpd_entries FOR EACH ROW WHEN (private.has_hidden_characters(concat_ws(' '::text, new.subject))) EXECUTE FUNCTION private.plain_lines('subject');
CREATE TRIGGER cpd_entries_10_guard BEFORE INSERT ON cpd_entries FOR EACH ROW EXECUTE FUNCTION private.guard_cpd_entry();
CREATE TRIGGER cpd_entries_in_detail_limit BEFORE INSERT OR UPDATE OF in_detail ON cpd_entries FOR EACH ROW WHEN (new.in_detail) EXECUTE FUNCTION private.guard_cpd_detail();
create policy "A second step comes before any delete" on cpd_entries as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on cpd_entries as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on cpd_entries as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before reading" on cpd_entries as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can add to their own CPD record" on cpd_entries as permissive for insert to authenticated with check (((user_id = ( SELECT auth.uid() AS uid)) AND ((solution_id IS NULL) OR private.sees_solution(solution_id))));
create policy "Members can change their own CPD record" on cpd_entries as permissive for update to authenticated using ((user_id = ( SELECT auth.uid() AS uid))) with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can delete from their own CPD record" on cpd_entries as permissive for delete to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can read their own CPD record" on cpd_entries as permissive for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Suspended and banned members add nothing" on cpd_entries as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on cpd_entries as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant delete, select on cpd_entries to authenticated;
grant delete, insert, select, update on cpd_entries to service_role;
grant insert (user_id, activity, subject, solution_id, topic_id, day, minutes, reflection, kind, benefit, in_detail) on cpd_entries to authenticated;
grant update (activity, subject, day, minutes, reflection, kind, benefit, in_detail, gap_reason) on cpd_entries to authenticated;

-- Members, solutions, topics, tags and searches whose news a member wants. Only the member can read them.
create table follows (
  id uuid default gen_random_uuid() not null,
  user_id uuid default auth.uid() not null,
  member_id uuid,
  solution_id uuid,
  topic_id uuid,
  tag text,
  search text,
  filters text[],
  match text,
  created_at timestamp with time zone default now() not null,
  constraint follows_pkey PRIMARY KEY (id),
  constraint follows_user_id_member_id_key UNIQUE (user_id, member_id),
  constraint follows_user_id_search_filters_match_key UNIQUE (user_id, search, filters, match),
  constraint follows_user_id_solution_id_key UNIQUE (user_id, solution_id),
  constraint follows_user_id_tag_key UNIQUE (user_id, tag),
  constraint follows_user_id_topic_id_key UNIQUE (user_id, topic_id),
  constraint follows_member_id_fkey FOREIGN KEY (member_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint follows_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint follows_topic_id_fkey FOREIGN KEY (topic_id) REFERENCES forum_topics(id) ON DELETE CASCADE,
  constraint follows_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint "A saved search can have at most 60 filters" CHECK ((cardinality(filters) <= 60)),
  constraint "A search must be at most 200 characters" CHECK ((char_length(search) <= 200)),
  constraint "A tag must be 1 to 40 characters" CHECK (((tag IS NULL) OR ((tag = btrim(lower(tag))) AND (NOT private.is_blank(tag)) AND (char_length(tag) <= 40)))),
  constraint "Follow one thing at a time" CHECK ((num_nonnulls(member_id, solution_id, topic_id, tag, search) = 1)),
  constraint "Match must be all or any" CHECK ((match = ANY (ARRAY['all'::text, 'any'::text]))),
  constraint "Only a saved search has filters" CHECK ((((search IS NULL) = (filters IS NULL)) AND ((search IS NULL) = (match IS NULL)))),
  constraint "Please search or filter before you save a search" CHECK (((NOT private.is_blank(search)) OR (filters <> '{}'::text[]))),
  constraint "The filters of a saved search must be a plain list" CHECK ((array_ndims(filters) = 1)),
  constraint "You cannot follow yourself" CHECK ((member_id <> user_id))
);
alter table follows enable row level security;
CREATE INDEX follows_member_id_idx ON public.follows USING btree (member_id) WHERE (member_id IS NOT NULL);
CREATE INDEX follows_search_idx ON public.follows USING btree (match) WHERE (search IS NOT NULL);
CREATE INDEX follows_solution_id_idx ON public.follows USING btree (solution_id) WHERE (solution_id IS NOT NULL);
CREATE INDEX follows_tag_idx ON public.follows USING btree (tag) WHERE (tag IS NOT NULL);
CREATE INDEX follows_topic_id_idx ON public.follows USING btree (topic_id) WHERE (topic_id IS NOT NULL);
CREATE TRIGGER follows_00_plain BEFORE INSERT OR UPDATE OF tag, search ON follows FOR EACH ROW WHEN (private.has_hidden_characters(concat_ws(' '::text, new.tag, new.search))) EXECUTE FUNCTION private.plain_lines('tag', 'search');
CREATE TRIGGER follows_10_guard BEFORE INSERT ON follows FOR EACH ROW EXECUTE FUNCTION private.guard_follow();
create policy "A second step comes before any delete" on follows as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on follows as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before reading" on follows as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can follow what they can see" on follows as permissive for insert to authenticated with check (((user_id = ( SELECT auth.uid() AS uid)) AND ((solution_id IS NULL) OR private.is_approved(solution_id))));
create policy "Members can read what they follow" on follows as permissive for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can unfollow" on follows as permissive for delete to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Suspended and banned members add nothing" on follows as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
grant delete, select on follows to authenticated;
grant delete, insert, select, update on follows to service_role;
grant insert (user_id, member_id, solution_id, topic_id, tag, search, filters, match) on follows to authenticated;

-- Replies to forum topics.
create table forum_posts (
  id uuid default gen_random_uuid() not null,
  topic_id uuid not null,
  user_id uuid default auth.uid(),
  content text not null,
  created_at timestamp with time zone default now() not null,
  edited_at timestamp with time zone,
  submission_id uuid,
  language text default 'en'::text not null,
  helped_told_at timestamp with time zone,
  images jsonb default '[]'::jsonb not null,
  image_consent text,
  images_checked_at timestamp with time zone,
  images_hidden_at timestamp with time zone,
  shown_images jsonb default '[]'::jsonb not null,
  constraint forum_posts_pkey PRIMARY KEY (id),
  constraint forum_posts_user_id_submission_id_key UNIQUE (user_id, submission_id),
  constraint forum_posts_topic_id_fkey FOREIGN KEY (topic_id) REFERENCES forum_topics(id) ON DELETE CASCADE,
  constraint forum_posts_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint "A post can have at most 4 images" CHECK ((jsonb_array_length(images) <= 4)),
  constraint "A reply cannot be empty" CHECK ((NOT private.is_blank(content))),
  constraint "A reply must be at most 10000 characters" CHECK ((char_length(content) <= 10000)),
  constraint "Please choose a consent statement" CHECK (
CASE
    WHEN (images = '[]'::jsonb) THEN (image_consent IS NULL)
    ELSE private.is_consent(image_consent)
END),
  constraint "Please choose a language from the list" CHECK ((language = ANY (private.languages()))),
  constraint "Please nest lists and quotes less deeply" CHECK ((NOT private.is_nested_deeply(content))),
  constraint "Please use fewer lists, links and other formatting" CHECK ((private.formatting_marks(content) <= 1000)),
  constraint "Please use no word or link over 1000 characters" CHECK ((private.longest_word(content) <= 1000))
);
alter table forum_posts enable row level security;
CREATE INDEX forum_posts_created_at_idx ON public.forum_posts USING btree (created_at);
CREATE INDEX forum_posts_image_urls_idx ON public.forum_posts USING gin (private.image_urls(images)) WHERE (images <> '[]'::jsonb);
CREATE INDEX forum_posts_images_waiting_idx ON public.forum_posts USING btree (images_hidden_at, created_at, id) WHERE ((images <> '[]'::jsonb) AND (images_checked_at IS NULL));
CREATE INDEX forum_posts_search_idx ON public.forum_posts USING gin (private.normalized(content) extensions.gin_trgm_ops);
CREATE INDEX forum_posts_topic_id_idx ON public.forum_posts USING btree (topic_id, created_at, id);
CREATE INDEX forum_posts_user_id_idx ON public.forum_posts USING btree (user_id, created_at);
CREATE TRIGGER forum_posts_10_guard BEFORE INSERT OR UPDATE ON forum_posts FOR EACH ROW EXECUTE FUNCTION private.guard_post();
CREATE TRIGGER forum_posts_10_sync AFTER INSERT OR DELETE ON forum_posts FOR EACH ROW EXECUTE FUNCTION private.sync_post();
CREATE TRIGGER forum_posts_15_images BEFORE INSERT ON forum_posts FOR EACH ROW WHEN (private.is_client() AND new.images <> '[]'::jsonb) EXECUTE FUNCTION private.attach_images();
CREATE TRIGGER forum_posts_20_notify AFTER INSERT ON forum_posts FOR EACH ROW EXECUTE FUNCTION private.notify_of_post();
CREATE TRIGGER forum_posts_20_unmark AFTER DELETE ON forum_posts FOR EACH ROW EXECUTE FUNCTION private.unmark_answer();
CREATE TRIGGER forum_posts_20_wait BEFORE INSERT ON forum_posts FOR EACH ROW WHEN (private.is_client()) EXECUTE FUNCTION private.hold_post();
CREATE TRIGGER forum_posts_30_notify_mentioned AFTER INSERT OR UPDATE OF content ON forum_posts FOR EACH ROW EXECUTE FUNCTION private.notify_mentioned_in_post();
CREATE TRIGGER forum_posts_30_show_images BEFORE INSERT OR UPDATE OF images, images_hidden_at ON forum_posts FOR EACH ROW EXECUTE FUNCTION private.show_images();
CREATE TRIGGER forum_posts_90_purge_images AFTER DELETE ON forum_posts FOR EACH ROW WHEN (old.images <> '[]'::jsonb) EXECUTE FUNCTION private.purge_images();
CREATE TRIGGER forum_posts_91_purge_removed AFTER UPDATE OF images ON forum_posts FOR EACH ROW WHEN (old.images <> '[]'::jsonb AND old.images <> new.images) EXECUTE FUNCTION private.purge_images();
CREATE TRIGGER forum_posts_95_close_reports AFTER DELETE ON forum_posts FOR EACH ROW WHEN (pg_trigger_depth() > 0) EXECUTE FUNCTION private.close_reports('post');
CREATE TRIGGER forum_posts_count_images AFTER INSERT OR DELETE OR UPDATE OF images, images_checked_at ON forum_posts FOR EACH ROW EXECUTE FUNCTION private.keep_count('waiting image', 'images <> ''[]'' and images_checked_at is null');
CREATE TRIGGER forum_posts_end_claim AFTER DELETE OR UPDATE OF images, images_checked_at ON forum_posts FOR EACH ROW EXECUTE FUNCTION private.end_claim('image');
CREATE TRIGGER forum_posts_limit AFTER INSERT ON forum_posts FOR EACH ROW WHEN (private.is_client()) EXECUTE FUNCTION private.limit_contributions();
create policy "A second step comes before any delete" on forum_posts as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on forum_posts as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on forum_posts as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Authors can edit their replies for 15 minutes" on forum_posts as permissive for update to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) AND (created_at > (now() - '00:15:00'::interval)) AND private.is_open_topic(topic_id))) with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Everybody can read replies" on forum_posts as permissive for select to public using (true);
create policy "Members can reply to topics that are not locked" on forum_posts as permissive for insert to authenticated with check (((user_id = ( SELECT auth.uid() AS uid)) AND private.is_open_topic(topic_id)));
create policy "Moderators can delete replies" on forum_posts as permissive for delete to authenticated using (( SELECT private.may_moderate() AS may_moderate));
create policy "Suspended and banned members add nothing" on forum_posts as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on forum_posts as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant delete on forum_posts to authenticated;
grant delete, insert, select, update on forum_posts to service_role;
grant select (id, topic_id, user_id, content, created_at, edited_at, submission_id, language, images_hidden_at, shown_images) on forum_posts to anon;
grant insert (topic_id, user_id, content, submission_id, language, images, image_consent) on forum_posts to authenticated;
grant select (id, topic_id, user_id, content, created_at, edited_at, submission_id, language, images_hidden_at, shown_images) on forum_posts to authenticated;
grant update (content, language) on forum_posts to authenticated;

-- Topics of the forum.
create table forum_topics (
  id uuid default gen_random_uuid() not null,
  title text not null,
  description text,
  category text default 'general'::text not null,
  user_id uuid default auth.uid(),
  is_pinned boolean default false not null,
  is_locked boolean default false not null,
  views_count integer default 0 not null,
  posts_count integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  edited_at timestamp with time zone,
  submission_id uuid,
  language text default 'en'::text not null,
  answer_id uuid,
  summary text,
  summary_language text,
  summary_by uuid,
  summary_at timestamp with time zone,
  summary_told_at timestamp with time zone,
  images jsonb default '[]'::jsonb not null,
  image_consent text,
  images_checked_at timestamp with time zone,
  images_hidden_at timestamp with time zone,
  shown_images jsonb default '[]'::jsonb not null,
  constraint forum_topics_pkey PRIMARY KEY (id),
  constraint forum_topics_user_id_submission_id_key UNIQUE (user_id, submission_id),
  constraint forum_topics_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint "A post can have at most 4 images" CHECK ((jsonb_array_length(images) <= 4)),
  constraint "A summary cannot be empty" CHECK (((summary IS NULL) OR (NOT private.is_blank(summary)))),
  constraint "A summary must be at most 2000 characters" CHECK ((char_length(summary) <= 2000)),
  constraint "A topic description must be at most 10000 characters" CHECK ((char_length(description) <= 10000)),
  constraint "A topic title must be at most 200 characters" CHECK ((char_length(title) <= 200)),
  constraint "Please choose a consent statement" CHECK (
CASE
    WHEN (images = '[]'::jsonb) THEN (image_consent IS NULL)
    ELSE private.is_consent(image_consent)
END),
  constraint "Please choose a language from the list" CHECK ((language = ANY (private.languages()))),
  constraint "Please choose the language of the summary from the list" CHECK ((summary_language = ANY (private.languages()))),
  constraint "Please enter a topic title" CHECK ((NOT private.is_blank(title))),
  constraint "Please nest lists and quotes in the summary less deeply" CHECK ((NOT private.is_nested_deeply(summary))),
  constraint "Please nest lists and quotes less deeply" CHECK ((NOT private.is_nested_deeply(description))),
  constraint "Please select a category" CHECK ((category = ANY (ARRAY['general'::text, 'technical'::text, 'success-stories'::text, 'materials'::text, 'research'::text]))),
  constraint "Please use fewer lists, links and formatting in the summary" CHECK ((private.formatting_marks(summary) <= 1000)),
  constraint "Please use fewer lists, links and other formatting" CHECK ((private.formatting_marks(description) <= 1000)),
  constraint "Please use no word or link over 1000 characters" CHECK ((private.longest_word(description) <= 1000)),
  constraint "Please use no word or link over 1000 characters in the summary" CHECK ((private.longest_word(summary) <= 1000)),
  constraint forum_topics_posts_count_check CHECK ((posts_count >= 0)),
  constraint forum_topics_views_count_check CHECK ((views_count >= 0))
);
alter table forum_topics enable row level security;
CREATE INDEX forum_topics_category_idx ON public.forum_topics USING btree (category, is_pinned DESC, created_at DESC, id DESC);
CREATE INDEX forum_topics_created_at_idx ON public.forum_topics USING btree (created_at);
CREATE INDEX forum_topics_image_urls_idx ON public.forum_topics USING gin (private.image_urls(images)) WHERE (images <> '[]'::jsonb);
CREATE INDEX forum_topics_images_waiting_idx ON public.forum_topics USING btree (images_hidden_at, created_at, id) WHERE ((images <> '[]'::jsonb) AND (images_checked_at IS NULL));
CREATE INDEX forum_topics_list_idx ON public.forum_topics USING btree (is_pinned DESC, created_at DESC, id DESC);
CREATE INDEX forum_topics_search_idx ON public.forum_topics USING gin (private.normalized(((((title || ' '::text) || COALESCE(description, ''::text)) || ' '::text) || COALESCE(summary, ''::text))) extensions.gin_trgm_ops);
CREATE INDEX forum_topics_summary_by_idx ON public.forum_topics USING btree (summary_by) WHERE (summary_by IS NOT NULL);
CREATE INDEX forum_topics_user_id_idx ON public.forum_topics USING btree (user_id, created_at);
CREATE TRIGGER forum_topics_00_plain BEFORE INSERT OR UPDATE OF title ON forum_topics FOR EACH ROW WHEN (private.has_hidden_characters(concat_ws(' '::text, new.title))) EXECUTE FUNCTION private.plain_lines('title');
CREATE TRIGGER forum_topics_10_guard BEFORE INSERT OR UPDATE ON forum_topics FOR EACH ROW EXECUTE FUNCTION private.guard_topic();
CREATE TRIGGER forum_topics_10_sync AFTER INSERT OR DELETE OR UPDATE OF is_pinned, is_locked ON forum_topics FOR EACH ROW EXECUTE FUNCTION private.sync_topic();
CREATE TRIGGER forum_topics_15_follow AFTER INSERT ON forum_topics FOR EACH ROW WHEN (new.user_id IS NOT NULL) EXECUTE FUNCTION private.follow_own_topic();
CREATE TRIGGER forum_topics_15_images BEFORE INSERT ON forum_topics FOR EACH ROW WHEN (private.is_client() AND new.images <> '[]'::jsonb) EXECUTE FUNCTION private.attach_images();
CREATE TRIGGER forum_topics_20_notify_mentioned AFTER INSERT OR UPDATE OF description ON forum_topics FOR EACH ROW EXECUTE FUNCTION private.notify_mentioned_in_topic();
CREATE TRIGGER forum_topics_20_wait BEFORE INSERT ON forum_topics FOR EACH ROW WHEN (private.is_client()) EXECUTE FUNCTION private.hold_post();
CREATE TRIGGER forum_topics_30_show_images BEFORE INSERT OR UPDATE OF images, images_hidden_at ON forum_topics FOR EACH ROW EXECUTE FUNCTION private.show_images();
CREATE TRIGGER forum_topics_40_unname BEFORE UPDATE OF summary_by ON forum_topics FOR EACH ROW WHEN (new.summary_by IS NOT NULL AND new.summary_by IS DISTINCT FROM new.user_id) EXECUTE FUNCTION private.unname_decision('summary_by');
CREATE TRIGGER forum_topics_90_purge_images AFTER DELETE ON forum_topics FOR EACH ROW WHEN (old.images <> '[]'::jsonb) EXECUTE FUNCTION private.purge_images();
CREATE TRIGGER forum_topics_91_purge_removed AFTER UPDATE OF images ON forum_topics FOR EACH ROW WHEN (old.images <> '[]'::jsonb AND old.images <> new.images) EXECUTE FUNCTION private.purge_images();
CREATE TRIGGER forum_topics_count AFTER INSERT OR DELETE ON forum_topics FOR EACH ROW EXECUTE FUNCTION private.keep_count('topics', 'true');
CREATE TRIGGER forum_topics_count_images AFTER INSERT OR DELETE OR UPDATE OF images, images_checked_at ON forum_topics FOR EACH ROW EXECUTE FUNCTION private.keep_count('waiting image', 'images <> ''[]'' and images_checked_at is null');
CREATE TRIGGER forum_topics_count_stories AFTER INSERT OR DELETE OR UPDATE OF category ON forum_topics FOR EACH ROW EXECUTE FUNCTION private.keep_count('success_stories', 'category = ''success-stories''');
CREATE TRIGGER forum_topics_end_claim AFTER DELETE OR UPDATE OF images, images_checked_at ON forum_topics FOR EACH ROW EXECUTE FUNCTION private.end_claim('image');
CREATE TRIGGER forum_topics_limit AFTER INSERT ON forum_topics FOR EACH ROW WHEN (private.is_client()) EXECUTE FUNCTION private.limit_contributions();
create policy "A second step comes before any delete" on forum_topics as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on forum_topics as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on forum_topics as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Authors can edit topics for 15 minutes, moderators pin and lock" on forum_topics as permissive for update to authenticated using ((((user_id = ( SELECT auth.uid() AS uid)) AND (created_at > (now() - '00:15:00'::interval)) AND (NOT is_locked)) OR ( SELECT private.may_moderate() AS may_moderate))) with check (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.may_moderate() AS may_moderate)));
create policy "Everybody can read the forum" on forum_topics as permissive for select to public using (true);
create policy "Members can open topics" on forum_topics as permissive for insert to authenticated with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Moderators can delete topics" on forum_topics as permissive for delete to authenticated using (( SELECT private.may_moderate() AS may_moderate));
create policy "Suspended and banned members add nothing" on forum_topics as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on forum_topics as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant delete on forum_topics to authenticated;
grant delete, insert, select, update on forum_topics to service_role;
grant select (id, title, description, category, user_id, is_pinned, is_locked, views_count, posts_count, created_at, edited_at, submission_id, language, answer_id, summary, summary_language, summary_by, summary_at, images_hidden_at, shown_images) on forum_topics to anon;
grant insert (title, description, category, user_id, submission_id, language, images, image_consent) on forum_topics to authenticated;
grant select (id, title, description, category, user_id, is_pinned, is_locked, views_count, posts_count, created_at, edited_at, submission_id, language, answer_id, summary, summary_language, summary_by, summary_at, images_hidden_at, shown_images) on forum_topics to authenticated;
grant update (title, description, category, is_pinned, is_locked, language) on forum_topics to authenticated;

-- First posts of new members that wait for a moderator. They stand in no other table, and nothing tells of them, until they are published.
create table held_posts (
  id uuid default gen_random_uuid() not null,
  user_id uuid default auth.uid() not null,
  solution_id uuid,
  parent_comment_id uuid,
  topic_id uuid,
  title text,
  category text,
  content text,
  created_at timestamp with time zone default now() not null,
  submission_id uuid,
  version integer default 1 not null,
  audience text default 'public'::text not null,
  language text default 'en'::text not null,
  images jsonb default '[]'::jsonb not null,
  image_consent text,
  constraint held_posts_pkey PRIMARY KEY (id),
  constraint held_posts_user_id_submission_id_key UNIQUE (user_id, submission_id),
  constraint held_posts_parent_comment_id_fkey FOREIGN KEY (parent_comment_id) REFERENCES comments(id) ON DELETE CASCADE,
  constraint held_posts_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint held_posts_topic_id_fkey FOREIGN KEY (topic_id) REFERENCES forum_topics(id) ON DELETE CASCADE,
  constraint held_posts_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint "A comment must be at most 5000 characters" CHECK (((solution_id IS NULL) OR (char_length(content) <= 5000))),
  constraint "A post can have at most 4 images" CHECK ((jsonb_array_length(images) <= 4)),
  constraint "A post cannot be empty" CHECK (((title IS NOT NULL) OR ((content IS NOT NULL) AND (NOT private.is_blank(content))))),
  constraint "A post is a comment, a reply or a topic" CHECK (((num_nonnulls(solution_id, topic_id, title) = 1) AND ((title IS NULL) = (category IS NULL)) AND ((parent_comment_id IS NULL) OR (solution_id IS NOT NULL)))),
  constraint "A reply must be at most 10000 characters" CHECK ((char_length(content) <= 10000)),
  constraint "A topic title must be at most 200 characters" CHECK ((char_length(title) <= 200)),
  constraint "A waiting post has one of the audiences of solutions" CHECK ((audience = ANY (private.audiences()))),
  constraint "Comments have no images" CHECK (((solution_id IS NULL) OR (images = '[]'::jsonb))),
  constraint "Please choose a consent statement" CHECK (
CASE
    WHEN (images = '[]'::jsonb) THEN (image_consent IS NULL)
    ELSE private.is_consent(image_consent)
END),
  constraint "Please choose a language from the list" CHECK ((language = ANY (private.languages()))),
  constraint "Please enter a topic title" CHECK (((title IS NULL) OR (NOT private.is_blank(title)))),
  constraint "Please nest lists and quotes less deeply" CHECK (((solution_id IS NOT NULL) OR (NOT private.is_nested_deeply(content)))),
  constraint "Please select a category" CHECK ((category = ANY (ARRAY['general'::text, 'technical'::text, 'success-stories'::text, 'materials'::text, 'research'::text]))),
  constraint "Please use fewer lists, links and other formatting" CHECK (((solution_id IS NOT NULL) OR (private.formatting_marks(content) <= 1000))),
  constraint "Please use no word or link over 1000 characters" CHECK (((solution_id IS NOT NULL) OR (private.longest_word(content) <= 1000)))
);
alter table held_posts enable row level security;
CREATE INDEX held_posts_image_urls_idx ON public.held_posts USING gin (private.image_urls(images)) WHERE (images <> '[]'::jsonb);
CREATE INDEX held_posts_parent_comment_id_idx ON public.held_posts USING btree (parent_comment_id) WHERE (parent_comment_id IS NOT NULL);
CREATE INDEX held_posts_queue_idx ON public.held_posts USING btree (created_at, id);
CREATE INDEX held_posts_solution_id_idx ON public.held_posts USING btree (solution_id) WHERE (solution_id IS NOT NULL);
CREATE INDEX held_posts_topic_id_idx ON public.held_posts USING btree (topic_id) WHERE (topic_id IS NOT NULL);
CREATE INDEX held_posts_user_id_idx ON public.held_posts USING btree (user_id, created_at);
CREATE TRIGGER held_posts_00_plain BEFORE INSERT OR UPDATE OF title ON held_posts FOR EACH ROW WHEN (private.has_hidden_characters(concat_ws(' '::text, new.title))) EXECUTE FUNCTION private.plain_lines('title');
CREATE TRIGGER held_posts_10_revise BEFORE UPDATE ON held_posts FOR EACH ROW EXECUTE FUNCTION private.revise_held_post();
CREATE TRIGGER held_posts_15_address BEFORE INSERT ON held_posts FOR EACH ROW EXECUTE FUNCTION private.address_comment();
CREATE TRIGGER held_posts_20_images BEFORE INSERT ON held_posts FOR EACH ROW WHEN (private.is_client() AND new.images <> '[]'::jsonb AND pg_trigger_depth() = 0) EXECUTE FUNCTION private.attach_images();
CREATE TRIGGER held_posts_count_waiting AFTER INSERT OR DELETE ON held_posts FOR EACH ROW EXECUTE FUNCTION private.keep_count('waiting post', 'true');
CREATE TRIGGER held_posts_end_claim AFTER DELETE ON held_posts FOR EACH ROW EXECUTE FUNCTION private.end_claim('post');
CREATE TRIGGER held_posts_guard BEFORE INSERT ON held_posts FOR EACH ROW EXECUTE FUNCTION private.guard_held_post();
CREATE TRIGGER held_posts_purge_images AFTER DELETE ON held_posts FOR EACH ROW WHEN (old.images <> '[]'::jsonb) EXECUTE FUNCTION private.purge_images();
create policy "A second step comes before any delete" on held_posts as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on held_posts as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on held_posts as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before reading" on held_posts as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can edit their own waiting posts" on held_posts as permissive for update to authenticated using ((user_id = ( SELECT auth.uid() AS uid))) with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can have posts wait where they may post" on held_posts as permissive for insert to authenticated with check (((user_id = ( SELECT auth.uid() AS uid)) AND ((solution_id IS NULL) OR private.is_approved(solution_id)) AND ((topic_id IS NULL) OR private.is_open_topic(topic_id))));
create policy "Members can read their own waiting posts, moderators all" on held_posts as permissive for select to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_moderator() AS is_moderator)));
create policy "Members can withdraw their own waiting posts" on held_posts as permissive for delete to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Suspended and banned members add nothing" on held_posts as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on held_posts as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant delete, select on held_posts to authenticated;
grant delete, insert, select, update on held_posts to service_role;
grant insert (user_id, solution_id, parent_comment_id, topic_id, title, category, content, submission_id, language, images, image_consent) on held_posts to authenticated;
grant update (title, category, content, language) on held_posts to authenticated;

-- The authorities to which incidents with devices are reported, by country; operators add and change them.
create table incident_authorities (
  code text not null,
  country text not null,
  name text not null,
  url text not null,
  constraint incident_authorities_pkey PRIMARY KEY (code),
  constraint incident_authorities_country_key UNIQUE (country),
  constraint "A country is named by two capital letters" CHECK ((code ~ '^[A-Z]{2}$'::text)),
  constraint "Enter the address of the authority, beginning with https://" CHECK (((url ~ '^https://[a-z0-9.-]+/[^\s<>"]*$'::text) AND (char_length(url) <= 500))),
  constraint "The country must be 1 to 60 characters" CHECK (((NOT private.is_blank(country)) AND (char_length(country) <= 60))),
  constraint "The name of an authority must be 1 to 120 characters" CHECK (((NOT private.is_blank(name)) AND (char_length(name) <= 120)))
);
alter table incident_authorities enable row level security;
CREATE TRIGGER incident_authorities_00_plain BEFORE INSERT OR UPDATE OF country, name ON incident_authorities FOR EACH ROW WHEN (private.has_hidden_characters(concat_ws(' '::text, new.country, new.name))) EXECUTE FUNCTION private.plain_lines('country', 'name');
create policy "Everybody can read the authorities" on incident_authorities as permissive for select to public using (true);
grant select on incident_authorities to anon;
grant select on incident_authorities to authenticated;
grant delete, insert, select, update on incident_authorities to service_role;

-- Names in the bucket incoming-media that a member may upload to, and have processed once; written by begin-media-upload and process-media-upload alone.
create table incoming_uploads (
  name text not null,
  user_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint incoming_uploads_pkey PRIMARY KEY (name),
  constraint incoming_uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
alter table incoming_uploads enable row level security;
CREATE INDEX incoming_uploads_user_id_idx ON public.incoming_uploads USING btree (user_id);
grant delete, insert, select, update on incoming_uploads to service_role;

-- The likes of solutions by members; the count is kept on the solution.
create table likes (
  id uuid default gen_random_uuid() not null,
  solution_id uuid not null,
  user_id uuid default auth.uid() not null,
  created_at timestamp with time zone default now() not null,
  constraint likes_pkey PRIMARY KEY (id),
  constraint likes_solution_id_user_id_key UNIQUE (solution_id, user_id),
  constraint likes_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint likes_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
alter table likes enable row level security;
CREATE INDEX likes_user_id_idx ON public.likes USING btree (user_id, created_at);
CREATE TRIGGER likes_10_sync AFTER INSERT OR DELETE ON likes FOR EACH ROW EXECUTE FUNCTION private.sync_like();
CREATE TRIGGER likes_20_notify AFTER INSERT OR DELETE ON likes FOR EACH ROW EXECUTE FUNCTION private.notify_of_like();
CREATE TRIGGER likes_limit AFTER INSERT ON likes FOR EACH ROW WHEN (private.is_client()) EXECUTE FUNCTION private.limit_contributions();
create policy "A second step comes before any delete" on likes as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on likes as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can like approved solutions" on likes as permissive for insert to authenticated with check (((user_id = ( SELECT auth.uid() AS uid)) AND private.is_approved(solution_id)));
create policy "Members can take back their own likes" on likes as permissive for delete to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Suspended and banned members add nothing" on likes as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Whoever sees a solution sees its likes" on likes as permissive for select to public using (( SELECT true
   FROM solutions s
  WHERE (s.id = likes.solution_id)));
grant select on likes to anon;
grant delete, select on likes to authenticated;
grant delete, insert, select, update on likes to service_role;
grant insert (solution_id, user_id) on likes to authenticated;

-- Pending work on files after a decision or deletion; process-media-jobs does it. Written in the decision's own transaction, so that nothing is forgotten.
create table media_jobs (
  id bigint generated always as identity not null,
  solution_id uuid,
  object_names text[] default '{}'::text[] not null,
  created_at timestamp with time zone default now() not null,
  due_at timestamp with time zone default now() not null,
  claimed_at timestamp with time zone,
  attempts integer default 0 not null,
  last_error text,
  constraint media_jobs_pkey PRIMARY KEY (id)
);
alter table media_jobs enable row level security;
CREATE INDEX media_jobs_due_at_idx ON public.media_jobs USING btree (due_at, id);
grant delete, insert, select, update on media_jobs to service_role;

-- The senders whose messages a member does not want. Only that member can read it, not the blocked.
create table member_blocks (
  blocker_id uuid default auth.uid() not null,
  blocked_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint member_blocks_pkey PRIMARY KEY (blocker_id, blocked_id),
  constraint member_blocks_blocked_id_fkey FOREIGN KEY (blocked_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint member_blocks_blocker_id_fkey FOREIGN KEY (blocker_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint "Members cannot block themselves" CHECK ((blocker_id <> blocked_id))
);
alter table member_blocks enable row level security;
CREATE INDEX member_blocks_blocked_id_idx ON public.member_blocks USING btree (blocked_id);
CREATE INDEX member_blocks_blocker_id_idx ON public.member_blocks USING btree (blocker_id, created_at DESC);
create policy "A second step comes before any delete" on member_blocks as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on member_blocks as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before reading" on member_blocks as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can block others" on member_blocks as permissive for insert to authenticated with check ((blocker_id = ( SELECT auth.uid() AS uid)));
create policy "Members can read whom they block" on member_blocks as permissive for select to authenticated using ((blocker_id = ( SELECT auth.uid() AS uid)));
create policy "Members can unblock others" on member_blocks as permissive for delete to authenticated using ((blocker_id = ( SELECT auth.uid() AS uid)));
grant delete, select on member_blocks to authenticated;
grant delete, insert, select, update on member_blocks to service_role;
grant insert (blocker_id, blocked_id) on member_blocks to authenticated;

-- The members' declarations at sign-up (18 or over, healthcare professional), with the version of the text they saw.
create table member_declarations (
  user_id uuid not null,
  statement text not null,
  text_version text not null,
  declared_at timestamp with time zone default now() not null,
  constraint member_declarations_pkey PRIMARY KEY (user_id, statement, text_version),
  constraint member_declarations_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint "This version of the text is not known" CHECK ((text_version = ANY (private.text_versions(statement)))),
  constraint member_declarations_statement_check CHECK ((statement = 'adult_healthcare_professional'::text))
);
alter table member_declarations enable row level security;
create policy "A second step comes before any insert" on member_declarations as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before reading" on member_declarations as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can declare for themselves" on member_declarations as permissive for insert to authenticated with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can read their own declarations" on member_declarations as permissive for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Suspended and banned members add nothing" on member_declarations as restrictive for insert to authenticated with check (( SELECT private.refuse_sanctioned() AS refuse_sanctioned));
grant select on member_declarations to authenticated;
grant delete, insert, select, update on member_declarations to service_role;
grant insert (user_id, statement, text_version) on member_declarations to authenticated;

-- The registration that a member states, one each. The number is for its owner and moderators alone; readers see the level, which profiles keep.
create table member_registrations (
  id uuid default gen_random_uuid() not null,
  user_id uuid default auth.uid() not null,
  register text not null,
  number text not null,
  state text default 'waiting'::text not null,
  submitted_at timestamp with time zone default now() not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  checked_name text,
  checklist jsonb,
  decline_reason text,
  updated_at timestamp with time zone default now() not null,
  constraint member_registrations_pkey PRIMARY KEY (id),
  constraint member_registrations_user_id_key UNIQUE (user_id),
  constraint "Please choose a register from the list" FOREIGN KEY (register) REFERENCES registers(code),
  constraint member_registrations_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint member_registrations_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint "A reason must be at most 500 characters" CHECK ((char_length(decline_reason) <= 500)),
  constraint "A registration that was never decided on is waiting" CHECK (((state = 'waiting'::text) OR (decided_at IS NOT NULL))),
  constraint "Confirm each point of the checklist first" CHECK ((((state = 'checked'::text) AND (checklist IS NOT NULL) AND (checklist = '{"name": true, "number": true, "current": true}'::jsonb)) OR ((state <> 'checked'::text) AND (checklist IS NULL)))),
  constraint "Only a declined registration has a reason" CHECK (((state = 'declined'::text) OR (decline_reason IS NULL))),
  constraint "Please provide a reason" CHECK (((state <> 'declined'::text) OR (NOT private.is_blank(decline_reason)))),
  constraint "Registration number is required" CHECK ((number <> ''::text)),
  constraint "Use up to 40 letters, digits, spaces, dots, hyphens or slashes" CHECK ((number ~ '^([A-Za-z0-9][A-Za-z0-9 ./-]{0,39})?$'::text)),
  constraint member_registrations_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'checked'::text, 'declined'::text, 'lapsed'::text])))
);
alter table member_registrations enable row level security;
CREATE UNIQUE INDEX member_registrations_checked_key ON public.member_registrations USING btree (register, private.number_key(number)) WHERE (state = 'checked'::text);
CREATE INDEX member_registrations_decided_by_idx ON public.member_registrations USING btree (decided_by);
CREATE INDEX member_registrations_name_idx ON public.member_registrations USING btree (private.name_skeleton(checked_name)) WHERE (state = 'checked'::text);
CREATE INDEX member_registrations_number_idx ON public.member_registrations USING btree (register, private.number_key(number));
CREATE INDEX member_registrations_state_idx ON public.member_registrations USING btree (state, submitted_at, id);
CREATE TRIGGER member_registrations_10_guard BEFORE INSERT OR UPDATE ON member_registrations FOR EACH ROW EXECUTE FUNCTION private.guard_registration();
CREATE TRIGGER member_registrations_20_sync AFTER INSERT OR DELETE OR UPDATE ON member_registrations FOR EACH ROW EXECUTE FUNCTION private.sync_registration();
CREATE TRIGGER member_registrations_30_notify AFTER UPDATE OF state ON member_registrations FOR EACH ROW WHEN (old.state <> new.state AND new.state <> 'waiting'::text) EXECUTE FUNCTION private.notify_of_registration();
CREATE TRIGGER member_registrations_90_unname BEFORE UPDATE ON member_registrations FOR EACH ROW WHEN (new.decided_by IS NOT NULL) EXECUTE FUNCTION private.unname_decision('decided_by');
CREATE TRIGGER member_registrations_count_waiting AFTER INSERT OR DELETE OR UPDATE ON member_registrations FOR EACH ROW EXECUTE FUNCTION private.keep_count('waiting registration', 'state = ''waiting''');
CREATE TRIGGER member_registrations_end_claim AFTER DELETE OR UPDATE OF state ON member_registrations FOR EACH ROW EXECUTE FUNCTION private.end_claim('registration');
CREATE TRIGGER member_registrations_limit AFTER INSERT OR UPDATE OF register, number ON member_registrations FOR EACH ROW WHEN (private.is_client()) EXECUTE FUNCTION private.limit_registrations();
CREATE TRIGGER member_registrations_touch BEFORE UPDATE ON member_registrations FOR EACH ROW EXECUTE FUNCTION private.touch();
create policy "A second step comes before any delete" on member_registrations as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on member_registrations as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on member_registrations as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before reading" on member_registrations as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can correct theirs, moderators decide on waiting ones" on member_registrations as permissive for update to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ((state = 'waiting'::text) AND ( SELECT private.may_moderate() AS may_moderate)))) with check (((user_id = ( SELECT auth.uid() AS uid)) OR (state = ANY (ARRAY['checked'::text, 'declined'::text]))));
create policy "Members can read their own registration, moderators all" on member_registrations as permissive for select to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_moderator() AS is_moderator)));
create policy "Members can remove their registration" on member_registrations as permissive for delete to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can state their registration" on member_registrations as permissive for insert to authenticated with check (((user_id = ( SELECT auth.uid() AS uid)) AND (state = 'waiting'::text)));
create policy "Suspended and banned members add nothing" on member_registrations as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on member_registrations as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant delete, select on member_registrations to authenticated;
grant delete, insert, select, update on member_registrations to service_role;
grant insert (user_id, register, number) on member_registrations to authenticated;
grant update (register, number, state, checklist, decline_reason) on member_registrations to authenticated;

-- From whose side a message was deleted. Members read their own deletions, by which their other tabs and devices hear of them; the other side learns nothing.
create table message_deletions (
  message_id uuid not null,
  user_id uuid not null,
  constraint message_deletions_pkey PRIMARY KEY (message_id, user_id),
  constraint message_deletions_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE,
  constraint message_deletions_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
alter table message_deletions enable row level security;
CREATE INDEX message_deletions_user_id_idx ON public.message_deletions USING btree (user_id);
CREATE TRIGGER message_deletions_10_conversation AFTER INSERT ON message_deletions FOR EACH ROW EXECUTE FUNCTION private.keep_conversation();
CREATE TRIGGER message_deletions_10_notifications AFTER INSERT ON message_deletions FOR EACH ROW EXECUTE FUNCTION private.delete_message_notification();
CREATE TRIGGER message_deletions_20_purge AFTER INSERT ON message_deletions FOR EACH ROW EXECUTE FUNCTION private.purge_message();
create policy "A second step comes before reading" on message_deletions as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can read what they deleted from their own side" on message_deletions as permissive for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
grant select on message_deletions to authenticated;
grant select on message_deletions to service_role;

-- Private messages. Only sender and recipient can read one, not moderators, and each of them until they delete it from their own side.
create table messages (
  id uuid default gen_random_uuid() not null,
  sender_id uuid default auth.uid(),
  recipient_id uuid,
  subject text,
  content text not null,
  read boolean default false not null,
  solution_id uuid,
  created_at timestamp with time zone default now() not null,
  notification_type text default 'message'::text not null,
  submission_id uuid,
  pair text default ''::text not null,
  language text,
  constraint messages_pkey PRIMARY KEY (id),
  constraint messages_sender_id_submission_id_key UNIQUE (sender_id, submission_id),
  constraint messages_notification_type_fkey FOREIGN KEY (notification_type) REFERENCES private.notice_types(type),
  constraint messages_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint messages_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint messages_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE SET NULL,
  constraint "A message cannot be empty" CHECK ((NOT private.is_blank(content))),
  constraint "A message must be at most 10000 characters" CHECK ((char_length(content) <= 10000)),
  constraint "A message needs another member to receive it" CHECK ((sender_id <> recipient_id)),
  constraint "A subject must be at most 200 characters" CHECK ((char_length(subject) <= 200)),
  constraint "Please choose a language from the list" CHECK ((language = ANY (private.languages())))
);
alter table messages enable row level security;
CREATE INDEX messages_pair_idx ON public.messages USING btree (pair, created_at DESC, id DESC);
CREATE INDEX messages_recipient_id_idx ON public.messages USING btree (recipient_id, created_at DESC);
CREATE INDEX messages_sender_id_idx ON public.messages USING btree (sender_id, created_at DESC);
CREATE INDEX messages_solution_id_idx ON public.messages USING btree (solution_id);
CREATE INDEX messages_unread_idx ON public.messages USING btree (recipient_id, pair) WHERE (NOT read);
CREATE TRIGGER messages_00_plain BEFORE INSERT OR UPDATE OF subject ON messages FOR EACH ROW WHEN (private.has_hidden_characters(concat_ws(' '::text, new.subject))) EXECUTE FUNCTION private.plain_lines('subject');
CREATE TRIGGER messages_05_unname BEFORE INSERT ON messages FOR EACH ROW WHEN (private.is_moderation_notice(new.notification_type)) EXECUTE FUNCTION private.unname_message();
CREATE TRIGGER messages_10_conversation AFTER INSERT OR DELETE OR UPDATE OF sender_id, recipient_id, created_at ON messages FOR EACH ROW EXECUTE FUNCTION private.keep_conversation();
CREATE TRIGGER messages_10_guard BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION private.guard_message();
CREATE TRIGGER messages_keep_other_side BEFORE DELETE ON messages FOR EACH ROW EXECUTE FUNCTION private.keep_other_side();
CREATE TRIGGER messages_mark_notifications_read AFTER UPDATE OF read ON messages FOR EACH ROW WHEN (new.read AND NOT old.read) EXECUTE FUNCTION private.mark_message_notifications_read();
CREATE TRIGGER messages_notify AFTER INSERT ON messages FOR EACH ROW EXECUTE FUNCTION private.notify_of_message();
CREATE TRIGGER messages_pair BEFORE INSERT OR UPDATE OF sender_id, recipient_id ON messages FOR EACH ROW EXECUTE FUNCTION private.pair_message();
CREATE TRIGGER messages_purge AFTER UPDATE OF sender_id, recipient_id ON messages FOR EACH ROW WHEN (new.sender_id IS NULL OR new.recipient_id IS NULL) EXECUTE FUNCTION private.purge_message();
create policy "A second step comes before any delete" on messages as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on messages as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on messages as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before reading" on messages as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can read messages they sent or received" on messages as permissive for select to authenticated using ((((recipient_id = ( SELECT auth.uid() AS uid)) OR (sender_id = ( SELECT auth.uid() AS uid))) AND (NOT private.has_deleted(id))));
create policy "Members can write to members who allow it and moderators to all" on messages as permissive for insert to authenticated with check (((sender_id = ( SELECT auth.uid() AS uid)) AND (private.accepts_messages(recipient_id) OR ( SELECT private.may_moderate() AS may_moderate)) AND ((solution_id IS NULL) OR private.sees_solution(solution_id))));
create policy "Recipients can mark their messages read" on messages as permissive for update to authenticated using (((recipient_id = ( SELECT auth.uid() AS uid)) AND (NOT private.has_deleted(id)))) with check ((recipient_id = ( SELECT auth.uid() AS uid)));
create policy "Sender and recipient can delete a message from their own side" on messages as permissive for delete to authenticated using ((((recipient_id = ( SELECT auth.uid() AS uid)) OR (sender_id = ( SELECT auth.uid() AS uid))) AND (NOT private.has_deleted(id))));
create policy "Suspended and banned members write only to who sanctioned them" on messages as restrictive for insert to authenticated with check (
CASE
    WHEN (EXISTS ( SELECT
       FROM sanctions s
      WHERE ((s.user_id = ( SELECT auth.uid() AS uid)) AND (s.created_by = messages.recipient_id)))) THEN true
    ELSE private.may_take_part()
END);
grant delete, select on messages to authenticated;
grant delete, insert, select, update on messages to service_role;
grant insert (sender_id, recipient_id, subject, content, solution_id, submission_id, language) on messages to authenticated;
grant update (read) on messages to authenticated;

-- Events around a member's contributions; written by triggers, and deleted with their subject.
create table notifications (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  actor_id uuid,
  type text not null,
  solution_id uuid,
  trial_id uuid,
  comment_id uuid,
  forum_topic_id uuid,
  forum_post_id uuid,
  message_id uuid,
  badge_id uuid,
  removal_request_id uuid,
  resource_suggestion_id uuid,
  content_report_id uuid,
  is_read boolean default false not null,
  created_at timestamp with time zone default now() not null,
  use_question_id uuid,
  part_notice_id uuid,
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint notifications_badge_id_fkey FOREIGN KEY (badge_id) REFERENCES badges(id) ON DELETE CASCADE,
  constraint notifications_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE,
  constraint notifications_content_report_id_fkey FOREIGN KEY (content_report_id) REFERENCES content_reports(id) ON DELETE CASCADE,
  constraint notifications_forum_post_id_fkey FOREIGN KEY (forum_post_id) REFERENCES forum_posts(id) ON DELETE CASCADE,
  constraint notifications_forum_topic_id_fkey FOREIGN KEY (forum_topic_id) REFERENCES forum_topics(id) ON DELETE CASCADE,
  constraint notifications_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE,
  constraint notifications_part_notice_id_fkey FOREIGN KEY (part_notice_id) REFERENCES part_notices(id) ON DELETE CASCADE,
  constraint notifications_removal_request_id_fkey FOREIGN KEY (removal_request_id) REFERENCES removal_requests(id) ON DELETE CASCADE,
  constraint notifications_resource_suggestion_id_fkey FOREIGN KEY (resource_suggestion_id) REFERENCES resource_suggestions(id) ON DELETE CASCADE,
  constraint notifications_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint notifications_trial_id_fkey FOREIGN KEY (trial_id) REFERENCES solution_trials(id) ON DELETE CASCADE,
  constraint notifications_type_fkey FOREIGN KEY (type) REFERENCES private.notice_types(type),
  constraint notifications_use_question_id_fkey FOREIGN KEY (use_question_id) REFERENCES use_questions(id) ON DELETE CASCADE,
  constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
alter table notifications enable row level security;
CREATE INDEX notifications_actor_id_idx ON public.notifications USING btree (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX notifications_badge_id_idx ON public.notifications USING btree (badge_id) WHERE (badge_id IS NOT NULL);
CREATE INDEX notifications_comment_id_idx ON public.notifications USING btree (comment_id) WHERE (comment_id IS NOT NULL);
CREATE INDEX notifications_content_report_id_idx ON public.notifications USING btree (content_report_id) WHERE (content_report_id IS NOT NULL);
CREATE INDEX notifications_forum_post_id_idx ON public.notifications USING btree (forum_post_id) WHERE (forum_post_id IS NOT NULL);
CREATE INDEX notifications_forum_topic_id_idx ON public.notifications USING btree (forum_topic_id) WHERE (forum_topic_id IS NOT NULL);
CREATE INDEX notifications_message_id_idx ON public.notifications USING btree (message_id) WHERE (message_id IS NOT NULL);
CREATE UNIQUE INDEX notifications_part_notice_id_key ON public.notifications USING btree (part_notice_id, user_id) WHERE (part_notice_id IS NOT NULL);
CREATE INDEX notifications_removal_request_id_idx ON public.notifications USING btree (removal_request_id) WHERE (removal_request_id IS NOT NULL);
CREATE INDEX notifications_resource_suggestion_id_idx ON public.notifications USING btree (resource_suggestion_id) WHERE (resource_suggestion_id IS NOT NULL);
CREATE INDEX notifications_solution_id_idx ON public.notifications USING btree (solution_id) WHERE (solution_id IS NOT NULL);
CREATE INDEX notifications_trial_id_idx ON public.notifications USING btree (trial_id) WHERE (trial_id IS NOT NULL);
CREATE INDEX notifications_unread_idx ON public.notifications USING btree (user_id, created_at DESC) WHERE (NOT is_read);
CREATE INDEX notifications_unread_type_idx ON public.notifications USING btree (user_id, type) WHERE (NOT is_read);
CREATE INDEX notifications_use_question_id_idx ON public.notifications USING btree (use_question_id) WHERE (use_question_id IS NOT NULL);
CREATE INDEX notifications_user_id_idx ON public.notifications USING btree (user_id, created_at DESC);
CREATE TRIGGER notifications_mail_deleted AFTER INSERT ON notifications FOR EACH ROW WHEN (new.type = 'content_deleted'::text) EXECUTE FUNCTION private.mail_content_deleted();
CREATE TRIGGER notifications_mark_message_read AFTER UPDATE OF is_read ON notifications FOR EACH ROW WHEN (new.is_read AND NOT old.is_read AND (new.type = ANY (ARRAY['solution_rejected'::text, 'report_resolved'::text]))) EXECUTE FUNCTION private.mark_notified_message_read();
CREATE TRIGGER notifications_unname BEFORE INSERT ON notifications FOR EACH ROW WHEN (new.actor_id IS NOT NULL) EXECUTE FUNCTION private.unname_notification();
create policy "A second step comes before any delete" on notifications as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on notifications as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on notifications as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before reading" on notifications as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can delete their own notifications" on notifications as permissive for delete to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can mark their own notifications read" on notifications as permissive for update to authenticated using ((user_id = ( SELECT auth.uid() AS uid))) with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can read their own notifications" on notifications as permissive for select to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) AND ((type <> 'badge_earned'::text) OR ( SELECT private.shows_points() AS shows_points))));
create policy "Moderators can tell a member that their content was deleted" on notifications as permissive for insert to authenticated with check (((type = 'content_deleted'::text) AND ( SELECT private.may_moderate() AS may_moderate) AND ((actor_id = ( SELECT auth.uid() AS uid)) OR ((actor_id IS NULL) AND (NOT ( SELECT private.names_moderators() AS names_moderators)))) AND ((message_id IS NULL) OR (EXISTS ( SELECT
   FROM messages m
  WHERE ((m.id = notifications.message_id) AND (m.sender_id = ( SELECT auth.uid() AS uid)) AND (m.recipient_id = notifications.user_id)))))));
grant delete, select on notifications to authenticated;
grant delete, insert, select, update on notifications to service_role;
grant insert (user_id, actor_id, type, solution_id, comment_id, forum_topic_id, forum_post_id, message_id) on notifications to authenticated;
grant update (is_read) on notifications to authenticated;

-- The standard measures in which outcomes can be given, each with its range, direction, published measurement error and reference.
create table outcome_measures (
  abbreviation text not null,
  "position" smallint not null,
  name text not null,
  construct text not null,
  limb text not null,
  ages text[] not null,
  unit text not null,
  minimum numeric not null,
  maximum numeric not null,
  is_open boolean default false not null,
  decimals smallint not null,
  direction text not null,
  reference text not null,
  reference_url text not null,
  error_size numeric,
  error_kind text,
  error_population text,
  error_reference text,
  error_url text,
  constraint outcome_measures_pkey PRIMARY KEY (abbreviation),
  constraint outcome_measures_position_key UNIQUE ("position"),
  constraint "A measurement error needs its source" CHECK ((num_nulls(error_size, error_kind, error_population, error_reference, error_url) = ANY (ARRAY[0, 5]))),
  constraint outcome_measures_direction_check CHECK ((direction = ANY (ARRAY['higher'::text, 'lower'::text, 'none'::text]))),
  constraint outcome_measures_limb_check CHECK ((limb = ANY (ARRAY['lower'::text, 'upper'::text, 'both'::text])))
);
alter table outcome_measures enable row level security;
create policy "Everybody can read the catalogue of measures" on outcome_measures as permissive for select to public using (true);
grant select on outcome_measures to anon;
grant select on outcome_measures to authenticated;
grant select on outcome_measures to service_role;

-- The views of pages, with their times. Holds an account or session only where the visitor agreed to statistics.
create table page_views (
  id bigint generated always as identity not null,
  page_path text not null,
  user_id uuid,
  session_id text,
  viewed_at timestamp with time zone default now() not null,
  constraint page_views_pkey PRIMARY KEY (id),
  constraint page_views_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint "A page path starts with a slash and has no query" CHECK (((page_path ~ '^/[^?#]*$'::text) AND (char_length(page_path) <= 300))),
  constraint "A session id is at most 64 letters and digits" CHECK ((session_id ~ '^[A-Za-z0-9-]{1,64}$'::text))
);
alter table page_views enable row level security;
CREATE INDEX page_views_user_id_idx ON public.page_views USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX page_views_viewed_at_idx ON public.page_views USING btree (viewed_at);
CREATE TRIGGER page_views_stamp BEFORE INSERT ON page_views FOR EACH ROW EXECUTE FUNCTION private.stamp_page_view();
create policy "Everybody can log a view of their own" on page_views as permissive for insert to public with check (((user_id IS NULL) OR (user_id = ( SELECT auth.uid() AS uid))));
create policy "Moderators can read page views" on page_views as permissive for select to authenticated using (( SELECT private.is_moderator() AS is_moderator));
grant delete, insert, select, update on page_views to service_role;
grant insert (page_path, user_id, session_id, viewed_at) on page_views to anon;
grant insert (page_path, user_id, session_id, viewed_at) on page_views to authenticated;
grant select (id, page_path, viewed_at) on page_views to authenticated;

-- Warnings about a part by its maker and number, shown on every solution with it. A change is a new row; earlier notices are kept.
create table part_notices (
  id uuid default gen_random_uuid() not null,
  user_id uuid default auth.uid(),
  maker text not null,
  part_number text not null,
  part text generated always as (private.part_key(maker, part_number)) stored not null,
  kind text not null,
  content text not null,
  language text,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  ended_by uuid,
  constraint part_notices_pkey PRIMARY KEY (id),
  constraint part_notices_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint part_notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint "A maker must be at most 120 characters" CHECK ((char_length(maker) <= 120)),
  constraint "A notice on a part must be at most 1000 characters" CHECK ((char_length(content) <= 1000)),
  constraint "A part number must be at most 80 characters" CHECK ((char_length(part_number) <= 80)),
  constraint "Please choose a language from the list" CHECK ((language = ANY (private.languages()))),
  constraint "Please enter the part number" CHECK ((private.part_key(NULL::text, part_number) IS NOT NULL)),
  constraint "Please name the maker of the part" CHECK ((private.part_key(maker, NULL::text) IS NOT NULL)),
  constraint "Please say what readers need to know" CHECK ((NOT private.is_blank(content))),
  constraint part_notices_kind_check CHECK ((kind = ANY (ARRAY['caution'::text, 'recall'::text])))
);
alter table part_notices enable row level security;
CREATE UNIQUE INDEX part_notices_current_key ON public.part_notices USING btree (part) WHERE (ended_at IS NULL);
CREATE INDEX part_notices_ended_by_idx ON public.part_notices USING btree (ended_by);
CREATE INDEX part_notices_user_id_idx ON public.part_notices USING btree (user_id);
CREATE TRIGGER part_notices_00_plain BEFORE INSERT OR UPDATE OF maker, part_number ON part_notices FOR EACH ROW WHEN (private.has_hidden_characters(concat_ws(' '::text, new.maker, new.part_number))) EXECUTE FUNCTION private.plain_lines('maker', 'part_number');
CREATE TRIGGER part_notices_05_hold BEFORE INSERT OR UPDATE OF ended_at ON part_notices FOR EACH ROW EXECUTE FUNCTION private.hold_part();
CREATE TRIGGER part_notices_10_replace BEFORE INSERT OR UPDATE OF ended_at ON part_notices FOR EACH ROW EXECUTE FUNCTION private.replace_part_notice();
CREATE TRIGGER part_notices_announce AFTER INSERT OR UPDATE OF ended_at ON part_notices FOR EACH ROW EXECUTE FUNCTION private.announce_part_notice();
create policy "A second step comes before any insert" on part_notices as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on part_notices as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can read the notices that hold, moderators earlier ones" on part_notices as permissive for select to authenticated using (((ended_at IS NULL) OR ( SELECT private.is_moderator() AS is_moderator)));
create policy "Moderators can withdraw notices on parts" on part_notices as permissive for update to authenticated using (((ended_at IS NULL) AND ( SELECT private.may_moderate() AS may_moderate))) with check ((ended_at IS NOT NULL));
create policy "Moderators can write notices on parts" on part_notices as permissive for insert to authenticated with check (( SELECT private.may_moderate() AS may_moderate));
create policy "Suspended and banned members add nothing" on part_notices as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on part_notices as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
create policy "Visitors can read the notices that hold" on part_notices as permissive for select to anon using ((ended_at IS NULL));
grant delete, insert, select, update on part_notices to service_role;
grant select (id, maker, part_number, part, kind, content, language, created_at, ended_at) on part_notices to anon;
grant insert (maker, part_number, kind, content, language) on part_notices to authenticated;
grant select (id, maker, part_number, part, kind, content, language, created_at, ended_at) on part_notices to authenticated;
grant update (ended_at) on part_notices to authenticated;

-- Pictures, clips and build files that processing has made and no solution holds yet; written by process-media-upload and process-file-upload alone. A row leaves when its files join a solution or have waited for a day.
create table pending_uploads (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  urls text[] not null,
  url text generated always as (urls[1]) stored not null,
  byte_size bigint not null,
  made jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint pending_uploads_pkey PRIMARY KEY (id),
  constraint pending_uploads_url_key UNIQUE (url),
  constraint pending_uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint pending_uploads_byte_size_check CHECK ((byte_size > 0))
);
alter table pending_uploads enable row level security;
CREATE INDEX pending_uploads_created_at_idx ON public.pending_uploads USING btree (created_at);
CREATE INDEX pending_uploads_user_id_idx ON public.pending_uploads USING btree (user_id);
create policy "A second step comes before reading" on pending_uploads as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can read their own uploads" on pending_uploads as permissive for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
grant select on pending_uploads to authenticated;
grant delete, insert, select, update on pending_uploads to service_role;

-- The ledger of points: a row exists exactly as long as its cause does.
create table point_events (
  id bigint generated always as identity not null,
  user_id uuid not null,
  cause text not null,
  source_id uuid not null,
  points integer not null,
  created_at timestamp with time zone default now() not null,
  constraint point_events_pkey PRIMARY KEY (id),
  constraint point_events_cause_source_id_key UNIQUE (cause, source_id),
  constraint point_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint point_events_cause_check CHECK ((cause = ANY (ARRAY['solution'::text, 'trial'::text, 'topic'::text, 'comment'::text, 'post'::text, 'like'::text]))),
  constraint point_events_points_check CHECK ((points > 0))
);
alter table point_events enable row level security;
CREATE INDEX point_events_user_id_idx ON public.point_events USING btree (user_id, created_at DESC) INCLUDE (cause);
CREATE TRIGGER point_events_10_sum AFTER INSERT OR DELETE ON point_events FOR EACH ROW EXECUTE FUNCTION private.sum_points();
CREATE TRIGGER point_events_20_award AFTER INSERT ON point_events FOR EACH ROW EXECUTE FUNCTION private.award_badges();
create policy "A second step comes before reading" on point_events as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can read their own ledger" on point_events as permissive for select to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.shows_points() AS shows_points)));
grant select on point_events to authenticated;
grant select on point_events to service_role;

-- A member's public details, and their settings. Never holds an email address.
create table profiles (
  id uuid not null,
  username text,
  full_name text,
  bio text,
  workplace text,
  profession text,
  location text,
  avatar_url text,
  interests text,
  allow_messages boolean default true not null,
  allow_notifications boolean default true not null,
  email_notifications boolean default false not null,
  weekly_digest boolean default false not null,
  digest_due_at timestamp with time zone,
  registration_level text,
  registration_register text,
  registration_checked_on date,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  asks_still_in_use boolean default true not null,
  bio_language text,
  orcid text,
  constraint profiles_pkey PRIMARY KEY (id),
  constraint profiles_id_fkey FOREIGN KEY (id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint "Bio must be at most 2000 characters" CHECK ((char_length(bio) <= 2000)),
  constraint "Full name must be 1 to 120 characters" CHECK (((full_name IS NULL) OR ((NOT private.is_blank(full_name)) AND (char_length(full_name) <= 120)))),
  constraint "Interests must be chosen from the list" CHECK (((interests = ''::text) OR (string_to_array(interests, ', '::text) <@ ARRAY['Upper Limb Prosthetics'::text, 'Lower Limb Prosthetics'::text, 'Pediatric Prosthetics'::text, 'Sports Prosthetics'::text, '3D Printing'::text, 'Advanced Materials'::text, 'Myoelectric Control'::text, 'Osseointegration'::text, 'Socket Design'::text, 'Gait Analysis'::text, 'Rehabilitation'::text, 'Research & Development'::text]))),
  constraint "Location must be at most 120 characters" CHECK ((char_length(location) <= 120)),
  constraint "Names must not have invisible characters" CHECK ((NOT private.has_hidden_characters((((COALESCE(full_name, ''::text) || COALESCE(workplace, ''::text)) || COALESCE(profession, ''::text)) || COALESCE(location, ''::text))))),
  constraint "Names must not have more than four marks on a letter" CHECK ((NOT private.has_stacked_marks((((COALESCE(full_name, ''::text) || COALESCE((' '::text || workplace), ''::text)) || COALESCE((' '::text || profession), ''::text)) || COALESCE((' '::text || location), ''::text))))),
  constraint "Please choose a language from the list" CHECK ((bio_language = ANY (private.languages()))),
  constraint "Please enter your actual name, not an email address" CHECK ((NORMALIZE(full_name, NFKC) !~ '^\s*\S+@\S+\.\S+\s*$'::text)),
  constraint "Please enter your own name, not one of the site's staff" CHECK ((NOT private.impersonates_staff(full_name))),
  constraint "Profession must be at most 120 characters" CHECK ((char_length(profession) <= 120)),
  constraint "The avatar must be a file in your own folder" CHECK ((avatar_url ~ (('^/storage/v1/object/public/avatars/'::text || id) || '/[A-Za-z0-9_-]+\.[a-z]+$'::text))),
  constraint "This is not an ORCID iD" CHECK (private.is_orcid(orcid)),
  constraint "This username is reserved" CHECK ((NOT private.impersonates_staff(username))),
  constraint "Use 3–30 letters, numbers, full stops, hyphens or underscores" CHECK ((username ~ '^[A-Za-z0-9][A-Za-z0-9._-]{1,28}[A-Za-z0-9]$'::text)),
  constraint "Workplace must be at most 160 characters" CHECK ((char_length(workplace) <= 160)),
  constraint profiles_registration_level_check CHECK ((registration_level = ANY (ARRAY['declared'::text, 'checked'::text])))
);
alter table profiles enable row level security;
CREATE INDEX profiles_created_at_idx ON public.profiles USING btree (created_at DESC, id);
CREATE INDEX profiles_digest_due_at_idx ON public.profiles USING btree (digest_due_at) WHERE weekly_digest;
CREATE INDEX profiles_search_idx ON public.profiles USING gin (private.word_keys(private.normalized(((COALESCE(username, ''::text) || ' '::text) || COALESCE(full_name, ''::text)))));
CREATE UNIQUE INDEX profiles_username_key ON public.profiles USING btree (lower(username));
CREATE INDEX profiles_username_search_idx ON public.profiles USING btree (private.normalized(username) text_pattern_ops);
CREATE TRIGGER profiles_95_close_reports AFTER DELETE ON profiles FOR EACH ROW WHEN (pg_trigger_depth() > 0) EXECUTE FUNCTION private.close_reports('profile');
CREATE TRIGGER profiles_author_facets AFTER UPDATE OF registration_level ON profiles FOR EACH ROW WHEN (old.registration_level IS DISTINCT FROM new.registration_level) EXECUTE FUNCTION private.refresh_author_facets();
CREATE TRIGGER profiles_author_names AFTER UPDATE ON profiles FOR EACH ROW WHEN (old.full_name IS DISTINCT FROM new.full_name OR old.username IS DISTINCT FROM new.username) EXECUTE FUNCTION private.rename_author();
CREATE TRIGGER profiles_count_members AFTER INSERT OR DELETE OR UPDATE OF username ON profiles FOR EACH ROW EXECUTE FUNCTION private.keep_count('members', 'username is not null');
CREATE TRIGGER profiles_normalize BEFORE INSERT OR UPDATE ON profiles FOR EACH ROW EXECUTE FUNCTION private.normalize_profile();
CREATE TRIGGER profiles_purge_avatar AFTER UPDATE OF avatar_url ON profiles FOR EACH ROW WHEN (old.avatar_url IS DISTINCT FROM new.avatar_url AND old.avatar_url IS NOT NULL) EXECUTE FUNCTION private.purge_picture('avatar_url');
CREATE TRIGGER profiles_recheck_registration AFTER UPDATE OF full_name, profession ON profiles FOR EACH ROW WHEN (old.full_name IS DISTINCT FROM new.full_name OR old.profession IS DISTINCT FROM new.profession) EXECUTE FUNCTION private.recheck_registration();
CREATE TRIGGER profiles_schedule_digest BEFORE INSERT OR UPDATE OF weekly_digest ON profiles FOR EACH ROW EXECUTE FUNCTION private.schedule_digest();
CREATE TRIGGER profiles_touch BEFORE UPDATE ON profiles FOR EACH ROW EXECUTE FUNCTION private.touch();
CREATE TRIGGER profiles_unsign_summaries AFTER DELETE ON profiles FOR EACH ROW EXECUTE FUNCTION private.unsign_summaries();
create policy "A second step comes before any insert" on profiles as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on profiles as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Everybody can read profiles" on profiles as permissive for select to public using (true);
create policy "Members can complete their own profile" on profiles as permissive for insert to authenticated with check ((id = ( SELECT auth.uid() AS uid)));
create policy "Members can edit their own profile" on profiles as permissive for update to authenticated using ((id = ( SELECT auth.uid() AS uid))) with check ((id = ( SELECT auth.uid() AS uid)));
grant select on profiles to authenticated;
grant delete, insert, select, update on profiles to service_role;
grant select (id, username, full_name, workplace, profession, avatar_url, registration_level, registration_register, registration_checked_on, orcid) on profiles to anon;
grant insert (id, username, full_name, bio, workplace, profession, location, avatar_url, interests, allow_messages, allow_notifications, email_notifications, weekly_digest, updated_at, asks_still_in_use, bio_language) on profiles to authenticated;
grant update (id, username, full_name, bio, workplace, profession, location, avatar_url, interests, allow_messages, allow_notifications, email_notifications, weekly_digest, updated_at, asks_still_in_use, bio_language) on profiles to authenticated;

-- The part of a profile that all visitors may read.
create view public_profiles as
 SELECT id,
    username,
    full_name,
    avatar_url,
    profession,
    workplace,
    registration_level,
    registration_register,
    registration_checked_on
   FROM profiles;
grant select on public_profiles to anon;
grant select on public_profiles to authenticated;
grant delete, insert, select, update on public_profiles to service_role;

-- Members' addresses that a mail server has refused for good: no mail is sent to them until the member has another one or takes the row away. Written by mail_failed.
create table refused_addresses (
  user_id uuid not null,
  address text not null,
  refused_at timestamp with time zone default now() not null,
  constraint refused_addresses_pkey PRIMARY KEY (user_id),
  constraint refused_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
alter table refused_addresses enable row level security;
create policy "A second step comes before any delete" on refused_addresses as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before reading" on refused_addresses as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can have their own address tried again" on refused_addresses as permissive for delete to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can read that their own address is refused" on refused_addresses as permissive for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
grant delete, select on refused_addresses to authenticated;
grant delete, insert, select, update on refused_addresses to service_role;

-- Public registers of health professionals that members can name; admins add and retire them.
create table registers (
  code text not null,
  name text not null,
  country text not null,
  professions text not null,
  search_url text not null,
  is_retired boolean default false not null,
  constraint registers_pkey PRIMARY KEY (code),
  constraint registers_name_key UNIQUE (name),
  constraint "A short name has 2 to 12 letters and begins with a capital" CHECK ((code ~ '^[A-Z][A-Za-z-]{1,11}$'::text)),
  constraint "Enter the address of the register, beginning with https://" CHECK (((search_url ~ '^https://[a-z0-9.-]+/[^\s<>"]*$'::text) AND (char_length(search_url) <= 500))),
  constraint "The country must be 1 to 60 characters" CHECK (((NOT private.is_blank(country)) AND (char_length(country) <= 60))),
  constraint "The name of a register must be 1 to 120 characters" CHECK (((NOT private.is_blank(name)) AND (char_length(name) <= 120))),
  constraint "The professions must be 1 to 200 characters" CHECK (((NOT private.is_blank(professions)) AND (char_length(professions) <= 200)))
);
alter table registers enable row level security;
CREATE TRIGGER registers_00_plain BEFORE INSERT OR UPDATE OF name, country, professions ON registers FOR EACH ROW WHEN (private.has_hidden_characters(concat_ws(' '::text, new.name, new.country, new.professions))) EXECUTE FUNCTION private.plain_lines('name', 'country', 'professions');
CREATE TRIGGER registers_audit AFTER INSERT OR UPDATE ON registers FOR EACH ROW EXECUTE FUNCTION private.audit_register();
create policy "A second step comes before any insert" on registers as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on registers as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Admins can add registers" on registers as permissive for insert to authenticated with check (( SELECT private.may_administer() AS may_administer));
create policy "Admins can change registers" on registers as permissive for update to authenticated using (( SELECT private.may_administer() AS may_administer));
create policy "Everybody can read registers" on registers as permissive for select to public using (true);
create policy "Suspended and banned members add nothing" on registers as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on registers as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant select on registers to anon;
grant select on registers to authenticated;
grant delete, insert, select, update on registers to service_role;
grant insert (code, name, country, professions, search_url) on registers to authenticated;
grant update (name, country, professions, search_url, is_retired) on registers to authenticated;

-- Requests by people who are shown in pictures to have these removed; made without an account. Address and reason are erased 30 days after the outcome.
create table removal_requests (
  id uuid default gen_random_uuid() not null,
  tracking_id uuid not null,
  solution_id uuid,
  media_ids uuid[] not null,
  asker text not null,
  reason text,
  email text,
  status text default 'received'::text not null,
  answer text,
  created_at timestamp with time zone default now() not null,
  due_at timestamp with time zone default (now() + '24:00:00'::interval) not null,
  hidden_at timestamp with time zone,
  alerted_at timestamp with time zone,
  resolved_at timestamp with time zone,
  resolved_by uuid,
  constraint removal_requests_pkey PRIMARY KEY (id),
  constraint removal_requests_tracking_id_key UNIQUE (tracking_id),
  constraint removal_requests_resolved_by_fkey FOREIGN KEY (resolved_by) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint removal_requests_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE SET NULL,
  constraint "A decided request says when" CHECK (((status = ANY (ARRAY['removed'::text, 'kept'::text])) = (resolved_at IS NOT NULL))),
  constraint "An answer must be at most 2000 characters" CHECK ((char_length(answer) <= 2000)),
  constraint "Enter an email address, such as name@example.org" CHECK (((email ~ '^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$'::text) AND (char_length(email) <= 254))),
  constraint "Only a decided request has an answer" CHECK (((answer IS NULL) OR (status = ANY (ARRAY['removed'::text, 'kept'::text])))),
  constraint "Please say who you are" CHECK ((asker = ANY (ARRAY['patient'::text, 'guardian'::text, 'representative'::text, 'moderator'::text]))),
  constraint "Please say why the images can stay" CHECK (((status <> 'kept'::text) OR (NOT private.is_blank(answer)))),
  constraint "Use 2,000 characters or fewer" CHECK ((char_length(reason) <= 2000)),
  constraint removal_requests_media_ids_check CHECK ((cardinality(media_ids) > 0)),
  constraint removal_requests_status_check CHECK ((status = ANY (ARRAY['received'::text, 'hidden'::text, 'removed'::text, 'kept'::text])))
);
alter table removal_requests enable row level security;
CREATE INDEX removal_requests_alerted_at_idx ON public.removal_requests USING btree (alerted_at);
CREATE INDEX removal_requests_email_idx ON public.removal_requests USING btree (lower(email), created_at);
CREATE INDEX removal_requests_media_idx ON public.removal_requests USING gin (media_ids) WHERE (resolved_at IS NULL);
CREATE INDEX removal_requests_open_idx ON public.removal_requests USING btree (due_at, created_at, id) WHERE (resolved_at IS NULL);
CREATE INDEX removal_requests_resolved_at_idx ON public.removal_requests USING btree (resolved_at DESC);
CREATE INDEX removal_requests_resolved_by_idx ON public.removal_requests USING btree (resolved_by);
CREATE INDEX removal_requests_solution_id_idx ON public.removal_requests USING btree (solution_id);
CREATE TRIGGER removal_requests_alert AFTER INSERT ON removal_requests FOR EACH ROW WHEN (new.asker <> 'moderator'::text) EXECUTE FUNCTION private.alert_moderators();
CREATE TRIGGER removal_requests_apply AFTER UPDATE OF status ON removal_requests FOR EACH ROW WHEN (old.status <> new.status) EXECUTE FUNCTION private.apply_removal_request();
CREATE TRIGGER removal_requests_count_waiting AFTER INSERT OR DELETE OR UPDATE ON removal_requests FOR EACH ROW EXECUTE FUNCTION private.keep_count('waiting removal_request', 'resolved_at is null and solution_id is not null');
CREATE TRIGGER removal_requests_end_claim AFTER DELETE OR UPDATE OF status ON removal_requests FOR EACH ROW EXECUTE FUNCTION private.end_claim('removal_request');
CREATE TRIGGER removal_requests_guard BEFORE UPDATE ON removal_requests FOR EACH ROW EXECUTE FUNCTION private.guard_removal_request();
create policy "A second step comes before any update" on removal_requests as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Moderators can act on open requests" on removal_requests as permissive for update to authenticated using (((status = ANY (ARRAY['received'::text, 'hidden'::text])) AND ( SELECT private.may_moderate() AS may_moderate))) with check (((status <> 'kept'::text) OR ( SELECT private.is_admin() AS is_admin) OR (NOT (private.owns_solution(solution_id) OR (EXISTS ( SELECT
   FROM solution_media m
  WHERE ((m.id = ANY (removal_requests.media_ids)) AND private.owns_trial(m.trial_id, m.solution_id))))))));
create policy "Moderators can read requests" on removal_requests as permissive for select to authenticated using (( SELECT private.is_moderator() AS is_moderator));
create policy "Suspended and banned members change nothing" on removal_requests as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant delete, insert, select, update on removal_requests to service_role;
grant select (id, solution_id, media_ids, asker, reason, email, status, answer, created_at, due_at, hidden_at, resolved_at, resolved_by) on removal_requests to authenticated;
grant update (status, answer) on removal_requests to authenticated;

-- Links members suggest; approved ones are listed on the resources page. The server never fetches them.
create table resource_suggestions (
  id uuid default gen_random_uuid() not null,
  user_id uuid default auth.uid(),
  resource_name text not null,
  resource_url text not null,
  description text not null,
  category text not null,
  status text default 'pending'::text not null,
  created_at timestamp with time zone default now() not null,
  language text,
  rejection_reason text,
  constraint resource_suggestions_pkey PRIMARY KEY (id),
  constraint resource_suggestions_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint "A reason cannot be blank" CHECK (((rejection_reason IS NULL) OR (NOT private.is_blank(rejection_reason)))),
  constraint "A reason must be at most 2000 characters" CHECK ((char_length(rejection_reason) <= 2000)),
  constraint "Description must be at least 10 characters" CHECK (((char_length(btrim(description)) >= 10) AND (NOT private.is_blank(description)))),
  constraint "Description must be less than 1000 characters" CHECK ((char_length(description) <= 1000)),
  constraint "Name must be less than 200 characters" CHECK ((char_length(resource_name) <= 200)),
  constraint "Only what was rejected has a reason" CHECK (((rejection_reason IS NULL) OR (status = 'rejected'::text))),
  constraint "Please choose a language from the list" CHECK ((language = ANY (private.languages()))),
  constraint "Please enter a valid URL" CHECK ((resource_url ~* '^https?://[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.[a-z][a-z0-9-]*[a-z0-9](:[0-9]{1,5})?([/?#][^\s<>"]*)?$'::text)),
  constraint "Please select a category" CHECK ((category = ANY (ARRAY['Professional Organizations'::text, 'Educational Resources'::text, 'Research & Publications'::text, 'Design & Manufacturing Tools'::text, 'Standards & Guidelines'::text, 'Patient Resources'::text]))),
  constraint "Resource name is required" CHECK ((NOT private.is_blank(resource_name))),
  constraint "URL must be less than 500 characters" CHECK ((char_length(resource_url) <= 500)),
  constraint resource_suggestions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])))
);
alter table resource_suggestions enable row level security;
CREATE INDEX resource_suggestions_queue_idx ON public.resource_suggestions USING btree (created_at, id) WHERE (status = 'pending'::text);
CREATE INDEX resource_suggestions_status_idx ON public.resource_suggestions USING btree (status, created_at DESC, id DESC);
CREATE INDEX resource_suggestions_user_id_idx ON public.resource_suggestions USING btree (user_id, created_at DESC);
CREATE TRIGGER resource_suggestions_00_plain BEFORE INSERT OR UPDATE OF resource_name ON resource_suggestions FOR EACH ROW WHEN (private.has_hidden_characters(concat_ws(' '::text, new.resource_name))) EXECUTE FUNCTION private.plain_lines('resource_name');
CREATE TRIGGER resource_suggestions_10_guard BEFORE INSERT ON resource_suggestions FOR EACH ROW EXECUTE FUNCTION private.guard_suggestion();
CREATE TRIGGER resource_suggestions_audit AFTER UPDATE OF status ON resource_suggestions FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION private.audit_suggestion();
CREATE TRIGGER resource_suggestions_count_waiting AFTER INSERT OR DELETE OR UPDATE ON resource_suggestions FOR EACH ROW EXECUTE FUNCTION private.keep_count('waiting resource', 'status = ''pending''');
CREATE TRIGGER resource_suggestions_end_claim AFTER DELETE OR UPDATE OF status ON resource_suggestions FOR EACH ROW EXECUTE FUNCTION private.end_claim('resource');
CREATE TRIGGER resource_suggestions_notify AFTER UPDATE OF status ON resource_suggestions FOR EACH ROW WHEN (old.status = 'pending'::text AND new.status <> 'pending'::text) EXECUTE FUNCTION private.notify_of_suggestion();
create policy "A second step comes before any insert" on resource_suggestions as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on resource_suggestions as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can read what is approved or theirs, moderators all" on resource_suggestions as permissive for select to authenticated using (((status = 'approved'::text) OR ((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.has_required_aal() AS has_required_aal)) OR ( SELECT private.is_moderator() AS is_moderator)));
create policy "Members can suggest resources" on resource_suggestions as permissive for insert to authenticated with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Moderators can decide on pending suggestions" on resource_suggestions as permissive for update to authenticated using (((status = 'pending'::text) AND ( SELECT private.may_moderate() AS may_moderate))) with check ((status = ANY (ARRAY['approved'::text, 'rejected'::text])));
create policy "Suspended and banned members add nothing" on resource_suggestions as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on resource_suggestions as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
create policy "Visitors can read approved suggestions" on resource_suggestions as permissive for select to anon using ((status = 'approved'::text));
grant select on resource_suggestions to authenticated;
grant delete, insert, select, update on resource_suggestions to service_role;
grant select (id, resource_name, resource_url, description, category, status, created_at, language) on resource_suggestions to anon;
grant insert (user_id, resource_name, resource_url, description, category, language) on resource_suggestions to authenticated;
grant update (status, rejection_reason) on resource_suggestions to authenticated;

-- The items that moderators have open for review, so that two do not do the same work. A courtesy: the first decision holds, with or without a claim.
create table review_claims (
  kind text not null,
  item_id uuid not null,
  moderator_id uuid default auth.uid() not null,
  claimed_at timestamp with time zone default now() not null,
  constraint review_claims_pkey PRIMARY KEY (kind, item_id),
  constraint review_claims_moderator_id_fkey FOREIGN KEY (moderator_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint review_claims_kind_check CHECK ((kind = ANY (ARRAY['solution'::text, 'trial'::text, 'translation'::text, 'resource'::text, 'report'::text, 'removal_request'::text, 'registration'::text, 'post'::text, 'image'::text])))
);
alter table review_claims enable row level security;
CREATE INDEX review_claims_moderator_id_idx ON public.review_claims USING btree (moderator_id);
CREATE TRIGGER review_claims_stamp BEFORE INSERT OR UPDATE ON review_claims FOR EACH ROW EXECUTE FUNCTION private.stamp_claim();
create policy "A second step comes before any delete" on review_claims as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on review_claims as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on review_claims as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Moderators can claim what is pending" on review_claims as permissive for insert to authenticated with check (((moderator_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.may_moderate() AS may_moderate) AND private.is_pending_review(kind, item_id)));
create policy "Moderators can give up their claims" on review_claims as permissive for delete to authenticated using ((moderator_id = ( SELECT auth.uid() AS uid)));
create policy "Moderators can renew their claims and take over old ones" on review_claims as permissive for update to authenticated using ((( SELECT private.may_moderate() AS may_moderate) AND ((moderator_id = ( SELECT auth.uid() AS uid)) OR (claimed_at < (now() - '00:15:00'::interval))))) with check ((moderator_id = ( SELECT auth.uid() AS uid)));
create policy "Moderators can see claims" on review_claims as permissive for select to authenticated using (( SELECT private.is_moderator() AS is_moderator));
create policy "Suspended and banned members add nothing" on review_claims as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on review_claims as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant delete, select on review_claims to authenticated;
grant delete, insert, select, update on review_claims to service_role;
grant insert (kind, item_id, moderator_id, claimed_at) on review_claims to authenticated;
grant update (moderator_id, claimed_at) on review_claims to authenticated;

-- Solutions, trials, translations, resource suggestions, reports, removal requests, registrations, first posts and images of posts that wait for a moderator, of each at most the first 100; empty for other callers.
create view review_queue as
 SELECT w.kind,
    w.id,
    w.title,
    w.user_id,
    w.submitted_at,
    w.due_at,
    w.picture,
    w.reason,
        CASE
            WHEN (w.sender IS NOT NULL) THEN w.sender
            WHEN (w.user_id IS NULL) THEN 'Former member'::text
            ELSE COALESCE(( SELECT COALESCE(p.full_name, p.username) AS "coalesce"
               FROM profiles p
              WHERE (p.id = w.user_id)), 'Anonymous'::text)
        END AS sender,
    c.moderator_id AS claimed_by,
    c.claimed_at,
    w.at_risk,
    (w.notes)::integer AS notes,
    ((w.kind = 'report'::text) AND (EXISTS ( SELECT
           FROM content_reports r
          WHERE ((r.id = w.id) AND r.tells_of_harm)))) AS tells_of_harm
   FROM (( SELECT 'solution'::text AS kind,
            w_1.id,
                CASE
                    WHEN (w_1.revises IS NULL) THEN w_1.title
                    ELSE ('New version: '::text || w_1.title)
                END AS title,
            w_1.user_id,
            w_1.submitted_at,
            NULL::timestamp with time zone AS due_at,
            w_1.thumbnail_url AS picture,
            NULL::text AS reason,
            NULL::text AS sender,
            false AS at_risk,
            ( SELECT count(*) AS count
                   FROM staff_notes n
                  WHERE (n.solution_id = COALESCE(w_1.revises, w_1.id))) AS notes
           FROM ( SELECT s.id,
                    s.title,
                    s.user_id,
                    s.revises,
                    s.submitted_at,
                    s.thumbnail_url
                   FROM solutions s
                  WHERE (s.status = 'pending'::text)
                  ORDER BY s.submitted_at, s.id
                 LIMIT 100) w_1
        UNION ALL
         SELECT 'trial'::text,
            w_1.id,
            s.title,
            w_1.user_id,
            w_1.updated_at,
            NULL::timestamp with time zone,
            s.thumbnail_url,
            NULL::text,
            NULL::text,
            false,
            ( SELECT count(*) AS count
                   FROM staff_notes n
                  WHERE (n.trial_id = w_1.id)) AS count
           FROM (( SELECT t.id,
                    t.solution_id,
                    t.user_id,
                    t.updated_at
                   FROM solution_trials t
                  WHERE (t.status = 'pending'::text)
                  ORDER BY t.updated_at, t.id
                 LIMIT 100) w_1
             JOIN solutions s ON ((s.id = w_1.solution_id)))
        UNION ALL
         SELECT 'translation'::text,
            w_1.id,
            COALESCE((w_1.texts ->> 'title'::text), s.title) AS "coalesce",
            w_1.user_id,
            w_1.updated_at,
                CASE
                    WHEN (EXISTS ( SELECT
                       FROM safety_notices n
                      WHERE ((n.solution_id = s.id) AND (n.ended_at IS NULL)))) THEN (w_1.updated_at + '1 day'::interval)
                    ELSE NULL::timestamp with time zone
                END AS "case",
            s.thumbnail_url,
            NULL::text,
            NULL::text,
            false,
            ( SELECT count(*) AS count
                   FROM staff_notes n
                  WHERE (n.translation_id = w_1.id)) AS count
           FROM (( SELECT t.id,
                    t.solution_id,
                    t.texts,
                    t.user_id,
                    t.updated_at
                   FROM solution_translations t
                  WHERE (t.status = 'pending'::text)
                  ORDER BY t.updated_at, t.id
                 LIMIT 100) w_1
             JOIN solutions s ON ((s.id = w_1.solution_id)))
        UNION ALL
         SELECT 'resource'::text,
            w_1.id,
            w_1.resource_name,
            w_1.user_id,
            w_1.created_at,
            NULL::timestamp with time zone,
            NULL::text,
            NULL::text,
            NULL::text,
            false,
            ( SELECT count(*) AS count
                   FROM staff_notes n
                  WHERE (n.resource_suggestion_id = w_1.id)) AS count
           FROM ( SELECT r.id,
                    r.resource_name,
                    r.user_id,
                    r.created_at
                   FROM resource_suggestions r
                  WHERE (r.status = 'pending'::text)
                  ORDER BY r.created_at, r.id
                 LIMIT 100) w_1
        UNION ALL
         SELECT 'report'::text,
            w_1.id,
            reported_title(w_1.report) AS reported_title,
            w_1.reporter_id,
            w_1.created_at,
            (w_1.created_at + '1 day'::interval),
                CASE w_1.content_type
                    WHEN 'solution'::text THEN ( SELECT s.thumbnail_url
                       FROM solutions s
                      WHERE (s.id = w_1.content_id))
                    ELSE NULL::text
                END AS "case",
            w_1.reason,
            NULL::text,
            (w_1.shows_patient OR w_1.tells_of_harm),
            ( SELECT count(*) AS count
                   FROM staff_notes n
                  WHERE (n.content_report_id = w_1.id)) AS count
           FROM ( SELECT r.id,
                    r.reporter_id,
                    r.content_type,
                    r.content_id,
                    r.reason,
                    r.status,
                    r.admin_response,
                    r.resolved_at,
                    r.resolved_by,
                    r.created_at,
                    r.shows_patient,
                    r.tells_of_harm,
                    r.*::content_reports AS report
                   FROM content_reports r
                  WHERE (r.status = 'pending'::text)
                  ORDER BY (r.shows_patient OR r.tells_of_harm) DESC, r.created_at, r.id
                 LIMIT 100) w_1
        UNION ALL
         SELECT 'removal_request'::text,
            w_1.id,
            s.title,
            NULL::uuid,
            w_1.created_at,
            w_1.due_at,
            s.thumbnail_url,
            NULL::text,
                CASE w_1.asker
                    WHEN 'moderator'::text THEN 'A moderator, after a report'::text
                    WHEN 'guardian'::text THEN 'Parent or guardian'::text
                    WHEN 'representative'::text THEN 'Representative'::text
                    ELSE 'Person shown'::text
                END AS "case",
            true,
            ( SELECT count(*) AS count
                   FROM staff_notes n
                  WHERE (n.removal_request_id = w_1.id)) AS count
           FROM (( SELECT r.id,
                    r.solution_id,
                    r.asker,
                    r.created_at,
                    r.due_at
                   FROM removal_requests r
                  WHERE (r.resolved_at IS NULL)
                  ORDER BY r.due_at, r.created_at, r.id
                 LIMIT 100) w_1
             JOIN solutions s ON ((s.id = w_1.solution_id)))
        UNION ALL
         SELECT 'registration'::text,
            w_1.id,
            (w_1.register || ' registration'::text),
            w_1.user_id,
            w_1.submitted_at,
            NULL::timestamp with time zone,
            NULL::text,
            NULL::text,
            NULL::text,
            false,
            ( SELECT count(*) AS count
                   FROM staff_notes n
                  WHERE (n.registration_id = w_1.id)) AS count
           FROM ( SELECT c_1.id,
                    c_1.register,
                    c_1.user_id,
                    c_1.submitted_at
                   FROM member_registrations c_1
                  WHERE (c_1.state = 'waiting'::text)
                  ORDER BY c_1.submitted_at, c_1.id
                 LIMIT 100) w_1
        UNION ALL
         SELECT 'post'::text,
            w_1.id,
            COALESCE(('Comment on: '::text || s.title), ('Reply in: '::text || t.title), ('Topic: '::text || w_1.title)) AS "coalesce",
            w_1.user_id,
            w_1.created_at,
            NULL::timestamp with time zone,
            NULL::text,
            NULL::text,
            NULL::text,
            false,
            ( SELECT count(*) AS count
                   FROM staff_notes n
                  WHERE (n.held_post_id = w_1.id)) AS count
           FROM ((( SELECT h.id,
                    h.user_id,
                    h.solution_id,
                    h.topic_id,
                    h.title,
                    h.created_at
                   FROM held_posts h
                  ORDER BY h.created_at, h.id
                 LIMIT 100) w_1
             LEFT JOIN solutions s ON ((s.id = w_1.solution_id)))
             LEFT JOIN forum_topics t ON ((t.id = w_1.topic_id)))
        UNION ALL
         SELECT 'image'::text,
            w_1.id,
            w_1.title,
            w_1.user_id,
            w_1.created_at,
            (w_1.hidden_at + '1 day'::interval),
            w_1.picture,
            NULL::text,
            NULL::text,
            (w_1.hidden_at IS NOT NULL),
            0
           FROM private.posts_with_waiting_images() w_1(id, title, user_id, created_at, hidden_at, picture)) w
     LEFT JOIN review_claims c ON (((c.kind = w.kind) AND (c.item_id = w.id) AND (c.claimed_at > (now() - '00:15:00'::interval)))))
  WHERE ( SELECT private.is_moderator() AS is_moderator);
grant select on review_queue to authenticated;
grant delete, insert, select, update on review_queue to service_role;

-- Warnings that readers of a public solution must know before they build on it. A change is a new row; earlier notices are kept.
create table safety_notices (
  id uuid default gen_random_uuid() not null,
  solution_id uuid not null,
  user_id uuid default auth.uid(),
  kind text not null,
  content text not null,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  ended_by uuid,
  language text,
  constraint safety_notices_pkey PRIMARY KEY (id),
  constraint safety_notices_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint safety_notices_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint safety_notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint "A safety notice must be at most 1000 characters" CHECK ((char_length(content) <= 1000)),
  constraint "Please choose a language from the list" CHECK ((language = ANY (private.languages()))),
  constraint "Please say what readers need to know" CHECK ((NOT private.is_blank(content))),
  constraint safety_notices_kind_check CHECK ((kind = ANY (ARRAY['caution'::text, 'recall'::text])))
);
alter table safety_notices enable row level security;
CREATE UNIQUE INDEX safety_notices_current_key ON public.safety_notices USING btree (solution_id) WHERE (ended_at IS NULL);
CREATE INDEX safety_notices_ended_by_idx ON public.safety_notices USING btree (ended_by);
CREATE INDEX safety_notices_solution_id_idx ON public.safety_notices USING btree (solution_id, created_at DESC);
CREATE INDEX safety_notices_user_id_idx ON public.safety_notices USING btree (user_id, created_at);
CREATE TRIGGER safety_notices_10_replace BEFORE INSERT ON safety_notices FOR EACH ROW EXECUTE FUNCTION private.replace_safety_notice();
CREATE TRIGGER safety_notices_10_stamp BEFORE UPDATE ON safety_notices FOR EACH ROW EXECUTE FUNCTION private.stamp_safety_notice();
CREATE TRIGGER safety_notices_20_unname BEFORE INSERT OR UPDATE ON safety_notices FOR EACH ROW EXECUTE FUNCTION private.unname_safety_notice();
CREATE TRIGGER safety_notices_announce AFTER INSERT OR UPDATE OF ended_at ON safety_notices FOR EACH ROW EXECUTE FUNCTION private.announce_safety_notice();
CREATE TRIGGER safety_notices_redact_translations AFTER UPDATE OF ended_at ON safety_notices FOR EACH ROW WHEN (new.ended_at IS NOT NULL) EXECUTE FUNCTION private.redact_translations('notice');
create policy "A second step comes before any insert" on safety_notices as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on safety_notices as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Authors and moderators can write notices on what is public" on safety_notices as permissive for insert to authenticated with check ((((user_id = ( SELECT auth.uid() AS uid)) OR ((user_id IS NULL) AND (NOT ( SELECT private.names_moderators() AS names_moderators)) AND ( SELECT private.may_moderate() AS may_moderate))) AND (EXISTS ( SELECT
   FROM solutions s
  WHERE ((s.id = safety_notices.solution_id) AND (s.status = 'approved'::text) AND ((s.user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.may_moderate() AS may_moderate)))))));
create policy "Members see what holds, authors and moderators earlier ones too" on safety_notices as permissive for select to authenticated using ((( SELECT private.is_moderator() AS is_moderator) OR ( SELECT true
   FROM solutions s
  WHERE ((s.id = safety_notices.solution_id) AND ((safety_notices.ended_at IS NULL) OR ((s.user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.has_required_aal() AS has_required_aal)))))));
create policy "Moderators can withdraw notices, authors their own" on safety_notices as permissive for update to authenticated using (((ended_at IS NULL) AND (((user_id = ( SELECT auth.uid() AS uid)) AND private.owns_solution(solution_id)) OR ( SELECT private.may_moderate() AS may_moderate)))) with check ((ended_at IS NOT NULL));
create policy "Suspended and banned members add nothing" on safety_notices as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on safety_notices as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
create policy "Visitors who see a solution see the notice that holds" on safety_notices as permissive for select to anon using (((ended_at IS NULL) AND ( SELECT true
   FROM solutions s
  WHERE (s.id = safety_notices.solution_id))));
grant select on safety_notices to anon;
grant select on safety_notices to authenticated;
grant delete, insert, select, update on safety_notices to service_role;
grant insert (solution_id, user_id, kind, content, language) on safety_notices to authenticated;
grant update (ended_at) on safety_notices to authenticated;

-- Warnings, suspensions and bans. Suspended and banned members can read, but not take part.
create table sanctions (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  kind text not null,
  reason text not null,
  until timestamp with time zone,
  created_by uuid default auth.uid(),
  created_at timestamp with time zone default now() not null,
  lifted_at timestamp with time zone,
  lifted_by uuid,
  constraint sanctions_pkey PRIMARY KEY (id),
  constraint sanctions_created_by_fkey FOREIGN KEY (created_by) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint sanctions_lifted_by_fkey FOREIGN KEY (lifted_by) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint sanctions_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint "A reason must be at most 2000 characters" CHECK ((char_length(reason) <= 2000)),
  constraint "A suspension ends in the future, within a year" CHECK (((until > created_at) AND (until <= (created_at + '1 year 1 day'::interval)))),
  constraint "A suspension says until when" CHECK (((kind = 'suspension'::text) = (until IS NOT NULL))),
  constraint "Please provide a reason" CHECK ((NOT private.is_blank(reason))),
  constraint sanctions_kind_check CHECK ((kind = ANY (ARRAY['warning'::text, 'suspension'::text, 'ban'::text])))
);
alter table sanctions enable row level security;
CREATE INDEX sanctions_created_by_idx ON public.sanctions USING btree (created_by);
CREATE INDEX sanctions_lifted_by_idx ON public.sanctions USING btree (lifted_by);
CREATE INDEX sanctions_standing_idx ON public.sanctions USING btree (user_id) WHERE ((lifted_at IS NULL) AND (kind <> 'warning'::text));
CREATE INDEX sanctions_user_id_idx ON public.sanctions USING btree (user_id, created_at DESC);
CREATE TRIGGER sanctions_announce AFTER INSERT OR UPDATE OF lifted_at ON sanctions FOR EACH ROW EXECUTE FUNCTION private.announce_sanction();
CREATE TRIGGER sanctions_stamp BEFORE UPDATE ON sanctions FOR EACH ROW EXECUTE FUNCTION private.stamp_sanction();
create policy "A second step comes before any insert" on sanctions as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on sanctions as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can read their own sanctions and moderators all" on sanctions as permissive for select to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_moderator() AS is_moderator)));
create policy "Moderators can lift warnings and suspensions, admins also bans" on sanctions as permissive for update to authenticated using (((lifted_at IS NULL) AND (user_id <> ( SELECT auth.uid() AS uid)) AND (( SELECT private.may_administer() AS may_administer) OR (( SELECT private.may_moderate() AS may_moderate) AND (kind <> 'ban'::text))))) with check ((lifted_at IS NOT NULL));
create policy "Moderators can warn and suspend members, admins also ban" on sanctions as permissive for insert to authenticated with check (((created_by = ( SELECT auth.uid() AS uid)) AND (user_id <> ( SELECT auth.uid() AS uid)) AND (NOT private.is_admin_account(user_id)) AND (( SELECT private.may_administer() AS may_administer) OR (( SELECT private.may_moderate() AS may_moderate) AND (kind <> 'ban'::text) AND (NOT private.is_staff_account(user_id))))));
create policy "Suspended and banned members add nothing" on sanctions as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on sanctions as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant select on sanctions to authenticated;
grant delete, insert, select, update on sanctions to service_role;
grant insert (user_id, kind, reason, until) on sanctions to authenticated;
grant update (lifted_at) on sanctions to authenticated;

-- Terms that search treats as equal: abbreviations of the profession, and British and American spelling. Moderators add to it.
create table search_synonyms (
  id uuid default gen_random_uuid() not null,
  terms text[] not null,
  created_by uuid default auth.uid(),
  created_at timestamp with time zone default now() not null,
  constraint search_synonyms_pkey PRIMARY KEY (id),
  constraint search_synonyms_terms_key UNIQUE (terms),
  constraint search_synonyms_created_by_fkey FOREIGN KEY (created_by) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint "Terms must be 2 to 12, in lower case, each of 1 to 4 words" CHECK (private.are_terms(terms))
);
alter table search_synonyms enable row level security;
CREATE INDEX search_synonyms_created_by_idx ON public.search_synonyms USING btree (created_by);
CREATE INDEX search_synonyms_terms_idx ON public.search_synonyms USING gin (terms);
create policy "A second step comes before any delete" on search_synonyms as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on search_synonyms as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on search_synonyms as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Everybody can read synonyms" on search_synonyms as permissive for select to public using (true);
create policy "Moderators can add synonyms" on search_synonyms as permissive for insert to authenticated with check ((( SELECT private.may_moderate() AS may_moderate) AND (created_by = ( SELECT auth.uid() AS uid))));
create policy "Moderators can change synonyms" on search_synonyms as permissive for update to authenticated using (( SELECT private.may_moderate() AS may_moderate)) with check (( SELECT private.may_moderate() AS may_moderate));
create policy "Moderators can remove synonyms" on search_synonyms as permissive for delete to authenticated using (( SELECT private.may_moderate() AS may_moderate));
create policy "Suspended and banned members add nothing" on search_synonyms as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on search_synonyms as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant delete on search_synonyms to authenticated;
grant delete, insert, select, update on search_synonyms to service_role;
grant select (id, terms) on search_synonyms to anon;
grant insert (terms, created_by) on search_synonyms to authenticated;
grant select (id, terms) on search_synonyms to authenticated;
grant update (terms) on search_synonyms to authenticated;

-- The settings of the whole site, one row: admins change them on the dashboard, operators by the command "settings".
create table site_settings (
  only_row boolean default true not null,
  site_name text default 'Limb Commons'::text not null,
  welcome_text text default ''::text not null,
  accent_colour text default ''::text not null,
  logo_url text default ''::text not null,
  sign_up text default 'open'::text not null,
  email_domains text[] default '{}'::text[] not null,
  staff_second_step boolean default false not null,
  show_points boolean default true not null,
  reviewed_first_posts smallint default 0 not null,
  names_moderators boolean default true not null,
  constraint site_settings_pkey PRIMARY KEY (only_row),
  constraint "Between 0 and 10 first posts can wait for review" CHECK (((reviewed_first_posts >= 0) AND (reviewed_first_posts <= 10))),
  constraint "Enter up to 50 domains, such as clinic.example" CHECK (((cardinality(email_domains) <= 50) AND (array_position(email_domains, NULL::text) IS NULL) AND (array_to_string(email_domains, ' '::text) ~ '^((([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9])( |$))*$'::text))),
  constraint "Sign-up must be open, invite or closed" CHECK ((sign_up = ANY (ARRAY['open'::text, 'invite'::text, 'closed'::text]))),
  constraint "The logo must be a file that was uploaded as one" CHECK ((logo_url ~ '^(/storage/v1/object/public/avatars/site/[0-9]+\.webp)?$'::text)),
  constraint "The name must be 1 to 80 characters" CHECK (((NOT private.is_blank(site_name)) AND (char_length(site_name) <= 80))),
  constraint "The name must not have invisible characters" CHECK ((NOT private.has_hidden_characters(site_name))),
  constraint "The welcome text must be at most 300 characters" CHECK ((char_length(welcome_text) <= 300)),
  constraint "The welcome text must not have invisible characters" CHECK ((NOT private.has_hidden_characters(welcome_text))),
  constraint "Write a colour as # and six digits of 0-9 and a-f" CHECK ((accent_colour ~ '^(#[0-9a-f]{6})?$'::text)),
  constraint site_settings_only_row_check CHECK (only_row)
);
alter table site_settings enable row level security;
CREATE TRIGGER site_settings_audit AFTER UPDATE ON site_settings FOR EACH ROW EXECUTE FUNCTION private.audit_site_settings();
CREATE TRIGGER site_settings_normalize BEFORE UPDATE ON site_settings FOR EACH ROW EXECUTE FUNCTION private.normalize_site_settings();
CREATE TRIGGER site_settings_purge_logo AFTER UPDATE OF logo_url ON site_settings FOR EACH ROW WHEN (old.logo_url <> new.logo_url AND old.logo_url <> ''::text) EXECUTE FUNCTION private.purge_picture('logo_url');
CREATE TRIGGER site_settings_tell AFTER UPDATE ON site_settings FOR EACH STATEMENT EXECUTE FUNCTION private.tell_site_settings();
CREATE TRIGGER site_settings_unname AFTER UPDATE ON site_settings FOR EACH ROW WHEN (old.names_moderators AND NOT new.names_moderators) EXECUTE FUNCTION private.unname_earlier();
create policy "A second step comes before any update" on site_settings as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Admins can change the settings" on site_settings as permissive for update to authenticated using (( SELECT private.may_administer() AS may_administer));
create policy "Everybody can read the settings" on site_settings as permissive for select to public using (true);
create policy "Suspended and banned members change nothing" on site_settings as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant select on site_settings to anon;
grant select on site_settings to authenticated;
grant select, update on site_settings to service_role;
grant update (site_name, welcome_text, accent_colour, logo_url, sign_up, email_domains, staff_second_step, show_points, reviewed_first_posts, names_moderators) on site_settings to authenticated;

-- The ground on which pictures of a case may be public: the author's statement, its time, and the version of its text. Never a patient's name.
create table solution_consents (
  solution_id uuid not null,
  basis text not null,
  statement_version text not null,
  audience text default 'public'::text not null,
  recorded_by uuid default auth.uid(),
  recorded_at timestamp with time zone default now() not null,
  constraint solution_consents_pkey PRIMARY KEY (solution_id),
  constraint solution_consents_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint solution_consents_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint "Please choose a consent statement" CHECK ((basis = ANY (ARRAY['patient_written'::text, 'guardian_written'::text, 'no_identifiable_person'::text]))),
  constraint "This version of the statement is not known" CHECK ((statement_version = ANY (private.text_versions('consent'::text)))),
  constraint solution_consents_audience_check CHECK ((audience = ANY (private.audiences())))
);
alter table solution_consents enable row level security;
CREATE INDEX solution_consents_recorded_by_idx ON public.solution_consents USING btree (recorded_by);
CREATE TRIGGER solution_consents_audience BEFORE INSERT ON solution_consents FOR EACH ROW EXECUTE FUNCTION private.address_consent();
CREATE TRIGGER solution_consents_guard BEFORE DELETE OR UPDATE ON solution_consents FOR EACH ROW EXECUTE FUNCTION private.guard_consent();
CREATE TRIGGER solution_consents_place_outcomes AFTER INSERT OR UPDATE OF basis, audience ON solution_consents FOR EACH ROW EXECUTE FUNCTION private.place_outcomes_by_consent();
CREATE TRIGGER solution_consents_touch AFTER INSERT OR UPDATE ON solution_consents FOR EACH ROW EXECUTE FUNCTION private.touch_solution();
create policy "A second step comes before any insert" on solution_consents as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on solution_consents as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Authors and moderators can read the consent statement" on solution_consents as permissive for select to authenticated using ((( SELECT private.is_moderator() AS is_moderator) OR ( SELECT true
   FROM solutions s
  WHERE ((s.id = solution_consents.solution_id) AND (s.user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.has_required_aal() AS has_required_aal)))));
create policy "Authors can restate consent for their own solutions" on solution_consents as permissive for update to authenticated using (private.owns_solution(solution_id)) with check ((private.owns_solution(solution_id) AND (recorded_by = ( SELECT auth.uid() AS uid))));
create policy "Authors can state consent for their own solutions" on solution_consents as permissive for insert to authenticated with check ((private.owns_solution(solution_id) AND (recorded_by = ( SELECT auth.uid() AS uid))));
create policy "Suspended and banned members add nothing" on solution_consents as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on solution_consents as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant select on solution_consents to authenticated;
grant delete, insert, select, update on solution_consents to service_role;
grant insert (solution_id, basis, statement_version, recorded_by) on solution_consents to authenticated;
grant update (basis, statement_version, recorded_by) on solution_consents to authenticated;

-- The unsent content of a member's submission form, for another device or another day: one for a new solution and one for each that is edited.
create table solution_drafts (
  user_id uuid default auth.uid() not null,
  solution_id uuid,
  content jsonb not null,
  updated_at timestamp with time zone default now() not null,
  constraint solution_drafts_user_id_solution_id_key UNIQUE NULLS NOT DISTINCT (user_id, solution_id),
  constraint solution_drafts_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint solution_drafts_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint "A draft must be an object" CHECK ((jsonb_typeof(content) = 'object'::text)),
  constraint "A draft must be at most 200 KB" CHECK ((octet_length((content)::text) <= 204800))
);
alter table solution_drafts enable row level security;
CREATE INDEX solution_drafts_solution_id_idx ON public.solution_drafts USING btree (solution_id);
CREATE TRIGGER solution_drafts_touch BEFORE UPDATE ON solution_drafts FOR EACH ROW EXECUTE FUNCTION private.touch();
create policy "A second step comes before any delete" on solution_drafts as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on solution_drafts as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on solution_drafts as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before reading" on solution_drafts as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can change their own draft" on solution_drafts as permissive for update to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can discard their own draft" on solution_drafts as permissive for delete to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Members can keep a draft of their own" on solution_drafts as permissive for insert to authenticated with check (((user_id = ( SELECT auth.uid() AS uid)) AND ((solution_id IS NULL) OR private.owns_solution(solution_id))));
create policy "Members can read their own draft" on solution_drafts as permissive for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "Suspended and banned members add nothing" on solution_drafts as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on solution_drafts as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant delete, select on solution_drafts to authenticated;
grant delete, insert, select, update on solution_drafts to service_role;
grant insert (user_id, solution_id, content) on solution_drafts to authenticated;
grant update (content) on solution_drafts to authenticated;

-- What a solution takes to be made, beside its parts and steps. The three are written by its submission alone, so that nothing becomes public without review.
create table solution_fabrication (
  solution_id uuid not null,
  hours numeric(6,1),
  tools text[] default '{}'::text[] not null,
  currency text,
  constraint solution_fabrication_pkey PRIMARY KEY (solution_id),
  constraint solution_fabrication_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint "Hours must be between 0.1 and 10,000" CHECK (((hours >= 0.1) AND (hours <= (10000)::numeric))),
  constraint "Please choose a currency from the list" CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint "Please list at most 30 tools, each of 1 to 80 characters" CHECK (private.are_tools(tools))
);
alter table solution_fabrication enable row level security;
CREATE TRIGGER solution_fabrication_00_plain BEFORE INSERT OR UPDATE OF tools ON solution_fabrication FOR EACH ROW WHEN (private.has_hidden_characters(concat_ws(' '::text, new.tools::text))) EXECUTE FUNCTION private.plain_lines('tools');
create policy "Fabrication is seen with its solution" on solution_fabrication as permissive for select to public using (( SELECT true
   FROM solutions s
  WHERE (s.id = solution_fabrication.solution_id)));
grant select on solution_fabrication to anon;
grant select on solution_fabrication to authenticated;
grant delete, insert, select, update on solution_fabrication to service_role;

-- Build files of a solution: documents, models and drawings, each rewritten by our own processing. Written by its submission alone, so that no file becomes public without review.
create table solution_files (
  id uuid default gen_random_uuid() not null,
  solution_id uuid not null,
  "position" smallint not null,
  file_url text not null,
  folder text generated always as (regexp_replace(file_url, '[^/]+$'::text, ''::text)) stored not null,
  file_name text not null,
  file_type text not null,
  byte_size bigint not null,
  licence text default 'CC BY 4.0'::text not null,
  description text,
  facts jsonb not null,
  previews text[] not null,
  page_texts text[] not null,
  downloads integer default 0 not null,
  hidden_at timestamp with time zone,
  copy_of uuid,
  created_at timestamp with time zone default now() not null,
  constraint solution_files_pkey PRIMARY KEY (id),
  constraint solution_files_copy_of_fkey FOREIGN KEY (copy_of) REFERENCES solution_files(id) ON DELETE CASCADE,
  constraint solution_files_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint "A build file must be a PDF, STL, 3MF, STEP, SVG or DXF file" CHECK ((file_type = ANY (ARRAY['pdf'::text, 'stl'::text, '3mf'::text, 'step'::text, 'svg'::text, 'dxf'::text]))),
  constraint "A solution can have at most 10 build files" CHECK ((("position" >= 0) AND ("position" <= 9))),
  constraint "Choose one of the listed licences" CHECK ((licence = ANY (ARRAY['CC BY 4.0'::text, 'CC BY-SA 4.0'::text, 'CC BY-NC 4.0'::text, 'CC0 1.0'::text]))),
  constraint "The description of a build file must be at most 500 characters" CHECK ((char_length(description) <= 500)),
  constraint "The name of a build file must have 1 to 120 characters" CHECK (((char_length(file_name) >= 1) AND (char_length(file_name) <= 120))),
  constraint solution_files_byte_size_check CHECK ((byte_size > 0)),
  constraint solution_files_downloads_check CHECK ((downloads >= 0))
);
alter table solution_files enable row level security;
CREATE INDEX solution_files_copy_of_idx ON public.solution_files USING btree (copy_of) WHERE (copy_of IS NOT NULL);
CREATE INDEX solution_files_folder_idx ON public.solution_files USING btree (folder);
CREATE INDEX solution_files_solution_id_idx ON public.solution_files USING btree (solution_id, "position");
CREATE TRIGGER solution_files_00_plain BEFORE INSERT OR UPDATE OF file_name ON solution_files FOR EACH ROW WHEN (private.has_hidden_characters(concat_ws(' '::text, new.file_name))) EXECUTE FUNCTION private.plain_lines('file_name');
CREATE TRIGGER solution_files_facets AFTER INSERT OR DELETE OR UPDATE OF solution_id, hidden_at ON solution_files FOR EACH ROW EXECUTE FUNCTION private.refresh_solution_facets();
CREATE TRIGGER solution_files_purge AFTER DELETE ON solution_files FOR EACH ROW EXECUTE FUNCTION private.purge_file();
CREATE TRIGGER solution_files_redact_deleted AFTER DELETE ON solution_files FOR EACH ROW EXECUTE FUNCTION private.redact_versions('files');
CREATE TRIGGER solution_files_redact_hidden AFTER UPDATE OF hidden_at ON solution_files FOR EACH ROW WHEN (old.hidden_at IS DISTINCT FROM new.hidden_at) EXECUTE FUNCTION private.redact_versions('files');
CREATE TRIGGER solution_files_redact_translations_deleted AFTER DELETE ON solution_files FOR EACH ROW EXECUTE FUNCTION private.redact_translations('files');
CREATE TRIGGER solution_files_redact_translations_hidden AFTER UPDATE OF hidden_at ON solution_files FOR EACH ROW WHEN (new.hidden_at IS NOT NULL) EXECUTE FUNCTION private.redact_translations('files');
CREATE TRIGGER solution_files_resolve_removal_requests AFTER DELETE ON solution_files FOR EACH ROW EXECUTE FUNCTION private.resolve_removal_requests();
CREATE TRIGGER solution_files_touch AFTER INSERT OR DELETE OR UPDATE ON solution_files FOR EACH ROW EXECUTE FUNCTION private.touch_solution();
create policy "Files are seen with their solution, withheld ones by moderators" on solution_files as permissive for select to public using ((((hidden_at IS NULL) OR ( SELECT private.is_moderator() AS is_moderator)) AND ( SELECT true
   FROM solutions s
  WHERE (s.id = solution_files.solution_id))));
grant select on solution_files to anon;
grant select on solution_files to authenticated;
grant delete, insert, select, update on solution_files to service_role;

-- Pictures and clips of a solution, or of a trial of it. Every file was made by our own media processing; see pending_uploads.
create table solution_media (
  id uuid default gen_random_uuid() not null,
  solution_id uuid not null,
  trial_id uuid,
  media_url text not null,
  compressed_url text not null,
  thumbnail_url text not null,
  media_type text not null,
  description text,
  "position" smallint default 0 not null,
  width integer,
  height integer,
  duration_seconds real,
  hidden_at timestamp with time zone,
  copy_of uuid,
  created_at timestamp with time zone default now() not null,
  constraint solution_media_pkey PRIMARY KEY (id),
  constraint solution_media_copy_of_fkey FOREIGN KEY (copy_of) REFERENCES solution_media(id) ON DELETE CASCADE,
  constraint solution_media_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint solution_media_trial_id_fkey FOREIGN KEY (trial_id) REFERENCES solution_trials(id) ON DELETE CASCADE,
  constraint "A description of media must be at most 500 characters" CHECK ((char_length(description) <= 500)),
  constraint "Media must be image or video" CHECK ((media_type = ANY (ARRAY['image'::text, 'video'::text]))),
  constraint solution_media_position_check CHECK ((("position" >= 0) AND ("position" <= 999)))
);
alter table solution_media enable row level security;
CREATE INDEX solution_media_compressed_url_idx ON public.solution_media USING btree (compressed_url);
CREATE INDEX solution_media_copy_of_idx ON public.solution_media USING btree (copy_of) WHERE (copy_of IS NOT NULL);
CREATE INDEX solution_media_media_url_idx ON public.solution_media USING btree (media_url);
CREATE INDEX solution_media_solution_id_idx ON public.solution_media USING btree (solution_id, "position");
CREATE INDEX solution_media_thumbnail_url_idx ON public.solution_media USING btree (thumbnail_url);
CREATE INDEX solution_media_trial_id_idx ON public.solution_media USING btree (trial_id, "position") WHERE (trial_id IS NOT NULL);
CREATE TRIGGER solution_media_attach BEFORE INSERT ON solution_media FOR EACH ROW EXECUTE FUNCTION private.attach_upload();
CREATE TRIGGER solution_media_first_thumbnail AFTER INSERT ON solution_media FOR EACH ROW EXECUTE FUNCTION private.set_first_thumbnail();
CREATE TRIGGER solution_media_hold BEFORE DELETE ON solution_media FOR EACH ROW EXECUTE FUNCTION private.hold_removed_media();
CREATE TRIGGER solution_media_purge AFTER DELETE ON solution_media FOR EACH ROW EXECUTE FUNCTION private.purge_media();
CREATE TRIGGER solution_media_redact_deleted AFTER DELETE ON solution_media FOR EACH ROW EXECUTE FUNCTION private.redact_versions('media');
CREATE TRIGGER solution_media_redact_hidden AFTER UPDATE OF hidden_at ON solution_media FOR EACH ROW WHEN (old.hidden_at IS DISTINCT FROM new.hidden_at) EXECUTE FUNCTION private.redact_versions('media');
CREATE TRIGGER solution_media_redact_translations_deleted AFTER DELETE ON solution_media FOR EACH ROW EXECUTE FUNCTION private.redact_translations('media');
CREATE TRIGGER solution_media_redact_translations_hidden AFTER UPDATE OF hidden_at ON solution_media FOR EACH ROW WHEN (new.hidden_at IS NOT NULL) EXECUTE FUNCTION private.redact_translations('media');
CREATE TRIGGER solution_media_refuse BEFORE UPDATE ON solution_media FOR EACH ROW WHEN (old.description IS DISTINCT FROM new.description OR old."position" IS DISTINCT FROM new."position") EXECUTE FUNCTION private.refuse_changed_media();
CREATE TRIGGER solution_media_resolve_removal_requests AFTER DELETE ON solution_media FOR EACH ROW EXECUTE FUNCTION private.resolve_removal_requests();
CREATE TRIGGER solution_media_touch AFTER INSERT OR DELETE OR UPDATE ON solution_media FOR EACH ROW EXECUTE FUNCTION private.touch_solution();
CREATE TRIGGER solution_media_trial_touch AFTER INSERT OR DELETE OR UPDATE OF description, "position" ON solution_media FOR EACH ROW EXECUTE FUNCTION private.touch_trial();
create policy "A second step comes before any delete" on solution_media as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on solution_media as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on solution_media as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Authors can add media to their own solutions and trials" on solution_media as permissive for insert to authenticated with check (
CASE
    WHEN (trial_id IS NULL) THEN private.owns_solution(solution_id)
    ELSE private.owns_trial(trial_id, solution_id)
END);
create policy "Authors can describe and order the media of their own" on solution_media as permissive for update to authenticated using (
CASE
    WHEN (trial_id IS NULL) THEN private.owns_solution(solution_id)
    ELSE private.owns_trial(trial_id, solution_id)
END) with check (
CASE
    WHEN (trial_id IS NULL) THEN private.owns_solution(solution_id)
    ELSE private.owns_trial(trial_id, solution_id)
END);
create policy "Authors can remove media of their own" on solution_media as permissive for delete to authenticated using (
CASE
    WHEN (trial_id IS NULL) THEN private.owns_solution(solution_id)
    ELSE private.owns_trial(trial_id, solution_id)
END);
create policy "Media are seen with their solution, withheld ones by moderators" on solution_media as permissive for select to public using ((((hidden_at IS NULL) OR ( SELECT private.is_moderator() AS is_moderator)) AND ( SELECT true
   FROM solutions s
  WHERE (s.id = solution_media.solution_id)) AND ((trial_id IS NULL) OR ( SELECT true
   FROM solution_trials t
  WHERE (t.id = solution_media.trial_id)))));
create policy "Suspended and banned members add nothing" on solution_media as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on solution_media as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant select on solution_media to anon;
grant delete, select on solution_media to authenticated;
grant delete, insert, select, update on solution_media to service_role;
grant insert (solution_id, trial_id, media_url, compressed_url, thumbnail_url, media_type, description, "position") on solution_media to authenticated;
grant update (description, "position") on solution_media to authenticated;

-- What was measured with a solution, by its author or a member who tried it: a score on a standard measure, before and after. Written by its submission alone, so that no outcome becomes public without review.
create table solution_outcomes (
  id uuid default gen_random_uuid() not null,
  solution_id uuid not null,
  trial_id uuid,
  "position" smallint not null,
  measure text not null,
  score_before numeric(9,4),
  score_after numeric(9,4) not null,
  people_before integer,
  people integer not null,
  follow_up_weeks integer,
  device_before text,
  prosthesis_type text,
  amputation_level text,
  published_at timestamp with time zone,
  audience text,
  constraint solution_outcomes_pkey PRIMARY KEY (id),
  constraint solution_outcomes_solution_id_trial_id_position_key UNIQUE NULLS NOT DISTINCT (solution_id, trial_id, "position"),
  constraint solution_outcomes_measure_fkey FOREIGN KEY (measure) REFERENCES outcome_measures(abbreviation),
  constraint solution_outcomes_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint solution_outcomes_trial_id_fkey FOREIGN KEY (trial_id) REFERENCES solution_trials(id) ON DELETE CASCADE,
  constraint "A solution can have at most 20 measured outcomes" CHECK ((("position" >= 0) AND ("position" <= 19))),
  constraint "Follow-up must be between 0 and 1,040 weeks after the fitting" CHECK (((follow_up_weeks >= 0) AND (follow_up_weeks <= 1040))),
  constraint "People before must be between 1 and 10,000" CHECK (((people_before >= 1) AND (people_before <= 10000))),
  constraint "People measured must be between 1 and 10,000" CHECK (((people >= 1) AND (people <= 10000))),
  constraint "Please enter the score before too, or remove people before" CHECK (((people_before IS NULL) OR (score_before IS NOT NULL))),
  constraint "The device before must be at most 200 characters" CHECK ((char_length(device_before) <= 200)),
  constraint "There cannot be more people after than before" CHECK ((people <= people_before))
);
alter table solution_outcomes enable row level security;
CREATE INDEX solution_outcomes_apart_idx ON public.solution_outcomes USING btree (id) WHERE ((amputation_level IS NULL) AND (published_at IS NOT NULL));
CREATE INDEX solution_outcomes_apart_measure_idx ON public.solution_outcomes USING btree (measure, id) WHERE ((amputation_level IS NULL) AND (published_at IS NOT NULL));
CREATE INDEX solution_outcomes_measure_idx ON public.solution_outcomes USING btree (measure, published_at DESC, id);
CREATE INDEX solution_outcomes_published_at_idx ON public.solution_outcomes USING btree (published_at DESC, id) WHERE (published_at IS NOT NULL);
CREATE INDEX solution_outcomes_trial_id_idx ON public.solution_outcomes USING btree (trial_id) WHERE (trial_id IS NOT NULL);
CREATE TRIGGER solution_outcomes_00_plain BEFORE INSERT OR UPDATE OF device_before ON solution_outcomes FOR EACH ROW WHEN (private.has_hidden_characters(concat_ws(' '::text, new.device_before))) EXECUTE FUNCTION private.plain_lines('device_before');
CREATE TRIGGER solution_outcomes_10_check BEFORE INSERT OR UPDATE OF measure, score_before, score_after, people ON solution_outcomes FOR EACH ROW EXECUTE FUNCTION private.check_outcome();
CREATE TRIGGER solution_outcomes_10_facets AFTER INSERT OR DELETE OR UPDATE OF solution_id, measure, score_before, score_after ON solution_outcomes FOR EACH ROW EXECUTE FUNCTION private.refresh_solution_facets();
CREATE TRIGGER solution_outcomes_20_count AFTER INSERT OR DELETE OR UPDATE ON solution_outcomes FOR EACH ROW EXECUTE FUNCTION private.count_changed_outcome();
CREATE TRIGGER solution_outcomes_20_place BEFORE INSERT OR UPDATE OF solution_id ON solution_outcomes FOR EACH ROW EXECUTE FUNCTION private.place_outcome();
CREATE TRIGGER solution_outcomes_30_use AFTER INSERT OR UPDATE OF solution_id, published_at ON solution_outcomes FOR EACH ROW WHEN (new.trial_id IS NULL AND new.published_at IS NOT NULL) EXECUTE FUNCTION private.follow_use_of_outcome();
create policy "Outcomes are seen with their solution or trial" on solution_outcomes as permissive for select to public using ((( SELECT true
   FROM solutions s
  WHERE (s.id = solution_outcomes.solution_id)) AND ((trial_id IS NULL) OR ( SELECT true
   FROM solution_trials t
  WHERE (t.id = solution_outcomes.trial_id)))));
grant select on solution_outcomes to anon;
grant select on solution_outcomes to authenticated;
grant delete, insert, select, update on solution_outcomes to service_role;

-- The parts list of a solution.
create table solution_parts (
  solution_id uuid not null,
  "position" smallint not null,
  component text not null,
  maker text,
  part_number text,
  quantity numeric(8,2) not null,
  cost numeric(10,2),
  link text,
  constraint solution_parts_pkey PRIMARY KEY (solution_id, "position"),
  constraint solution_parts_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solution_fabrication(solution_id) ON DELETE CASCADE,
  constraint "A component must be at most 120 characters" CHECK ((char_length(component) <= 120)),
  constraint "A cost must be between 0 and 1,000,000" CHECK (((cost >= (0)::numeric) AND (cost <= (1000000)::numeric))),
  constraint "A link must be at most 500 characters without spaces" CHECK (((char_length(link) <= 500) AND (link !~ '\s'::text))),
  constraint "A link must begin with https:// or http://" CHECK ((link ~ '^https?://[^\s/]+'::text)),
  constraint "A link must not contain a user name or invisible characters" CHECK (((link !~ '^https?://[^/?#]*[@\\]'::text) AND (NOT private.has_hidden_characters(link)))),
  constraint "A maker must be at most 120 characters" CHECK ((char_length(maker) <= 120)),
  constraint "A part number must be at most 80 characters" CHECK ((char_length(part_number) <= 80)),
  constraint "A parts list can have at most 60 parts" CHECK ((("position" >= 0) AND ("position" <= 59))),
  constraint "A quantity must be more than 0 and at most 10,000" CHECK (((quantity > (0)::numeric) AND (quantity <= (10000)::numeric))),
  constraint "Please name the part" CHECK ((NOT private.is_blank(component)))
);
alter table solution_parts enable row level security;
CREATE INDEX solution_parts_key_idx ON public.solution_parts USING btree (private.part_key(maker, part_number)) WHERE (part_number IS NOT NULL);
CREATE INDEX solution_parts_number_idx ON public.solution_parts USING btree (private.part_key(NULL::text, part_number)) WHERE (part_number IS NOT NULL);
CREATE TRIGGER solution_parts_00_plain BEFORE INSERT OR UPDATE OF component, maker, part_number ON solution_parts FOR EACH ROW WHEN (private.has_hidden_characters(concat_ws(' '::text, new.component, new.maker, new.part_number))) EXECUTE FUNCTION private.plain_lines('component', 'maker', 'part_number');
CREATE TRIGGER solution_parts_mark_delete AFTER DELETE ON solution_parts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.mark_parts();
CREATE TRIGGER solution_parts_mark_insert AFTER INSERT ON solution_parts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.mark_parts();
CREATE TRIGGER solution_parts_mark_update AFTER UPDATE ON solution_parts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.mark_parts();
create policy "Parts are seen with their solution" on solution_parts as permissive for select to public using (( SELECT true
   FROM solutions s
  WHERE (s.id = solution_parts.solution_id)));
grant select on solution_parts to anon;
grant select on solution_parts to authenticated;
grant delete, insert, select, update on solution_parts to service_role;

-- The history of a solution's review, one row a step, written by trigger.
create table solution_reviews (
  id bigint generated always as identity not null,
  solution_id uuid not null,
  reviewer_id uuid,
  decision text not null,
  reason text,
  checklist jsonb,
  consent jsonb,
  replaced jsonb,
  created_at timestamp with time zone default now() not null,
  constraint solution_reviews_pkey PRIMARY KEY (id),
  constraint solution_reviews_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint solution_reviews_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint "A checklist answers the questions of a review" CHECK (private.is_checklist(checklist)),
  constraint solution_reviews_decision_check CHECK ((decision = ANY (ARRAY['submitted'::text, 'resubmitted'::text, 'approved'::text, 'rejected'::text, 'discarded'::text])))
);
alter table solution_reviews enable row level security;
CREATE INDEX solution_reviews_reviewer_id_idx ON public.solution_reviews USING btree (reviewer_id, created_at);
CREATE INDEX solution_reviews_solution_id_idx ON public.solution_reviews USING btree (solution_id, id);
create policy "Authors and moderators can read the history of a review" on solution_reviews as permissive for select to authenticated using ((( SELECT private.is_moderator() AS is_moderator) OR ((( SELECT private.names_moderators() AS names_moderators) OR (reviewer_id IS NULL) OR (reviewer_id = ( SELECT auth.uid() AS uid))) AND ( SELECT true
   FROM solutions s
  WHERE ((s.id = solution_reviews.solution_id) AND (s.user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.has_required_aal() AS has_required_aal))))));
grant select on solution_reviews to authenticated;
grant delete, insert, select, update on solution_reviews to service_role;

-- What a solution is based on: up to five published solutions, which show it among their adaptations. Part of its content, and reviewed with it.
create table solution_sources (
  solution_id uuid not null,
  source_id uuid not null,
  "position" smallint default 0 not null,
  source_mark text generated always as (md5((source_id)::text)) stored not null,
  constraint solution_sources_pkey PRIMARY KEY (solution_id, source_id),
  constraint solution_sources_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint solution_sources_source_id_fkey FOREIGN KEY (source_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint solution_sources_position_check CHECK ((("position" >= 0) AND ("position" <= 4)))
);
alter table solution_sources enable row level security;
CREATE INDEX solution_sources_source_id_idx ON public.solution_sources USING btree (source_id);
CREATE TRIGGER solution_sources_10_refuse BEFORE INSERT OR DELETE OR UPDATE ON solution_sources FOR EACH ROW EXECUTE FUNCTION private.refuse_changed_sources();
CREATE TRIGGER solution_sources_20_check BEFORE INSERT OR UPDATE ON solution_sources FOR EACH ROW EXECUTE FUNCTION private.check_source();
CREATE TRIGGER solution_sources_touch AFTER INSERT OR DELETE OR UPDATE ON solution_sources FOR EACH ROW EXECUTE FUNCTION private.touch_solution();
create policy "A second step comes before any delete" on solution_sources as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on solution_sources as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on solution_sources as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Authors can order what their own solutions are based on" on solution_sources as permissive for update to authenticated using (private.owns_solution(solution_id)) with check (private.owns_solution(solution_id));
create policy "Authors can say what their own solutions are based on" on solution_sources as permissive for insert to authenticated with check (private.owns_solution(solution_id));
create policy "Authors can unsay what their own solutions are based on" on solution_sources as permissive for delete to authenticated using (private.owns_solution(solution_id));
create policy "Readers of both solutions see that one is based on the other" on solution_sources as permissive for select to public using ((( SELECT true
   FROM solutions s
  WHERE (s.id = solution_sources.solution_id)) AND ( SELECT true
   FROM solutions s
  WHERE (s.id = solution_sources.source_id))));
create policy "Suspended and banned members add nothing" on solution_sources as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on solution_sources as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant select on solution_sources to anon;
grant delete, select on solution_sources to authenticated;
grant delete, insert, select, update on solution_sources to service_role;
grant insert (solution_id, source_id, "position") on solution_sources to authenticated;
grant update (solution_id, source_id, "position") on solution_sources to authenticated;

-- How a solution is made, step by step.
create table solution_steps (
  solution_id uuid not null,
  "position" smallint not null,
  instruction text not null,
  media_id uuid,
  constraint solution_steps_pkey PRIMARY KEY (solution_id, "position"),
  constraint solution_steps_media_id_fkey FOREIGN KEY (media_id) REFERENCES solution_media(id) ON DELETE SET NULL,
  constraint solution_steps_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solution_fabrication(solution_id) ON DELETE CASCADE,
  constraint "A step must be at most 2000 characters" CHECK ((char_length(instruction) <= 2000)),
  constraint "Please say what is done in this step" CHECK ((NOT private.is_blank(instruction))),
  constraint "There can be at most 50 steps" CHECK ((("position" >= 0) AND ("position" <= 49)))
);
alter table solution_steps enable row level security;
CREATE INDEX solution_steps_media_id_idx ON public.solution_steps USING btree (media_id) WHERE (media_id IS NOT NULL);
create policy "Steps are seen with their solution" on solution_steps as permissive for select to public using (( SELECT true
   FROM solutions s
  WHERE (s.id = solution_steps.solution_id)));
grant select on solution_steps to anon;
grant select on solution_steps to authenticated;
grant delete, insert, select, update on solution_steps to service_role;

-- What a version of a solution says in another language, by a member; public once a moderator has approved it.
create table solution_translations (
  id uuid default gen_random_uuid() not null,
  solution_id uuid not null,
  version integer not null,
  language text not null,
  user_id uuid default auth.uid(),
  texts jsonb not null,
  status text default 'pending'::text not null,
  rejection_reason text,
  checklist jsonb,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  approved_at timestamp with time zone,
  constraint solution_translations_pkey PRIMARY KEY (id),
  constraint solution_translations_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint solution_translations_solution_id_version_fkey FOREIGN KEY (solution_id, version) REFERENCES solution_versions(solution_id, version) ON DELETE CASCADE,
  constraint solution_translations_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint "A rejection needs a reason" CHECK (((status <> 'rejected'::text) OR (NOT private.is_blank(rejection_reason)))),
  constraint "A rejection reason must be at most 2000 characters" CHECK ((char_length(rejection_reason) <= 2000)),
  constraint "Only a decision has a checklist" CHECK ((checklist IS NULL)),
  constraint "Only a rejected translation has a reason" CHECK (((status = 'rejected'::text) OR (rejection_reason IS NULL))),
  constraint "Please choose a language from the list" CHECK ((language = ANY (private.languages()))),
  constraint "Status must be pending, approved, rejected or replaced" CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'replaced'::text])))
);
alter table solution_translations enable row level security;
CREATE UNIQUE INDEX solution_translations_approved_key ON public.solution_translations USING btree (solution_id, language) WHERE (status = 'approved'::text);
CREATE UNIQUE INDEX solution_translations_own_key ON public.solution_translations USING btree (solution_id, language, user_id) WHERE (status = ANY (ARRAY['pending'::text, 'rejected'::text]));
CREATE INDEX solution_translations_queue_idx ON public.solution_translations USING btree (updated_at, id) WHERE (status = 'pending'::text);
CREATE INDEX solution_translations_sent_back_idx ON public.solution_translations USING btree (user_id, updated_at) WHERE (status = 'rejected'::text);
CREATE INDEX solution_translations_solution_id_idx ON public.solution_translations USING btree (solution_id, version);
CREATE INDEX solution_translations_user_id_idx ON public.solution_translations USING btree (user_id, created_at);
CREATE TRIGGER solution_translations_00_plain BEFORE INSERT OR UPDATE OF texts ON solution_translations FOR EACH ROW WHEN (private.has_hidden_characters(new.texts ->> 'title'::text)) EXECUTE FUNCTION private.plain_title();
CREATE TRIGGER solution_translations_10_guard BEFORE INSERT OR UPDATE ON solution_translations FOR EACH ROW EXECUTE FUNCTION private.guard_translation();
CREATE TRIGGER solution_translations_10_sync_delete AFTER DELETE ON solution_translations FOR EACH ROW EXECUTE FUNCTION private.sync_translation();
CREATE TRIGGER solution_translations_10_sync_status AFTER UPDATE ON solution_translations FOR EACH ROW WHEN (old.status <> new.status) EXECUTE FUNCTION private.sync_translation();
CREATE TRIGGER solution_translations_15_touch BEFORE UPDATE ON solution_translations FOR EACH ROW EXECUTE FUNCTION private.touch();
CREATE TRIGGER solution_translations_20_decide BEFORE UPDATE ON solution_translations FOR EACH ROW WHEN (old.status = 'pending'::text AND (new.status = ANY (ARRAY['approved'::text, 'rejected'::text]))) EXECUTE FUNCTION private.decide_translation();
CREATE TRIGGER solution_translations_95_close_reports AFTER DELETE ON solution_translations FOR EACH ROW WHEN (pg_trigger_depth() > 0) EXECUTE FUNCTION private.close_reports('translation');
CREATE TRIGGER solution_translations_count_waiting AFTER INSERT OR DELETE OR UPDATE ON solution_translations FOR EACH ROW EXECUTE FUNCTION private.keep_count('waiting translation', 'status = ''pending''');
CREATE TRIGGER solution_translations_end_claim AFTER DELETE OR UPDATE OF status ON solution_translations FOR EACH ROW EXECUTE FUNCTION private.end_claim('translation');
CREATE TRIGGER solution_translations_limit AFTER INSERT ON solution_translations FOR EACH ROW WHEN (private.is_client()) EXECUTE FUNCTION private.limit_translations();
create policy "A second step comes before any delete" on solution_translations as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on solution_translations as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on solution_translations as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can delete their own translations, moderators any" on solution_translations as permissive for delete to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.may_moderate() AS may_moderate)));
create policy "Members can translate what they read" on solution_translations as permissive for insert to authenticated with check (((user_id = ( SELECT auth.uid() AS uid)) AND (status = 'pending'::text) AND ( SELECT true
   FROM solution_versions v
  WHERE ((v.solution_id = solution_translations.solution_id) AND (v.version = solution_translations.version)))));
create policy "Members change theirs, moderators decide" on solution_translations as permissive for update to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.may_moderate() AS may_moderate))) with check (((user_id = ( SELECT auth.uid() AS uid)) OR (status = ANY (ARRAY['approved'::text, 'rejected'::text]))));
create policy "Readers of a version see its translations, writers theirs, mode" on solution_translations as permissive for select to public using ((( SELECT private.is_moderator() AS is_moderator) OR ((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.has_required_aal() AS has_required_aal)) OR ((status = ANY (ARRAY['approved'::text, 'replaced'::text])) AND ( SELECT true
   FROM solution_versions v
  WHERE ((v.solution_id = solution_translations.solution_id) AND (v.version = solution_translations.version))))));
create policy "Suspended and banned members add nothing" on solution_translations as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on solution_translations as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant delete on solution_translations to authenticated;
grant delete, insert, select, update on solution_translations to service_role;
grant select (id, solution_id, version, language, user_id, texts, status, rejection_reason, created_at, updated_at, approved_at) on solution_translations to anon;
grant insert (solution_id, version, language, texts) on solution_translations to authenticated;
grant select (id, solution_id, version, language, user_id, texts, status, rejection_reason, created_at, updated_at, approved_at) on solution_translations to authenticated;
grant update (version, texts, status, rejection_reason, checklist) on solution_translations to authenticated;

-- Reports of members who tried a solution: how it went, for whom, and what they changed; public once a moderator has approved them.
create table solution_trials (
  id uuid default gen_random_uuid() not null,
  solution_id uuid not null,
  version integer not null,
  user_id uuid default auth.uid(),
  result text not null,
  changes text,
  experience text,
  amputation_level text not null,
  age_group text not null,
  prosthesis_type text not null,
  status text default 'pending'::text not null,
  rejection_reason text,
  author_answer text,
  answered_at timestamp with time zone,
  consent_basis text,
  consent_version text,
  consent_recorded_at timestamp with time zone,
  replaced jsonb,
  submission_id uuid,
  checklist jsonb,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  approved_at timestamp with time zone,
  audience text default 'public'::text not null,
  language text default 'en'::text not null,
  constraint solution_trials_pkey PRIMARY KEY (id),
  constraint solution_trials_solution_id_user_id_version_key UNIQUE (solution_id, user_id, version),
  constraint solution_trials_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint solution_trials_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint "A consent statement has a version and a time" CHECK ((num_nonnulls(consent_basis, consent_version, consent_recorded_at) = ANY (ARRAY[0, 3]))),
  constraint "A rejection needs a reason" CHECK (((status <> 'rejected'::text) OR (NOT private.is_blank(rejection_reason)))),
  constraint "A rejection reason must be at most 2000 characters" CHECK ((char_length(rejection_reason) <= 2000)),
  constraint "A report has one of the audiences of solutions" CHECK ((audience = ANY (private.audiences()))),
  constraint "An answer must be at most 2000 characters" CHECK ((char_length(author_answer) <= 2000)),
  constraint "An answer says when" CHECK (((author_answer IS NULL) OR (answered_at IS NOT NULL))),
  constraint "Only a decision has a checklist" CHECK ((checklist IS NULL)),
  constraint "Only a rejected trial report has a reason" CHECK (((status = 'rejected'::text) OR (rejection_reason IS NULL))),
  constraint "Please choose a consent statement" CHECK ((consent_basis = ANY (ARRAY['patient_written'::text, 'guardian_written'::text, 'no_identifiable_person'::text]))),
  constraint "Please choose a language from the list" CHECK ((language = ANY (private.languages()))),
  constraint "Please say how it went" CHECK ((result = ANY (ARRAY['worked'::text, 'worked_with_changes'::text, 'did_not_work'::text]))),
  constraint "Please say what you changed" CHECK (((result <> 'worked_with_changes'::text) OR (NOT private.is_blank(changes)))),
  constraint "Please say why it did not work" CHECK (((result <> 'did_not_work'::text) OR (NOT private.is_blank(experience)))),
  constraint "Please select amputation level" CHECK ((amputation_level = ANY (private.amputation_levels()))),
  constraint "Please select at least one age group" CHECK ((age_group = ANY (ARRAY['Children'::text, 'Adults'::text, 'Children, Adults'::text, 'Adults, Children'::text]))),
  constraint "Please select prosthesis type" CHECK ((prosthesis_type = ANY (private.prosthesis_types()))),
  constraint "Status must be pending, approved or rejected" CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text]))),
  constraint "This version of the statement is not known" CHECK ((consent_version = ANY (private.text_versions('consent'::text)))),
  constraint "What happened must be at most 5000 characters" CHECK ((char_length(experience) <= 5000)),
  constraint "What you changed must be at most 5000 characters" CHECK ((char_length(changes) <= 5000))
);
alter table solution_trials enable row level security;
CREATE INDEX solution_trials_approved_idx ON public.solution_trials USING btree (solution_id, status, approved_at DESC);
CREATE INDEX solution_trials_queue_idx ON public.solution_trials USING btree (updated_at, id) WHERE (status = 'pending'::text);
CREATE INDEX solution_trials_sent_back_idx ON public.solution_trials USING btree (user_id, updated_at) WHERE (status = 'rejected'::text);
CREATE INDEX solution_trials_user_id_idx ON public.solution_trials USING btree (user_id, created_at);
CREATE TRIGGER solution_trials_10_guard BEFORE INSERT OR UPDATE ON solution_trials FOR EACH ROW EXECUTE FUNCTION private.guard_trial();
CREATE TRIGGER solution_trials_10_sync_delete AFTER DELETE ON solution_trials FOR EACH ROW EXECUTE FUNCTION private.sync_trial();
CREATE TRIGGER solution_trials_10_sync_insert AFTER INSERT ON solution_trials FOR EACH ROW WHEN (new.status = 'approved'::text) EXECUTE FUNCTION private.sync_trial();
CREATE TRIGGER solution_trials_10_sync_status AFTER UPDATE ON solution_trials FOR EACH ROW WHEN (old.status <> new.status) EXECUTE FUNCTION private.sync_trial();
CREATE TRIGGER solution_trials_12_address_insert BEFORE INSERT ON solution_trials FOR EACH ROW EXECUTE FUNCTION private.address_trial();
CREATE TRIGGER solution_trials_12_address_update BEFORE UPDATE ON solution_trials FOR EACH ROW WHEN (new.status = 'pending'::text AND (old.status <> 'pending'::text OR old.submission_id IS DISTINCT FROM new.submission_id OR old.consent_recorded_at IS DISTINCT FROM new.consent_recorded_at)) EXECUTE FUNCTION private.address_trial();
CREATE TRIGGER solution_trials_15_touch BEFORE UPDATE ON solution_trials FOR EACH ROW WHEN (NOT old.author_answer IS DISTINCT FROM new.author_answer) EXECUTE FUNCTION private.touch();
CREATE TRIGGER solution_trials_20_decide BEFORE UPDATE ON solution_trials FOR EACH ROW WHEN (old.status <> new.status AND new.status <> 'pending'::text) EXECUTE FUNCTION private.decide_trial();
CREATE TRIGGER solution_trials_20_notify AFTER UPDATE OF status, author_answer ON solution_trials FOR EACH ROW EXECUTE FUNCTION private.notify_of_trial();
CREATE TRIGGER solution_trials_30_use AFTER INSERT OR UPDATE OF status, approved_at ON solution_trials FOR EACH ROW EXECUTE FUNCTION private.follow_use_of_trial();
CREATE TRIGGER solution_trials_95_close_reports AFTER DELETE ON solution_trials FOR EACH ROW WHEN (pg_trigger_depth() > 0) EXECUTE FUNCTION private.close_reports('trial');
CREATE TRIGGER solution_trials_audit_answer AFTER UPDATE OF author_answer ON solution_trials FOR EACH ROW WHEN (old.author_answer IS NOT NULL AND new.author_answer IS NULL) EXECUTE FUNCTION private.audit_removed_answer();
CREATE TRIGGER solution_trials_count_waiting AFTER INSERT OR DELETE OR UPDATE ON solution_trials FOR EACH ROW EXECUTE FUNCTION private.keep_count('waiting trial', 'status = ''pending''');
CREATE TRIGGER solution_trials_end_claim AFTER DELETE OR UPDATE OF status ON solution_trials FOR EACH ROW EXECUTE FUNCTION private.end_claim('trial');
CREATE TRIGGER solution_trials_limit AFTER INSERT ON solution_trials FOR EACH ROW WHEN (private.is_client()) EXECUTE FUNCTION private.limit_contributions();
create policy "A second step comes before any delete" on solution_trials as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on solution_trials as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on solution_trials as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can delete their own trials, moderators any" on solution_trials as permissive for delete to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.may_moderate() AS may_moderate)));
create policy "Members can report trials of others' approved solutions" on solution_trials as permissive for insert to authenticated with check (((user_id = ( SELECT auth.uid() AS uid)) AND (status = 'pending'::text) AND (EXISTS ( SELECT
   FROM solutions s
  WHERE ((s.id = solution_trials.solution_id) AND (s.status = 'approved'::text) AND (s.user_id IS DISTINCT FROM ( SELECT auth.uid() AS uid)))))));
create policy "Members edit theirs, moderators decide, authors answer" on solution_trials as permissive for update to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.may_moderate() AS may_moderate) OR ((status = 'approved'::text) AND private.owns_solution(solution_id)))) with check (((user_id = ( SELECT auth.uid() AS uid)) OR (status = ANY (ARRAY['approved'::text, 'rejected'::text]))));
create policy "Readers see approved trials for them, writers theirs, moderator" on solution_trials as permissive for select to public using ((( SELECT private.is_moderator() AS is_moderator) OR ((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.has_required_aal() AS has_required_aal)) OR ((status = 'approved'::text) AND ((audience = 'public'::text) OR (audience = ANY (( SELECT private.readable_audiences() AS readable_audiences)::text[])) OR (( SELECT private.has_required_aal() AS has_required_aal) AND ( SELECT (s.user_id = ( SELECT auth.uid() AS uid))
   FROM solutions s
  WHERE (s.id = solution_trials.solution_id)))) AND ( SELECT true
   FROM solutions s
  WHERE (s.id = solution_trials.solution_id)))));
create policy "Suspended and banned members add nothing" on solution_trials as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on solution_trials as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant delete on solution_trials to authenticated;
grant delete, insert, select, update on solution_trials to service_role;
grant select (id, solution_id, version, user_id, result, changes, experience, amputation_level, age_group, prosthesis_type, status, rejection_reason, author_answer, answered_at, replaced, created_at, updated_at, approved_at, audience, language) on solution_trials to anon;
grant insert (solution_id, version, user_id, result, changes, experience, amputation_level, age_group, prosthesis_type, consent_basis, consent_version, submission_id, language) on solution_trials to authenticated;
grant select (id, solution_id, version, user_id, result, changes, experience, amputation_level, age_group, prosthesis_type, status, rejection_reason, author_answer, answered_at, replaced, created_at, updated_at, approved_at, audience, language) on solution_trials to authenticated;
grant update (result, changes, experience, amputation_level, age_group, prosthesis_type, status, rejection_reason, author_answer, consent_basis, consent_version, submission_id, checklist, language) on solution_trials to authenticated;

-- The texts of a solution at each approval, for readers to compare and cite; written by trigger. Images are not kept: what was removed is gone from earlier versions as well.
create table solution_versions (
  solution_id uuid not null,
  version integer not null,
  audience text default 'public'::text not null,
  content jsonb,
  change_note text,
  published_at timestamp with time zone default now() not null,
  removed_at timestamp with time zone,
  constraint solution_versions_pkey PRIMARY KEY (solution_id, version),
  constraint solution_versions_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint "A removed version says when" CHECK (((content IS NULL) = (removed_at IS NOT NULL))),
  constraint "What changed must be at most 500 characters" CHECK ((char_length(change_note) <= 500)),
  constraint solution_versions_audience_check CHECK ((audience = ANY (private.audiences()))),
  constraint solution_versions_version_check CHECK ((version > 0))
);
alter table solution_versions enable row level security;
CREATE TRIGGER solution_versions_audit AFTER UPDATE ON solution_versions FOR EACH ROW WHEN (old.removed_at IS NULL AND new.removed_at IS NOT NULL) EXECUTE FUNCTION private.audit_removed_version();
CREATE TRIGGER solution_versions_guard BEFORE UPDATE ON solution_versions FOR EACH ROW EXECUTE FUNCTION private.guard_version();
CREATE TRIGGER solution_versions_notify AFTER INSERT ON solution_versions FOR EACH ROW EXECUTE FUNCTION private.notify_of_adaptation();
CREATE TRIGGER solution_versions_remove_translations AFTER UPDATE ON solution_versions FOR EACH ROW WHEN (old.content IS NOT NULL AND new.content IS NULL) EXECUTE FUNCTION private.remove_translations();
create policy "A second step comes before any update" on solution_versions as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Authors and moderators can remove the text of a version" on solution_versions as permissive for update to authenticated using ((private.owns_solution(solution_id) OR ( SELECT private.may_moderate() AS may_moderate))) with check ((content IS NULL));
create policy "Readers of a solution see its versions" on solution_versions as permissive for select to public using (( SELECT true
   FROM solutions s
  WHERE ((s.id = solution_versions.solution_id) AND ((solution_versions.audience = ANY (( SELECT private.readable_audiences() AS readable_audiences)::text[])) OR ( SELECT private.is_moderator() AS is_moderator) OR ((s.user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.has_required_aal() AS has_required_aal))))));
create policy "Suspended and banned members change nothing" on solution_versions as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant select on solution_versions to anon;
grant select on solution_versions to authenticated;
grant delete, insert, select, update on solution_versions to service_role;
grant update (content) on solution_versions to authenticated;

-- Prosthetic solutions as members share them; seen by their audience once a moderator has approved them.
create table solutions (
  id uuid default gen_random_uuid() not null,
  user_id uuid default auth.uid(),
  title text not null,
  description text not null,
  status text default 'pending'::text not null,
  audience text default 'public'::text not null,
  rejection_reason text,
  likes_count integer default 0 not null,
  tried_count integer default 0 not null,
  occupation text not null,
  amputation_level text not null,
  age_group text not null,
  prosthesis_type text not null,
  cost_range text not null,
  materials text[] default '{}'::text[] not null,
  custom_tags text[] default '{}'::text[] not null,
  durability_testing text,
  patient_outcomes text,
  challenges_overcome text,
  thumbnail_url text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  approved_at timestamp with time zone,
  submitted_at timestamp with time zone default now() not null,
  revises uuid,
  version integer default 0 not null,
  change_note text,
  removes_details boolean default false not null,
  withheld_media integer default 0 not null,
  withheld_files integer default 0 not null,
  safety_kind text,
  number integer generated always as identity not null,
  author_names text default ''::text not null,
  extra_facets text[] default '{}'::text[] not null,
  facets text[] generated always as ((((ARRAY[amputation_level, occupation, prosthesis_type, cost_range] || materials) || string_to_array(age_group, ', '::text)) || extra_facets)) stored not null,
  submission_id uuid,
  submission_digest text,
  checklist jsonb,
  language text default 'en'::text not null,
  licence text,
  translated_texts text default ''::text not null,
  search_text text generated always as ((private.search_text(title, description, occupation, materials, custom_tags, amputation_level, prosthesis_type, age_group, author_names) || private.normalized(('
'::text || translated_texts)))) stored not null,
  constraint solutions_pkey PRIMARY KEY (id),
  constraint solutions_number_created_at_id_likes_count_tried_count_key UNIQUE (number) INCLUDE (created_at, id, likes_count, tried_count),
  constraint solutions_user_id_submission_id_key UNIQUE (user_id, submission_id),
  constraint solutions_revises_fkey FOREIGN KEY (revises) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint solutions_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint "A rejection needs a reason" CHECK (((status <> 'rejected'::text) OR (NOT private.is_blank(rejection_reason)))),
  constraint "A rejection reason must be at most 2000 characters" CHECK ((char_length(rejection_reason) <= 2000)),
  constraint "Challenges overcome must be at most 5000 characters" CHECK ((char_length(challenges_overcome) <= 5000)),
  constraint "Choose one of the listed licences" CHECK ((licence = ANY (ARRAY['CC BY 4.0'::text, 'CC BY-SA 4.0'::text, 'CC BY-NC 4.0'::text, 'CC0 1.0'::text, 'All rights reserved'::text]))),
  constraint "Description must be at least 50 characters" CHECK (((char_length(btrim(description)) >= 50) AND (NOT private.is_blank(description)))),
  constraint "Description must be at most 10000 characters" CHECK ((char_length(description) <= 10000)),
  constraint "Durability testing must be at most 5000 characters" CHECK ((char_length(durability_testing) <= 5000)),
  constraint "Materials must be chosen from the list" CHECK (((materials <@ private.materials()) AND (cardinality(materials) <= 8))),
  constraint "Only a decision has a checklist" CHECK ((checklist IS NULL)),
  constraint "Only a rejected solution has a reason" CHECK (((status = 'rejected'::text) OR (rejection_reason IS NULL))),
  constraint "Patient outcomes must be at most 5000 characters" CHECK ((char_length(patient_outcomes) <= 5000)),
  constraint "Please choose a language from the list" CHECK ((language = ANY (private.languages()))),
  constraint "Please choose who can see the solution" CHECK ((audience = ANY (private.audiences()))),
  constraint "Please select a function" CHECK ((occupation = ANY (private.occupations()))),
  constraint "Please select amputation level" CHECK ((amputation_level = ANY (private.amputation_levels()))),
  constraint "Please select at least one age group" CHECK ((age_group = ANY (ARRAY['Children'::text, 'Adults'::text, 'Children, Adults'::text, 'Adults, Children'::text]))),
  constraint "Please select cost range" CHECK ((cost_range = ANY (private.cost_ranges()))),
  constraint "Please select prosthesis type" CHECK ((prosthesis_type = ANY (private.prosthesis_types()))),
  constraint "Status must be pending, approved or rejected" CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text]))),
  constraint "Tags must be at most 20, each of 1 to 40 characters" CHECK (private.are_tags(custom_tags)),
  constraint "Title must be at least 10 characters" CHECK (((char_length(btrim(title)) >= 10) AND (NOT private.is_blank(title)))),
  constraint "Title must be at most 150 characters" CHECK ((char_length(title) <= 150)),
  constraint solutions_likes_count_check CHECK ((likes_count >= 0)),
  constraint solutions_tried_count_check CHECK ((tried_count >= 0)),
  constraint solutions_withheld_files_check CHECK ((withheld_files >= 0)),
  constraint solutions_withheld_media_check CHECK ((withheld_media >= 0))
);
alter table solutions enable row level security;
CREATE INDEX solutions_approved_at_idx ON public.solutions USING btree (approved_at DESC) WHERE (status = 'approved'::text);
CREATE INDEX solutions_audience_idx ON public.solutions USING btree (audience) WHERE (audience <> 'public'::text);
CREATE INDEX solutions_mark_idx ON public.solutions USING btree (md5((id)::text));
CREATE INDEX solutions_newest_idx ON public.solutions USING btree (created_at DESC, id DESC) INCLUDE (number);
CREATE INDEX solutions_popular_idx ON public.solutions USING btree (likes_count DESC, created_at DESC, id DESC) INCLUDE (number);
CREATE INDEX solutions_queue_idx ON public.solutions USING btree (status, submitted_at, id) INCLUDE (revises) WHERE (status <> 'approved'::text);
CREATE UNIQUE INDEX solutions_replica_identity_idx ON public.solutions USING btree (id, status, audience);
CREATE UNIQUE INDEX solutions_revises_key ON public.solutions USING btree (revises) WHERE (revises IS NOT NULL);
CREATE INDEX solutions_sent_back_idx ON public.solutions USING btree (user_id, updated_at) WHERE (status = 'rejected'::text);
CREATE INDEX solutions_tried_idx ON public.solutions USING btree (tried_count DESC, created_at DESC, id DESC) INCLUDE (number);
CREATE INDEX solutions_user_id_idx ON public.solutions USING btree (user_id, created_at DESC);
CREATE TRIGGER solutions_00_plain BEFORE INSERT OR UPDATE OF title, custom_tags ON solutions FOR EACH ROW WHEN (private.has_hidden_characters(concat_ws(' '::text, new.title, new.custom_tags::text))) EXECUTE FUNCTION private.plain_lines('title', 'custom_tags');
CREATE TRIGGER solutions_05_author BEFORE INSERT OR UPDATE OF user_id ON solutions FOR EACH ROW EXECUTE FUNCTION private.name_author();
CREATE TRIGGER solutions_05_index_update AFTER UPDATE ON solutions FOR EACH ROW WHEN ((old.status = 'approved'::text OR new.status = 'approved'::text) AND new.revises IS NULL AND (old.status IS DISTINCT FROM new.status OR old.search_text IS DISTINCT FROM new.search_text OR old.facets IS DISTINCT FROM new.facets OR old.audience IS DISTINCT FROM new.audience)) EXECUTE FUNCTION private.index_solution();
CREATE TRIGGER solutions_06_extra_facets BEFORE INSERT OR UPDATE OF user_id ON solutions FOR EACH ROW EXECUTE FUNCTION private.fill_extra_facets();
CREATE TRIGGER solutions_10_guard BEFORE INSERT OR UPDATE ON solutions FOR EACH ROW EXECUTE FUNCTION private.guard_solution();
CREATE TRIGGER solutions_10_sync_delete AFTER DELETE ON solutions FOR EACH ROW EXECUTE FUNCTION private.sync_solution();
CREATE TRIGGER solutions_10_sync_insert AFTER INSERT ON solutions FOR EACH ROW EXECUTE FUNCTION private.sync_solution();
CREATE TRIGGER solutions_10_sync_status AFTER UPDATE ON solutions FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION private.sync_solution();
CREATE TRIGGER solutions_15_narrow AFTER UPDATE OF audience ON solutions FOR EACH ROW WHEN (new.status = 'approved'::text AND new.revises IS NULL AND NOT private.covers_audience(new.audience, old.audience)) EXECUTE FUNCTION private.narrow_audience();
CREATE TRIGGER solutions_20_decide BEFORE UPDATE ON solutions FOR EACH ROW WHEN (old.status <> new.status AND new.status <> 'pending'::text) EXECUTE FUNCTION private.decide_solution();
CREATE TRIGGER solutions_20_notify AFTER UPDATE OF status ON solutions FOR EACH ROW WHEN (old.status = 'pending'::text AND (new.status = ANY (ARRAY['approved'::text, 'rejected'::text]))) EXECUTE FUNCTION private.notify_of_decision();
CREATE TRIGGER solutions_30_publish AFTER UPDATE OF status ON solutions FOR EACH ROW WHEN (old.status <> new.status AND new.status = 'approved'::text) EXECUTE FUNCTION private.publish_version();
CREATE TRIGGER solutions_30_publish_insert AFTER INSERT ON solutions FOR EACH ROW WHEN (new.status = 'approved'::text) EXECUTE FUNCTION private.publish_version();
CREATE TRIGGER solutions_40_publish_outcomes AFTER UPDATE ON solutions FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status OR old.prosthesis_type IS DISTINCT FROM new.prosthesis_type OR old.amputation_level IS DISTINCT FROM new.amputation_level OR old.approved_at IS DISTINCT FROM new.approved_at OR old.audience IS DISTINCT FROM new.audience) EXECUTE FUNCTION private.publish_outcomes();
CREATE TRIGGER solutions_45_use_questions AFTER UPDATE ON solutions FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status OR old.audience IS DISTINCT FROM new.audience) EXECUTE FUNCTION private.place_use_questions();
CREATE TRIGGER solutions_47_count_for_readers AFTER UPDATE ON solutions FOR EACH ROW WHEN (old.audience <> new.audience AND new.revises IS NULL) EXECUTE FUNCTION private.follow_readers();
CREATE TRIGGER solutions_50_language_facets AFTER UPDATE OF language ON solutions FOR EACH ROW WHEN (old.language <> new.language) EXECUTE FUNCTION private.refresh_own_facets();
CREATE TRIGGER solutions_55_audience_facets AFTER UPDATE OF audience ON solutions FOR EACH ROW WHEN (old.audience <> new.audience) EXECUTE FUNCTION private.refresh_own_facets();
CREATE TRIGGER solutions_count_decided AFTER UPDATE ON solutions FOR EACH ROW WHEN (old.status <> new.status) EXECUTE FUNCTION private.keep_count('waiting solution', 'status = ''pending''');
CREATE TRIGGER solutions_count_pending AFTER INSERT OR DELETE ON solutions FOR EACH ROW EXECUTE FUNCTION private.keep_count('pending', 'status = ''pending'' and revises is null');
CREATE TRIGGER solutions_count_pending_decided AFTER UPDATE ON solutions FOR EACH ROW WHEN (old.status <> new.status) EXECUTE FUNCTION private.keep_count('pending', 'status = ''pending'' and revises is null');
CREATE TRIGGER solutions_count_rejected AFTER INSERT OR DELETE ON solutions FOR EACH ROW EXECUTE FUNCTION private.keep_count('rejected', 'status = ''rejected'' and revises is null');
CREATE TRIGGER solutions_count_rejections AFTER UPDATE ON solutions FOR EACH ROW WHEN (old.status <> new.status) EXECUTE FUNCTION private.keep_count('rejected', 'status = ''rejected'' and revises is null');
CREATE TRIGGER solutions_count_waiting AFTER INSERT OR DELETE ON solutions FOR EACH ROW EXECUTE FUNCTION private.keep_count('waiting solution', 'status = ''pending''');
CREATE TRIGGER solutions_end_claim AFTER DELETE OR UPDATE OF status ON solutions FOR EACH ROW EXECUTE FUNCTION private.end_claim('solution');
CREATE TRIGGER solutions_index_delete AFTER DELETE ON solutions FOR EACH ROW WHEN (old.status = 'approved'::text AND old.revises IS NULL) EXECUTE FUNCTION private.index_solution();
CREATE TRIGGER solutions_index_insert AFTER INSERT ON solutions FOR EACH ROW WHEN (new.status = 'approved'::text) EXECUTE FUNCTION private.index_solution();
CREATE TRIGGER solutions_limit AFTER INSERT ON solutions FOR EACH ROW WHEN (private.is_client()) EXECUTE FUNCTION private.limit_contributions();
CREATE TRIGGER solutions_touch BEFORE UPDATE ON solutions FOR EACH ROW WHEN (old.likes_count = new.likes_count AND old.author_names = new.author_names AND old.translated_texts = new.translated_texts AND old.extra_facets = new.extra_facets AND old.tried_count = new.tried_count AND NOT old.submission_digest IS DISTINCT FROM new.submission_digest) EXECUTE FUNCTION private.touch();
CREATE TRIGGER solutions_withdraw BEFORE DELETE ON solutions FOR EACH ROW WHEN (old.version > 0 AND old.revises IS NULL) EXECUTE FUNCTION private.record_withdrawal();
create policy "A second step comes before any delete" on solutions as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on solutions as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any update" on solutions as restrictive for update to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Authors can delete their own solutions, moderators any" on solutions as permissive for delete to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.may_moderate() AS may_moderate)));
create policy "Authors can edit theirs, moderators decide on what is pending" on solutions as permissive for update to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ((status = 'pending'::text) AND ( SELECT private.may_moderate() AS may_moderate)))) with check (((user_id = ( SELECT auth.uid() AS uid)) OR (status = ANY (ARRAY['approved'::text, 'rejected'::text]))));
create policy "Authors can read their own solutions" on solutions as permissive for select to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.has_required_aal() AS has_required_aal)));
create policy "Everybody can read approved solutions of their audiences" on solutions as permissive for select to public using (((status = 'approved'::text) AND ((audience = 'public'::text) OR (audience = ANY (( SELECT private.readable_audiences() AS readable_audiences)::text[])))));
create policy "Members can submit solutions of their own for review" on solutions as permissive for insert to authenticated with check (((user_id = ( SELECT auth.uid() AS uid)) AND (status = 'pending'::text)));
create policy "Moderators can read all solutions" on solutions as permissive for select to authenticated using (( SELECT private.is_moderator() AS is_moderator));
create policy "Suspended and banned members add nothing" on solutions as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
create policy "Suspended and banned members change nothing" on solutions as restrictive for update to authenticated using (( SELECT private.may_take_part() AS may_take_part));
grant delete on solutions to authenticated;
grant delete, insert, select, update on solutions to service_role;
grant select (id, user_id, title, description, status, audience, rejection_reason, likes_count, tried_count, occupation, amputation_level, age_group, prosthesis_type, cost_range, materials, custom_tags, durability_testing, patient_outcomes, challenges_overcome, thumbnail_url, created_at, updated_at, approved_at, submitted_at, revises, version, change_note, removes_details, withheld_media, withheld_files, safety_kind, facets, language, licence) on solutions to anon;
grant insert (user_id, title, description, status, audience, occupation, amputation_level, age_group, prosthesis_type, cost_range, materials, custom_tags, durability_testing, patient_outcomes, challenges_overcome, submission_id, submission_digest, language, licence) on solutions to authenticated;
grant select (id, user_id, title, description, status, audience, rejection_reason, likes_count, tried_count, occupation, amputation_level, age_group, prosthesis_type, cost_range, materials, custom_tags, durability_testing, patient_outcomes, challenges_overcome, thumbnail_url, created_at, updated_at, approved_at, submitted_at, revises, version, change_note, removes_details, withheld_media, withheld_files, safety_kind, facets, language, licence) on solutions to authenticated;
grant update (title, description, status, audience, rejection_reason, occupation, amputation_level, age_group, prosthesis_type, cost_range, materials, custom_tags, durability_testing, patient_outcomes, challenges_overcome, thumbnail_url, change_note, removes_details, checklist, language, licence) on solutions to authenticated;

-- Notes by moderators on members and on items of the review queue, for moderators alone. They go with what they are about; members get those about them with their data.
create table staff_notes (
  id uuid default gen_random_uuid() not null,
  about_id uuid,
  solution_id uuid,
  trial_id uuid,
  resource_suggestion_id uuid,
  content_report_id uuid,
  removal_request_id uuid,
  registration_id uuid,
  held_post_id uuid,
  content text not null,
  created_by uuid default auth.uid(),
  created_at timestamp with time zone default now() not null,
  translation_id uuid,
  constraint staff_notes_pkey PRIMARY KEY (id),
  constraint staff_notes_about_id_fkey FOREIGN KEY (about_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint staff_notes_content_report_id_fkey FOREIGN KEY (content_report_id) REFERENCES content_reports(id) ON DELETE CASCADE,
  constraint staff_notes_created_by_fkey FOREIGN KEY (created_by) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint staff_notes_held_post_id_fkey FOREIGN KEY (held_post_id) REFERENCES held_posts(id) ON DELETE CASCADE,
  constraint staff_notes_registration_id_fkey FOREIGN KEY (registration_id) REFERENCES member_registrations(id) ON DELETE CASCADE,
  constraint staff_notes_removal_request_id_fkey FOREIGN KEY (removal_request_id) REFERENCES removal_requests(id) ON DELETE CASCADE,
  constraint staff_notes_resource_suggestion_id_fkey FOREIGN KEY (resource_suggestion_id) REFERENCES resource_suggestions(id) ON DELETE CASCADE,
  constraint staff_notes_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint staff_notes_translation_id_fkey FOREIGN KEY (translation_id) REFERENCES solution_translations(id) ON DELETE CASCADE,
  constraint staff_notes_trial_id_fkey FOREIGN KEY (trial_id) REFERENCES solution_trials(id) ON DELETE CASCADE,
  constraint "A note cannot be empty" CHECK ((NOT private.is_blank(content))),
  constraint "A note is about one member or one item" CHECK (((num_nonnulls(solution_id, trial_id, translation_id, resource_suggestion_id, content_report_id, removal_request_id, registration_id, held_post_id) >= ((about_id IS NULL))::integer) AND (num_nonnulls(solution_id, trial_id, translation_id, resource_suggestion_id, content_report_id, removal_request_id, registration_id, held_post_id) <= 1))),
  constraint "A note must be at most 2000 characters" CHECK ((char_length(content) <= 2000))
);
alter table staff_notes enable row level security;
CREATE INDEX staff_notes_about_id_idx ON public.staff_notes USING btree (about_id) WHERE (about_id IS NOT NULL);
CREATE INDEX staff_notes_content_report_id_idx ON public.staff_notes USING btree (content_report_id) WHERE (content_report_id IS NOT NULL);
CREATE INDEX staff_notes_created_by_idx ON public.staff_notes USING btree (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX staff_notes_held_post_id_idx ON public.staff_notes USING btree (held_post_id) WHERE (held_post_id IS NOT NULL);
CREATE INDEX staff_notes_registration_id_idx ON public.staff_notes USING btree (registration_id) WHERE (registration_id IS NOT NULL);
CREATE INDEX staff_notes_removal_request_id_idx ON public.staff_notes USING btree (removal_request_id) WHERE (removal_request_id IS NOT NULL);
CREATE INDEX staff_notes_resource_suggestion_id_idx ON public.staff_notes USING btree (resource_suggestion_id) WHERE (resource_suggestion_id IS NOT NULL);
CREATE INDEX staff_notes_solution_id_idx ON public.staff_notes USING btree (solution_id) WHERE (solution_id IS NOT NULL);
CREATE INDEX staff_notes_translation_id_idx ON public.staff_notes USING btree (translation_id) WHERE (translation_id IS NOT NULL);
CREATE INDEX staff_notes_trial_id_idx ON public.staff_notes USING btree (trial_id) WHERE (trial_id IS NOT NULL);
CREATE TRIGGER staff_notes_audit AFTER INSERT OR DELETE ON staff_notes FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION private.audit_staff_note();
CREATE TRIGGER staff_notes_guard BEFORE INSERT ON staff_notes FOR EACH ROW EXECUTE FUNCTION private.guard_staff_note();
create policy "A second step comes before any delete" on staff_notes as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on staff_notes as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Moderators can read notes" on staff_notes as permissive for select to authenticated using (( SELECT private.is_moderator() AS is_moderator));
create policy "Moderators can remove their own notes, admins all" on staff_notes as permissive for delete to authenticated using ((((created_by = ( SELECT auth.uid() AS uid)) AND ( SELECT private.may_moderate() AS may_moderate)) OR ( SELECT private.may_administer() AS may_administer)));
create policy "Moderators can write notes" on staff_notes as permissive for insert to authenticated with check (((created_by = ( SELECT auth.uid() AS uid)) AND ( SELECT private.may_moderate() AS may_moderate)));
create policy "Suspended and banned members add nothing" on staff_notes as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
grant delete, select on staff_notes to authenticated;
grant delete, insert, select, update on staff_notes to service_role;
grant insert (about_id, solution_id, trial_id, resource_suggestion_id, content_report_id, removal_request_id, registration_id, held_post_id, content, created_by, translation_id) on staff_notes to authenticated;

-- Whether what was fitted is still in use, asked 3, 6 and 12 months after a trial or a measured solution became public. A row is written when its time comes, once, and says how it was answered.
create table use_questions (
  id uuid default gen_random_uuid() not null,
  solution_id uuid not null,
  trial_id uuid,
  user_id uuid,
  months smallint not null,
  asked_at timestamp with time zone,
  reminded_at timestamp with time zone,
  stopped_at timestamp with time zone,
  answer text,
  reason text,
  answered_at timestamp with time zone,
  audience text,
  created_at timestamp with time zone default now() not null,
  constraint use_questions_pkey PRIMARY KEY (id),
  constraint use_questions_solution_id_trial_id_months_key UNIQUE NULLS NOT DISTINCT (solution_id, trial_id, months),
  constraint use_questions_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint use_questions_trial_id_fkey FOREIGN KEY (trial_id) REFERENCES solution_trials(id) ON DELETE CASCADE,
  constraint use_questions_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint "A question comes after 3, 6 or 12 months" CHECK ((months = ANY (ARRAY[3, 6, 12]))),
  constraint "An answer says when it was given" CHECK (((answer IS NULL) = (answered_at IS NULL))),
  constraint "Please choose a reason from the list" CHECK ((reason = ANY (ARRAY['broke'::text, 'fit'::text, 'burden'::text, 'needs'::text, 'replaced'::text, 'other'::text]))),
  constraint "Please choose one of the four answers" CHECK ((answer = ANY (ARRAY['every_day'::text, 'sometimes'::text, 'no_longer'::text, 'dont_know'::text]))),
  constraint "Please say why it is no longer used" CHECK (((NOT (answer IS DISTINCT FROM 'no_longer'::text)) = (reason IS NOT NULL)))
);
alter table use_questions enable row level security;
CREATE INDEX use_questions_trial_id_idx ON public.use_questions USING btree (trial_id) WHERE (trial_id IS NOT NULL);
CREATE INDEX use_questions_unanswered_idx ON public.use_questions USING btree (asked_at) WHERE ((answer IS NULL) AND (reminded_at IS NULL) AND (stopped_at IS NULL));
CREATE INDEX use_questions_user_id_idx ON public.use_questions USING btree (user_id, created_at);
CREATE TRIGGER use_questions_10_count AFTER INSERT OR DELETE OR UPDATE OF audience, answer, reason ON use_questions FOR EACH ROW EXECUTE FUNCTION private.count_use_question();
CREATE TRIGGER use_questions_10_place BEFORE INSERT ON use_questions FOR EACH ROW EXECUTE FUNCTION private.place_use_question();
CREATE TRIGGER use_questions_20_facets AFTER INSERT OR DELETE OR UPDATE OF audience ON use_questions FOR EACH ROW EXECUTE FUNCTION private.refresh_solution_facets();
create policy "A second step comes before reading" on use_questions as restrictive for select to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Members can read the questions about their own cases" on use_questions as permissive for select to authenticated using ((user_id = ( SELECT auth.uid() AS uid)));
grant select on use_questions to authenticated;
grant delete, insert, select, update on use_questions to service_role;

-- Badges members have earned. A badge once earned stays, even when points are taken back.
create table user_badges (
  user_id uuid not null,
  badge_id uuid not null,
  earned_at timestamp with time zone default now() not null,
  constraint user_badges_pkey PRIMARY KEY (user_id, badge_id),
  constraint user_badges_badge_id_fkey FOREIGN KEY (badge_id) REFERENCES badges(id) ON DELETE CASCADE,
  constraint user_badges_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
alter table user_badges enable row level security;
CREATE INDEX user_badges_badge_id_idx ON public.user_badges USING btree (badge_id);
CREATE INDEX user_badges_earned_at_idx ON public.user_badges USING btree (user_id, earned_at DESC);
CREATE TRIGGER user_badges_notify AFTER INSERT ON user_badges FOR EACH ROW EXECUTE FUNCTION private.notify_of_badge();
create policy "Everybody can read who earned which badge, where shown" on user_badges as permissive for select to public using (( SELECT private.shows_points() AS shows_points));
grant select on user_badges to anon;
grant select on user_badges to authenticated;
grant select on user_badges to service_role;

-- Sum of a member's point_events, kept by trigger.
create table user_points (
  user_id uuid not null,
  total_points integer default 0 not null,
  constraint user_points_pkey PRIMARY KEY (user_id),
  constraint user_points_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint user_points_total_points_check CHECK ((total_points >= 0))
);
alter table user_points enable row level security;
create policy "Everybody can read points, where shown" on user_points as permissive for select to public using (( SELECT private.shows_points() AS shows_points));
grant select on user_points to anon;
grant select on user_points to authenticated;
grant select on user_points to service_role;

-- The members who may moderate or administer. A member without a row is a plain user.
create table user_roles (
  user_id uuid not null,
  role text not null,
  created_at timestamp with time zone default now() not null,
  constraint user_roles_pkey PRIMARY KEY (user_id, role),
  constraint user_roles_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint "Role must be user, moderator or admin" CHECK ((role = ANY (ARRAY['user'::text, 'moderator'::text, 'admin'::text])))
);
alter table user_roles enable row level security;
CREATE TRIGGER user_roles_audit AFTER INSERT OR DELETE ON user_roles FOR EACH ROW EXECUTE FUNCTION private.audit_role_change();
CREATE TRIGGER user_roles_end_claims AFTER DELETE ON user_roles FOR EACH ROW EXECUTE FUNCTION private.end_claims();
create policy "A second step comes before any delete" on user_roles as restrictive for delete to authenticated using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "A second step comes before any insert" on user_roles as restrictive for insert to authenticated with check (( SELECT private.has_required_aal() AS has_required_aal));
create policy "Admins can make whoever is no admin a moderator" on user_roles as permissive for insert to authenticated with check (((role = 'moderator'::text) AND ( SELECT private.may_administer() AS may_administer) AND (NOT private.is_admin_account(user_id)) AND private.has_completed_profile(user_id)));
create policy "Members can read their own roles and admins all" on user_roles as permissive for select to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_admin() AS is_admin)));
create policy "Moderators can give up their role, admins take it from others" on user_roles as permissive for delete to authenticated using (((role = 'moderator'::text) AND ((user_id = ( SELECT auth.uid() AS uid)) OR (( SELECT private.may_administer() AS may_administer) AND (NOT private.is_admin_account(user_id))))));
create policy "Suspended and banned members add nothing" on user_roles as restrictive for insert to authenticated with check (( SELECT private.may_take_part() AS may_take_part));
grant select on user_roles to anon;
grant delete, select on user_roles to authenticated;
grant delete, insert, select, update on user_roles to service_role;
grant insert (user_id, role) on user_roles to authenticated;

-- Solutions that were public once and were deleted, so that links and citations find out why; written by trigger, without any of their text or pictures.
create table withdrawn_solutions (
  id uuid not null,
  title text,
  reason text,
  withdrawn_at timestamp with time zone default now() not null,
  audience text default 'public'::text not null,
  constraint withdrawn_solutions_pkey PRIMARY KEY (id),
  constraint "What was withdrawn had one of the audiences of solutions" CHECK ((audience = ANY (private.audiences()))),
  constraint withdrawn_solutions_check CHECK (((title IS NULL) OR COALESCE((reason = ANY (ARRAY['replaced'::text, 'error'::text, 'safety'::text, 'rules'::text, 'copyright'::text])), false))),
  constraint withdrawn_solutions_reason_check CHECK ((reason = ANY (ARRAY['replaced'::text, 'error'::text, 'author'::text, 'safety'::text, 'rules'::text, 'copyright'::text, 'moderator'::text])))
);
alter table withdrawn_solutions enable row level security;
create policy "Its readers can read that a solution was withdrawn" on withdrawn_solutions as permissive for select to public using (((audience = 'public'::text) OR (audience = ANY (( SELECT private.readable_audiences() AS readable_audiences)::text[]))));
grant select on withdrawn_solutions to anon;
grant select on withdrawn_solutions to authenticated;
grant delete, insert, select, update on withdrawn_solutions to service_role;

-- All acts that the audit log can hold. A new one says here whether it takes something away that no restored backup may bring back.
create table private.audited_acts (
  action text not null,
  removes text,
  constraint audited_acts_pkey PRIMARY KEY (action)
);
alter table private.audited_acts enable row level security;

create table private.conversations (
  member_id uuid not null,
  pair text not null,
  message_id uuid not null,
  latest_at timestamp with time zone not null,
  constraint conversations_pkey PRIMARY KEY (member_id, pair),
  constraint conversations_member_id_fkey FOREIGN KEY (member_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint conversations_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE
);
alter table private.conversations enable row level security;
CREATE INDEX conversations_latest_idx ON private.conversations USING btree (member_id, latest_at DESC, message_id DESC);
CREATE INDEX conversations_message_id_idx ON private.conversations USING btree (message_id);

create table private.facet_counts (
  value text not null,
  other text not null,
  audience text not null,
  solutions integer not null,
  constraint facet_counts_pkey PRIMARY KEY (value, other, audience)
);
alter table private.facet_counts enable row level security;

create table private.facet_sets (
  value text not null,
  chunk integer not null,
  bits bit(32000) not null,
  constraint facet_sets_pkey PRIMARY KEY (value, chunk)
);
alter table private.facet_sets enable row level security;

-- Addresses that admins have invited, for 30 days: they sign up where it takes an invitation, and whatever their domain.
create table private.invitations (
  email text not null,
  invited_at timestamp with time zone default now() not null,
  constraint invitations_pkey PRIMARY KEY (email)
);
alter table private.invitations enable row level security;

create table private.kept_counts (
  name text not null,
  rows bigint not null,
  constraint kept_counts_pkey PRIMARY KEY (name)
);
alter table private.kept_counts enable row level security;

-- Mail that is still to be sent to members, and to patients who requested the removal of an image. Written in the transaction of its event; the function process-mail-jobs sends it.
create table private.mail_jobs (
  id bigint generated always as identity not null,
  user_id uuid,
  address text,
  notice jsonb not null,
  notification_id uuid,
  digest boolean not null,
  due_at timestamp with time zone not null,
  attempts integer default 0 not null,
  last_error text,
  created_at timestamp with time zone default now() not null,
  constraint mail_jobs_pkey PRIMARY KEY (id),
  constraint mail_jobs_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES notifications(id) ON DELETE CASCADE,
  constraint mail_jobs_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint mail_jobs_check CHECK (((user_id IS NOT NULL) OR (((notice ? 'removal_request_id'::text) OR (address IS NOT NULL)) AND (NOT digest))))
);
alter table private.mail_jobs enable row level security;
CREATE INDEX mail_jobs_due_at_idx ON private.mail_jobs USING btree (due_at, id);
CREATE INDEX mail_jobs_notification_id_idx ON private.mail_jobs USING btree (notification_id);
CREATE INDEX mail_jobs_user_id_idx ON private.mail_jobs USING btree (user_id);
CREATE TRIGGER mail_jobs_unname BEFORE INSERT ON private.mail_jobs FOR EACH ROW EXECUTE FUNCTION private.unname_mail();

-- Signs the links by which members stop mails without signing in.
create table private.mail_key (
  only_row boolean default true not null,
  key bytea default extensions.gen_random_bytes(32) not null,
  constraint mail_key_pkey PRIMARY KEY (only_row),
  constraint mail_key_only_row_check CHECK (only_row)
);
alter table private.mail_key enable row level security;

-- What a notification can be about, and how it reaches its reader. Its words are with the noun that it is about, in app/.
create table private.notice_types (
  type text not null,
  at_once boolean default false not null,
  by_moderator boolean default false not null,
  warns boolean default false not null,
  constraint notice_types_pkey PRIMARY KEY (type)
);
alter table private.notice_types enable row level security;

-- The number of each client's acts in the current minute, for throttling only; older rows are removed in passing.
create table private.rate_limit_counters (
  action text not null,
  client text not null,
  minute timestamp with time zone not null,
  count integer default 1 not null,
  constraint rate_limit_counters_pkey PRIMARY KEY (client, action, minute)
);
alter table private.rate_limit_counters enable row level security;
CREATE INDEX rate_limit_counters_minute_idx ON private.rate_limit_counters USING btree (minute);

create view private.readable_words as
 SELECT word,
    (sum(solutions))::integer AS solutions
   FROM private.search_words w
  WHERE (audience = ANY (( SELECT private.readable_audiences() AS readable_audiences)::text[]))
  GROUP BY word;

-- When members recently stated or corrected a registration, to limit how often; deleted after a day.
create table private.registration_submissions (
  user_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint registration_submissions_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
alter table private.registration_submissions enable row level security;
CREATE INDEX registration_submissions_user_id_idx ON private.registration_submissions USING btree (user_id, created_at);

-- The recent senders of requests, to limit floods; deleted after a day.
create table private.removal_request_senders (
  sender text not null,
  sent_at timestamp with time zone default now() not null
);
alter table private.removal_request_senders enable row level security;
CREATE INDEX removal_request_senders_sender_idx ON private.removal_request_senders USING btree (sender, sent_at);

create table private.reply_counts (
  thread_id uuid not null,
  replies integer not null,
  constraint reply_counts_pkey PRIMARY KEY (thread_id),
  constraint reply_counts_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES comments(id) ON DELETE CASCADE
);
alter table private.reply_counts enable row level security;

create table private.report_counts (
  measure text not null,
  prosthesis_type text not null,
  amputation_level text not null,
  audience text not null,
  cases integer not null,
  people bigint not null,
  outcomes integer not null,
  constraint report_counts_pkey PRIMARY KEY (measure, prosthesis_type, amputation_level, audience)
);
alter table private.report_counts enable row level security;

create table private.reported_cases (
  solution_id uuid not null,
  case_id uuid not null,
  measure text not null,
  prosthesis_type text not null,
  amputation_level text not null,
  audience text not null,
  people integer not null,
  outcomes integer not null,
  constraint reported_cases_pkey PRIMARY KEY (solution_id, case_id, measure, amputation_level)
);
alter table private.reported_cases enable row level security;

-- The records of deleted accounts that the law requires: declarations, consents and decisions. Out of reach of the site and its API; deleted after 7 years.
create table private.retained_records (
  id bigint generated always as identity not null,
  user_id uuid not null,
  email text,
  record jsonb not null,
  deleted_at timestamp with time zone default now() not null,
  keep_until timestamp with time zone default (now() + '7 years'::interval) not null,
  constraint retained_records_pkey PRIMARY KEY (id)
);
alter table private.retained_records enable row level security;
CREATE INDEX retained_records_keep_until_idx ON private.retained_records USING btree (keep_until);

create table private.search_words (
  word text not null,
  audience text not null,
  solutions integer not null,
  constraint search_words_pkey PRIMARY KEY (word, audience)
);
alter table private.search_words enable row level security;
CREATE INDEX search_words_trigram_idx ON private.search_words USING gin (word extensions.gin_trgm_ops);

-- The minutes of each day (UTC) in which the site found itself able to serve. A minute without a record was one in which it was not.
create table private.uptime (
  day date not null,
  minutes tstzmultirange not null,
  constraint uptime_pkey PRIMARY KEY (day)
);
alter table private.uptime enable row level security;

create table private.use_counts (
  months smallint not null,
  audience text not null,
  answer text not null,
  reason text not null,
  questions integer not null,
  constraint use_counts_pkey PRIMARY KEY (months, audience, answer, reason)
);
alter table private.use_counts enable row level security;

create table private.use_subjects (
  id bigint generated always as identity not null,
  solution_id uuid not null,
  trial_id uuid,
  started_at timestamp with time zone not null,
  due_at timestamp with time zone,
  constraint use_subjects_pkey PRIMARY KEY (id),
  constraint use_subjects_solution_id_trial_id_key UNIQUE NULLS NOT DISTINCT (solution_id, trial_id),
  constraint use_subjects_solution_id_fkey FOREIGN KEY (solution_id) REFERENCES solutions(id) ON DELETE CASCADE,
  constraint use_subjects_trial_id_fkey FOREIGN KEY (trial_id) REFERENCES solution_trials(id) ON DELETE CASCADE
);
alter table private.use_subjects enable row level security;
CREATE INDEX use_subjects_due_at_idx ON private.use_subjects USING btree (due_at, id) WHERE (due_at IS NOT NULL);
CREATE INDEX use_subjects_trial_id_idx ON private.use_subjects USING btree (trial_id) WHERE (trial_id IS NOT NULL);

create table private.word_sets (
  key text not null,
  chunk integer not null,
  bits bit(32000) not null,
  size integer not null,
  constraint word_sets_pkey PRIMARY KEY (key, chunk)
);
alter table private.word_sets enable row level security;

function public.answer_use_question(question uuid, answer text, reason text DEFAULT NULL::text, token text DEFAULT NULL::text) returns void security definer;
-- callable by anon, authenticated, service_role

function public.browse_forum(category text DEFAULT NULL::text, search text DEFAULT ''::text, cursor text DEFAULT NULL::text, page_size integer DEFAULT 20) returns jsonb;
-- callable by anon, authenticated, service_role

function public.browse_solutions(search text DEFAULT ''::text, filters text[] DEFAULT '{}'::text[], match text DEFAULT 'all'::text, sort text DEFAULT 'newest'::text, cursor text DEFAULT NULL::text, page_size integer DEFAULT 24) returns jsonb security definer;
-- callable by anon, authenticated, service_role

function public.cancel_email_change() returns boolean security definer;
-- callable by authenticated, service_role

function public.claim_mail() returns jsonb security definer;
-- callable by service_role

function public.claim_media_job() returns SETOF media_jobs;
-- callable by service_role

function public.claim_review(kind text, item uuid) returns jsonb;
-- callable by authenticated, service_role

function public.collection_page(collection uuid) returns jsonb;
-- callable by anon, authenticated, service_role

function public.comment_replies(thread uuid, cursor text DEFAULT NULL::text, page_size integer DEFAULT 40) returns jsonb;
-- callable by anon, authenticated, service_role

function public.comment_thread(comment uuid) returns jsonb;
-- callable by anon, authenticated, service_role

function public.comment_threads(solution uuid, cursor text DEFAULT NULL::text, page_size integer DEFAULT 20, sort text DEFAULT 'newest'::text) returns jsonb;
-- callable by anon, authenticated, service_role

function public.conversations(cursor text DEFAULT NULL::text, page_size integer DEFAULT 30) returns jsonb;
-- callable by authenticated, service_role

function public.count_download(file uuid) returns void security definer;
-- callable by anon, authenticated, service_role

function public.count_solutions_with(maker text, part_number text) returns integer security definer;
-- callable by authenticated, service_role

function public.cpd_outline(since date DEFAULT '-infinity'::date, until date DEFAULT 'infinity'::date) returns jsonb;
-- callable by authenticated, service_role

function public.cpd_suggestions() returns jsonb;
-- callable by authenticated, service_role

function public.cpd_years() returns jsonb;
-- callable by authenticated, service_role

function public.decide_held_post(post uuid, publish boolean, version integer) returns void security definer;
-- callable by authenticated, service_role

function public.decide_images(post uuid, keep boolean, hidden_at timestamp with time zone DEFAULT NULL::timestamp with time zone) returns void security definer;
-- callable by authenticated, service_role

function public.delete_account(shared text) returns void security definer;
-- callable by authenticated, service_role

function public.evidence(measure text DEFAULT ''::text, level text DEFAULT ''::text, type text DEFAULT ''::text, max_points integer DEFAULT 200) returns json security definer;
-- callable by anon, authenticated, service_role

function public.expire_incoming_uploads() returns void;
-- callable by service_role

function public.expire_retained_records() returns void security definer;
-- callable by service_role

function public.expire_uploads() returns void;
-- callable by service_role

function public.export_account() returns jsonb security definer;
-- callable by authenticated, service_role

function public.family_tree(solution uuid) returns TABLE(kind text, parent_id uuid, solution_id uuid, title text, safety_kind text);
-- callable by anon, authenticated, service_role

function public.featured_solutions(max_results integer DEFAULT 6) returns jsonb security definer;
-- callable by anon, authenticated, service_role

function public.field_pack_state(at timestamp with time zone) returns text;
-- callable by service_role

function public.files_of_solution(solution uuid) returns TABLE(url text, is_public boolean);
-- callable by service_role

function public.following_news(since timestamp with time zone, until timestamp with time zone DEFAULT 'infinity'::timestamp with time zone) returns jsonb;
-- callable by authenticated, service_role

function public.forum_replies(topic uuid, cursor text DEFAULT NULL::text, post uuid DEFAULT NULL::uuid, page_size integer DEFAULT 30) returns jsonb;
-- callable by anon, authenticated, service_role

function public.forum_topic(topic uuid) returns jsonb;
-- callable by anon, authenticated, service_role

function public.hide_reported_media(report uuid) returns void security definer;
-- callable by authenticated, service_role

function public.identifiers_found(solution uuid) returns text[];
-- callable by authenticated, service_role

function public.images_of_post(post uuid) returns jsonb security definer;
-- callable by anon, authenticated, service_role

function public.increment_topic_views(topic uuid) returns void security definer;
-- callable by anon, authenticated, service_role

function public.invite_member(email text) returns void security definer;
-- callable by authenticated, service_role

function public.mail_due(OUT due integer, OUT given_up integer) returns record security definer;
-- callable by service_role

function public.mail_failed(ids bigint[], reason text, refused_address text DEFAULT NULL::text) returns boolean security definer;
-- callable by service_role

function public.mail_sent(ids bigint[]) returns void security definer;
-- callable by service_role

function public.mark_answer(topic uuid, post uuid DEFAULT NULL::uuid) returns void security definer;
-- callable by authenticated, service_role

function public.marked_solutions(marks text[]) returns TABLE(mark text, id uuid, title text);
-- callable by anon, authenticated, service_role

function public.media_job_failed(job bigint, attempt integer, reason text) returns boolean;
-- callable by service_role

function public.media_jobs_given_up() returns integer security definer;
-- callable by authenticated, service_role

function public.member_account(member uuid) returns jsonb security definer;
-- callable by authenticated, service_role

function public.member_home() returns jsonb;
-- callable by authenticated, service_role

function public.member_id(username text) returns uuid;
-- callable by anon, authenticated, service_role

function public.move_files(job bigint, attempt integer, solution uuid, places jsonb) returns void;
-- callable by service_role

function public.name_refusals(username text, full_name text, OUT username_refusal text, OUT full_name_refusal text) returns record;
-- callable by authenticated, service_role

function public.own_collections() returns jsonb;
-- callable by authenticated, service_role

function public.own_sessions() returns TABLE(id uuid, user_agent text, created_at timestamp with time zone, refreshed_at timestamp with time zone, is_current boolean) security definer;
-- callable by authenticated, service_role

function public.part_notices_of(solution uuid) returns TABLE(id uuid, maker text, part_number text, kind text, content text, language text, created_at timestamp with time zone);
-- callable by anon, authenticated, service_role

function public.participation_refusal(member uuid) returns TABLE(code text, message text) security definer;
-- callable by service_role

function public.pending_invitations(after text DEFAULT ''::text) returns TABLE(email text, lapses_at timestamp with time zone) security definer;
-- callable by authenticated, service_role

function public.queue_metrics() returns jsonb security definer;
-- callable by service_role

function public.read_reported_message(report uuid) returns jsonb security definer;
-- callable by authenticated, service_role

function public.record_uptime() returns void security definer;
-- callable by service_role

function public.registration_warnings(registration uuid) returns text[] security definer;
-- callable by authenticated, service_role

function public.related_solutions(solution uuid, max_results integer DEFAULT 3) returns SETOF solutions security definer;
-- callable by anon, authenticated, service_role

function public.removal_request_state(tracking uuid) returns jsonb security definer;
-- callable by anon, authenticated, service_role

function public.remove_second_step(member uuid) returns void security definer;
-- callable by authenticated, service_role

function public.renew_media_job(job bigint, attempt integer) returns void;
-- callable by service_role

function public.reported_title(report content_reports) returns text;
-- callable by authenticated, service_role

function public.request_removal(tracking uuid, solution uuid, asker text, pictures uuid[] DEFAULT NULL::uuid[], reason text DEFAULT NULL::text, email text DEFAULT NULL::text) returns void security definer;
-- callable by anon, authenticated, service_role

function public.required_audience(solution uuid) returns text security definer;
-- callable by anon, authenticated, service_role

function public.resubmit_solution(id uuid, solution jsonb, media jsonb, consent text, consent_version text, thumbnail_url text DEFAULT NULL::text) returns uuid;
-- callable by authenticated, service_role

function public.retry_media_jobs() returns void security definer;
-- callable by authenticated, service_role

function public.review_history(solution uuid) returns TABLE(id bigint, decision text, reason text, checklist jsonb, replaced jsonb, created_at timestamp with time zone, reviewer text) security definer;
-- callable by authenticated, service_role

function public.review_outcome(item uuid) returns jsonb security definer;
-- callable by authenticated, service_role

function public.review_summary() returns jsonb;
-- callable by authenticated, service_role

function public.search_members(search text, max_results integer DEFAULT 8) returns jsonb;
-- callable by authenticated, service_role

function public.set_account_disabled(member uuid, disabled boolean) returns void security definer;
-- callable by authenticated, service_role

function public.show_orcid(shown boolean) returns text security definer;
-- callable by authenticated, service_role

function public.site_activity() returns jsonb security definer;
-- callable by authenticated, service_role

function public.site_counts() returns jsonb security definer;
-- callable by anon, authenticated, service_role

function public.sitemap_page(kind text, page integer) returns jsonb;
-- callable by anon, authenticated, service_role

function public.sitemap_sizes() returns jsonb security definer;
-- callable by anon, authenticated, service_role

function public.solution_limit_refusal() returns text security definer;
-- callable by authenticated, service_role

function public.still_reads(solution uuid, version integer, reader uuid DEFAULT NULL::uuid, file text DEFAULT NULL::text) returns boolean security definer;
-- callable by service_role

function public.stop_sharing(collection uuid, reason text) returns void security definer;
-- callable by authenticated, service_role

function public.stored_bytes(member uuid) returns bigint;
-- callable by service_role

function public.submit_solution(solution jsonb, media jsonb, consent text, consent_version text, thumbnail_url text DEFAULT NULL::text, submission_id uuid DEFAULT NULL::uuid) returns uuid;
-- callable by authenticated, service_role

function public.submit_translation(solution uuid, version integer, language text, texts jsonb) returns uuid;
-- callable by authenticated, service_role

function public.submit_trial(solution uuid, version integer, report jsonb, media jsonb, consent text DEFAULT NULL::text, consent_version text DEFAULT NULL::text, submission_id uuid DEFAULT NULL::uuid) returns uuid;
-- callable by authenticated, service_role

function public.suggest_searches(search text, max_results integer DEFAULT 8) returns jsonb security definer;
-- callable by anon, authenticated, service_role

function public.summarise_topic(topic uuid, content text DEFAULT NULL::text, language text DEFAULT NULL::text) returns void security definer;
-- callable by authenticated, service_role

function public.translation_identifiers_found(translation uuid) returns text[];
-- callable by authenticated, service_role

function public.trial_consent(trial uuid) returns jsonb security definer;
-- callable by authenticated, service_role

function public.trial_identifiers_found(trial uuid) returns text[];
-- callable by authenticated, service_role

function public.unnamed_files(job bigint, attempt integer) returns SETOF text;
-- callable by service_role

function public.unsubscribe_from_mail(token text) returns boolean security definer;
-- callable by anon, authenticated, service_role

function public.uptime() returns jsonb security definer;
-- callable by anon, authenticated, service_role

function public.use_question(token text) returns jsonb security definer;
-- callable by anon, authenticated, service_role

function public.use_sums(solution uuid DEFAULT NULL::uuid) returns jsonb security definer;
-- callable by anon, authenticated, service_role

function public.usual_review_hours() returns integer security definer;
-- callable by anon, authenticated, service_role

function public.weekly_digest(member uuid, since timestamp with time zone, until timestamp with time zone) returns jsonb;
-- callable by service_role

function public.withdraw_invitation(email text) returns void security definer;
-- callable by authenticated, service_role

function public.withdraw_solution(solution uuid, reason text DEFAULT NULL::text) returns void;
-- callable by authenticated, service_role

function private.accepts_messages(member uuid) returns boolean security definer;
-- callable by authenticated, service_role

function private.add_facet_counts(counted_chunk integer, factor integer) returns void;

function private.age_groups() returns text[];
-- callable by anon, authenticated, service_role

function private.amputation_levels() returns text[];
-- callable by anon, authenticated, service_role

function private.are_tags(tags text[]) returns boolean;
-- callable by anon, authenticated, service_role

function private.are_terms(terms text[]) returns boolean;
-- callable by authenticated, service_role

function private.are_tools(tools text[]) returns boolean;
-- callable by service_role

function private.ask_use_questions() returns void security definer;

function private.attach_to_solution(solution uuid, outcomes jsonb, media jsonb, chosen_thumbnail text, consent text, consent_version text) returns void;
-- callable by authenticated

function private.audiences() returns text[];
-- callable by anon, authenticated, service_role

function private.audiences_of(member uuid) returns text[];

function private.audit(action text, target_type text, target_id text, before jsonb DEFAULT NULL::jsonb, after jsonb DEFAULT NULL::jsonb) returns void security definer;

function private.author_card(member uuid) returns jsonb;
-- callable by anon, authenticated, service_role

function private.award_points(member uuid, cause text, source uuid) returns void security definer;

function private.before_user_created(event jsonb) returns jsonb security definer;
-- callable by supabase_auth_admin

function private.bit_concat_agg(bit varying) returns bit varying;

function private.bits_agg(integer, integer) returns bit;

function private.build_notification(recipient uuid, actor uuid, kind text, about jsonb) returns notifications;

function private.can_be_read(value text) returns boolean;
-- callable by anon, authenticated, service_role

function private.can_report(kind text, target uuid) returns boolean;
-- callable by authenticated, service_role

function private.checked_translation(translation solution_translations) returns jsonb security definer;
-- callable by authenticated

function private.chunk_count() returns integer;

function private.claims_office(value text) returns boolean;
-- callable by anon, authenticated, service_role

function private.client_networks() returns text[];
-- callable by anon, authenticated, service_role

function private.comment_card(c comments) returns jsonb;
-- callable by anon, authenticated, service_role

function private.concerned(solutions uuid[], member uuid DEFAULT NULL::uuid) returns TABLE(follow_id uuid, solution_id uuid) security definer;

function private.content_columns(OUT name text, OUT is_required boolean, OUT is_list boolean) returns SETOF record;
-- callable by authenticated

function private.content_list(qualifier text DEFAULT ''::text) returns text;
-- callable by authenticated

function private.content_texts(solution uuid) returns text;
-- callable by authenticated

function private.contribution_limit(table_name text, OUT a_day integer, OUT on_first_day integer, OUT items text) returns record;

function private.conversations_after(cursor text, max_results integer) returns SETOF private.conversations security definer;
-- callable by authenticated

function private.copy_content_rows(published uuid, revision uuid) returns void;

function private.cost_ranges() returns text[];
-- callable by anon, authenticated, service_role

function private.count_facets(chosen bit varying, facet_values text[]) returns jsonb;

function private.count_for_readers(solution uuid) returns void security definer;

function private.count_outcomes(solution uuid) returns void security definer;

function private.count_published(audiences text[]) returns bigint security definer;

function private.count_replies(thread uuid) returns integer security definer;
-- callable by anon, authenticated, service_role

function private.count_trials(solution uuid) returns void security definer;

function private.count_waiting() returns jsonb security definer;
-- callable by authenticated

function private.covers_audience(wide text, narrow text) returns boolean;
-- callable by anon, authenticated, service_role

function private.delete_from_own_side(message uuid) returns void security definer;
-- callable by authenticated

function private.deletions_since(since timestamp with time zone) returns TABLE(at timestamp with time zone, kind text, id text, shared text);

function private.descends_from(solution uuid, ancestor uuid) returns boolean security definer;

function private.disable_account(member uuid, disabled boolean) returns void;

function private.domain_refusal(address text) returns text security definer;
-- callable by supabase_auth_admin

function private.drop_images(post uuid) returns boolean;

function private.earlier_submission(submission uuid, digest text, OUT id uuid, OUT is_changed boolean) returns record security definer;
-- callable by authenticated

function private.email_variables() returns jsonb security definer;
-- callable by supabase_auth_admin

function private.enforce_contribution_limit(table_name text, upcoming integer) returns void security definer;

function private.enforce_row_limit(rows regclass, owner text, max_rows integer, span interval, reason text, until timestamp with time zone DEFAULT NULL::timestamp with time zone) returns void;
-- callable by authenticated, service_role

function private.erase_account(member uuid, shared text) returns void;

function private.extra_facets(solution solutions) returns text[];

function private.fabrication_content(solution uuid) returns jsonb;

function private.fabrication_texts(solution uuid) returns text;
-- callable by authenticated

function private.facet_bitmap(facet_values text[], every boolean DEFAULT false) returns bit varying;

function private.facet_groups() returns jsonb;
-- callable by authenticated, service_role

function private.fewest_in_a_cell() returns integer;

function private.file_content(file solution_files) returns jsonb;

function private.file_name(url text) returns text;
-- callable by anon, authenticated, service_role

function private.file_urls(file_url text, previews text[]) returns text[];
-- callable by service_role

function private.find_latest_message(member uuid, pair text) returns void security definer;

function private.find_sets(parts text[], max_rows integer, OUT place bigint, OUT keys text[], OUT rows integer, OUT is_partial boolean) returns SETOF record;

function private.first_picture(solution uuid) returns text;

function private.follow_use(solution uuid, trial uuid, started timestamp with time zone) returns void security definer;

function private.follows_of(solution uuid, member uuid DEFAULT NULL::uuid) returns SETOF follows security definer;

function private.forget_removed_details(solution solutions, removes_details boolean) returns void;

function private.forget_second_step(member uuid) returns void;

function private.form_of(form jsonb, texts text[], lists text[] DEFAULT '{}'::text[], numbers text[] DEFAULT '{}'::text[]) returns jsonb;
-- callable by anon, authenticated, service_role

function private.formatting_marks(value text) returns integer;
-- callable by anon, authenticated, service_role

function private.found_suggestion(before text, found_before bit varying, term text, solutions integer) returns jsonb;

function private.has_aal2() returns boolean;
-- callable by authenticated, service_role

function private.has_completed_profile(member uuid) returns boolean security definer;
-- callable by authenticated

function private.has_deleted(message uuid) returns boolean security definer;
-- callable by authenticated, service_role

function private.has_hidden_characters(value text) returns boolean;
-- callable by anon, authenticated, service_role

function private.has_required_aal() returns boolean security definer;
-- callable by anon, authenticated, service_role

function private.has_required_staff_aal() returns boolean security definer;
-- callable by anon, authenticated, service_role

function private.has_role(VARIADIC roles text[]) returns boolean security definer;
-- callable by anon, authenticated, service_role

function private.has_stacked_marks(value text) returns boolean;
-- callable by anon, authenticated, service_role

function private.hide_images(post uuid, hide boolean) returns boolean;

function private.hold_own(solution uuid, trial uuid DEFAULT NULL::uuid) returns text security definer;
-- callable by authenticated

function private.holds_posts() returns boolean security definer;
-- callable by authenticated, service_role

function private.identifiers_in(value text) returns text[];
-- callable by anon, authenticated, service_role

function private.identifiers_of(value text) returns TABLE(kind text, detail text);
-- callable by anon, authenticated, service_role

function private.ids_of_marks(marks text[]) returns SETOF uuid security definer;
-- callable by anon, authenticated

function private.image_urls(images jsonb) returns text[];
-- callable by anon, authenticated, service_role

function private.impersonates_site(value text) returns boolean;
-- callable by anon, authenticated, service_role

function private.impersonates_staff(value text) returns boolean;
-- callable by anon, authenticated, service_role

function private.invite(address text) returns void;

function private.is_admin() returns boolean;
-- callable by anon, authenticated, service_role

function private.is_admin_account(account uuid) returns boolean security definer;
-- callable by anon, authenticated, service_role

function private.is_approved(solution uuid) returns boolean;
-- callable by anon, authenticated, service_role

function private.is_beyond_error(outcome solution_outcomes) returns boolean;

function private.is_blank(value text) returns boolean;
-- callable by anon, authenticated, service_role

function private.is_checklist(answers jsonb) returns boolean;
-- callable by service_role

function private.is_client() returns boolean;
-- callable by anon, authenticated, service_role

function private.is_consent(basis text) returns boolean;
-- callable by anon, authenticated, service_role

function private.is_disabled(member uuid) returns boolean security definer;

function private.is_for_all_readers(comment comments) returns boolean security definer;

function private.is_given_up(job media_jobs) returns boolean;
-- callable by service_role

function private.is_moderation_notice(kind text) returns boolean security definer;
-- callable by authenticated, service_role

function private.is_moderator() returns boolean;
-- callable by anon, authenticated, service_role

function private.is_nested_deeply(value text) returns boolean;
-- callable by anon, authenticated, service_role

function private.is_nhs_number(digits text) returns boolean;
-- callable by anon, authenticated, service_role

function private.is_notification_current(notice notifications, notification uuid) returns boolean;

function private.is_open_topic(topic uuid) returns boolean;
-- callable by anon, authenticated, service_role

function private.is_orcid(id text) returns boolean;
-- callable by anon, authenticated, service_role

function private.is_pending_review(kind text, item uuid) returns boolean;
-- callable by authenticated, service_role

function private.is_sanctioned() returns boolean security definer;
-- callable by anon, authenticated, service_role

function private.is_sent_trial(solution uuid, version integer, submission uuid) returns boolean security definer;
-- callable by authenticated

function private.is_shown_with_case(outcome solution_outcomes) returns boolean;

function private.is_staff_account(account uuid) returns boolean security definer;
-- callable by authenticated, service_role

function private.joined_words(words text[]) returns text;

function private.kept_count(name text) returns bigint security definer;

function private.languages() returns text[];
-- callable by anon, authenticated, service_role

function private.lapse_registrations() returns void;

function private.limit_removal_requests() returns void security definer;

function private.list_of(value jsonb, refusal text) returns jsonb;
-- callable by anon, authenticated, service_role

function private.lists_files() returns boolean;
-- callable by anon, authenticated, service_role

function private.longest_word(value text) returns integer;
-- callable by anon, authenticated, service_role

function private.mail_account_notice(member uuid, kind text) returns void;

function private.mail_farewell(member uuid, shared text) returns void;

function private.mail_removal_requester(request removal_requests) returns void;

function private.mark_solutions(touched uuid[]) returns void;

function private.materials() returns text[];
-- callable by anon, authenticated, service_role

function private.may_administer() returns boolean;
-- callable by anon, authenticated, service_role

function private.may_moderate() returns boolean;
-- callable by anon, authenticated, service_role

function private.may_name_moderators() returns boolean security definer;
-- callable by authenticated, service_role

function private.may_read_solution(member uuid, solution uuid) returns boolean security definer;

function private.may_take_part() returns boolean security definer;
-- callable by anon, authenticated, service_role

function private.media_of(media jsonb) returns jsonb;
-- callable by anon, authenticated, service_role

function private.mentioned_members(content text) returns SETOF uuid;
-- callable by anon, authenticated, service_role

function private.mentioned_usernames(content text) returns jsonb;
-- callable by anon, authenticated, service_role

function private.mixes_alphabets(value text) returns boolean;
-- callable by anon, authenticated, service_role

function private.move_content_rows(revision uuid, published uuid) returns void;

function private.name_skeleton(value text) returns text;
-- callable by anon, authenticated, service_role

function private.names_a_moderator(notice notifications) returns boolean security definer;
-- callable by authenticated, service_role

function private.names_moderators() returns boolean;
-- callable by anon, authenticated, service_role

function private.narrowest(VARIADIC audiences text[]) returns text;

function private.near_spellings(word text) returns TABLE(spelling text, is_swap boolean);

function private.normalized(value text) returns text;
-- callable by anon, authenticated, service_role

function private.notify(notice notifications) returns void security definer;

function private.number_key(number text) returns text;
-- callable by authenticated, service_role

function private.object_name(url text) returns text;
-- callable by service_role

function private.object_names(urls text[]) returns text[];
-- callable by service_role

function private.occupations() returns text[];
-- callable by anon, authenticated, service_role

function private.open_collection(collection uuid) returns jsonb security definer;
-- callable by anon, authenticated, service_role

function private.open_revision(solution uuid) returns uuid security definer;
-- callable by authenticated

function private.own_news(solutions uuid[]) returns TABLE(follow_id uuid, solution_id uuid) security definer;
-- callable by authenticated, service_role

function private.own_topic(topic uuid) returns forum_topics;

function private.owns_solution(solution uuid) returns boolean;
-- callable by anon, authenticated, service_role

function private.owns_trial(trial uuid, solution uuid) returns boolean;
-- callable by anon, authenticated, service_role

function private.page_of(chosen bit varying, size bigint, sort text, cursor text, max_size integer) returns uuid[];

function private.parse_search(search text, OUT exact bit varying, OUT wide bit varying, OUT corrected text, OUT suggested text, OUT marks text[], OUT partial boolean) returns record;

function private.parse_words(search text, OUT exact bit varying, OUT wide bit varying, OUT corrected text, OUT suggested text, OUT marks text[], OUT partial boolean) returns record;

function private.part_bitmap(named text) returns bit varying;

function private.part_key(maker text, number text) returns text;
-- callable by anon, authenticated, service_role

function private.part_keys(word text) returns SETOF text;
-- callable by anon, authenticated, service_role

function private.posts_with_file(url text) returns TABLE(user_id uuid, hidden_at timestamp with time zone, waits boolean);
-- callable by service_role

function private.posts_with_waiting_images() returns TABLE(id uuid, title text, user_id uuid, created_at timestamp with time zone, hidden_at timestamp with time zone, picture text) security definer;
-- callable by authenticated, service_role

function private.prosthesis_types() returns text[];
-- callable by anon, authenticated, service_role

function private.queue_digests() returns void security definer;

function private.queue_mail(notice notifications, notification uuid) returns void;

function private.raise_rate_limited(reason text, wait interval) returns void;
-- callable by anon, authenticated, service_role

function private.readable_audiences() returns text[] security definer;
-- callable by anon, authenticated, service_role

function private.readable_bitmap() returns bit varying;

function private.record_decision(solution solutions, checked jsonb) returns void security definer;

function private.record_discarded(revision solutions) returns void security definer;

function private.refresh_extra_facets(solution uuid) returns void security definer;

function private.refuse_account_act(member uuid) returns void;

function private.refuse_decided(solution uuid, trial uuid DEFAULT NULL::uuid) returns void;
-- callable by authenticated

function private.refuse_sanctioned() returns boolean security definer;
-- callable by anon, authenticated, service_role

function private.reindex_solutions(reindexed_chunk integer) returns void;

function private.reserved_names() returns text[];
-- callable by anon, authenticated, service_role

function private.reserved_skeletons() returns text[];
-- callable by anon, authenticated, service_role

function private.restrict_writes() returns void;

function private.revoke_points(cause text, source uuid) returns void security definer;

function private.safety_kind_of(solution uuid) returns text;

function private.sanction_message(member uuid) returns text security definer;

function private.search_text(title text, description text, occupation text, materials text[], custom_tags text[], amputation_level text, prosthesis_type text, age_group text, author_names text) returns text;
-- callable by anon, authenticated, service_role

function private.search_words(search text) returns text[];
-- callable by anon, authenticated, service_role

function private.sees_file(name text) returns boolean;
-- callable by anon, authenticated, service_role

function private.sees_image(url text) returns boolean security definer;
-- callable by anon, authenticated, service_role

function private.sees_solution(solution uuid) returns boolean;
-- callable by anon, authenticated, service_role

function private.set_fabrication(solution uuid, fabrication jsonb) returns void security definer;
-- callable by authenticated

function private.set_files(solution uuid, files jsonb) returns void security definer;
-- callable by authenticated

function private.set_outcomes(solution uuid, outcomes jsonb, trial uuid DEFAULT NULL::uuid) returns void security definer;
-- callable by authenticated

function private.set_sources(solution uuid, submitted jsonb) returns void;
-- callable by authenticated

function private.shared_translations(solution solutions) returns TABLE(language text, texts jsonb);

function private.shown_media(solution uuid) returns TABLE(id uuid, trial_id uuid, place bigint);

function private.shows_points() returns boolean;
-- callable by anon, authenticated, service_role

function private.similar_words(word text, max_results integer) returns TABLE(word text, solutions integer, likeness real);

function private.singulars(word text) returns text[];

function private.solution_cards(ids uuid[]) returns jsonb;
-- callable by anon, authenticated

function private.solution_content(solution solutions) returns jsonb;

function private.solution_fields(form jsonb) returns solutions;
-- callable by authenticated

function private.solution_state() returns text[];
-- callable by authenticated, service_role

function private.solutions_with(part text) returns uuid[];

function private.spaced(value text) returns text;
-- callable by anon, authenticated, service_role

function private.storage_path(url text) returns text;
-- callable by anon, authenticated, service_role

function private.stored_urls() returns SETOF text;
-- callable by service_role

function private.take_back_invitation(address text) returns void;

function private.tell_of_images(post jsonb, actor uuid, what text) returns void;

function private.tell_of_use_question(question use_questions) returns void security definer;

function private.text_versions(statement text) returns text[];
-- callable by authenticated, service_role

function private.texts_of(content jsonb) returns text;

function private.tokenize(value text) returns text[];
-- callable by anon, authenticated, service_role

function private.translatable_texts(content jsonb) returns TABLE(name text, original text);

function private.translated_texts(solution solutions) returns text;

function private.trial_content(trial solution_trials) returns jsonb;
-- callable by authenticated, service_role

function private.trial_fields(form jsonb) returns solution_trials;
-- callable by authenticated

function private.unspaced_letter() returns text;
-- callable by anon, authenticated, service_role

function private.unspaced_scripts() returns text;
-- callable by anon, authenticated, service_role

function private.unsubscribe_token(member uuid, subject text DEFAULT NULL::text) returns text;

function private.use_audience(solution uuid, trial uuid) returns text security definer;

function private.use_link_state(question use_questions) returns text;

function private.use_question_of(token text) returns use_questions;

function private.use_question_token(question uuid, member uuid) returns text;

function private.wants_use_question(member uuid, solution uuid, trial uuid) returns boolean security definer;

function private.withhold_media(solution uuid, media uuid[], withhold boolean) returns integer security definer;

function private.within_rate_limit(kind text, max_count integer) returns boolean security definer;
-- callable by anon, authenticated, service_role

function private.without_hidden_characters(value text) returns text;
-- callable by anon, authenticated, service_role

function private.without_punctuation(value text) returns text;
-- callable by anon, authenticated, service_role

function private.word_bitmap(keys text[]) returns bit varying;

function private.word_counts(counted_chunk integer) returns TABLE(word text, audience text, solutions integer);

function private.word_keys(search_text text) returns text[];
-- callable by anon, authenticated, service_role
