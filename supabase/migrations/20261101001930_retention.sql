/* Deletes data whose time of retention is over: page views after two years, and the names and reasons of
   takedown requests 30 days after the outcome. Checks of registrations lapse after a year. */
create function public.expire_retained_records() returns void
language sql security definer set search_path = ''
as $$
  delete from private.retained_records r where r.keep_until < now();
  delete from public.page_views v where v.viewed_at < now() - interval '2 years';
  update public.takedown_requests r set email = null, reason = null
  where r.resolved_at < now() - interval '30 days' and (r.email is not null or r.reason is not null);
  select private.lapse_credentials();
  delete from private.takedown_senders t where t.sent_at < now() - interval '1 day';
$$;
