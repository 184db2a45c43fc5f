-- The names of societies are longer than 40 letters.
alter table public.site_settings
  drop constraint "The name must be 1 to 40 characters",
  add constraint "The name must be 1 to 80 characters" check (not private.is_blank(site_name) and char_length(site_name) <= 80);
