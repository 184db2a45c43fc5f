import type { Database } from './database.types.ts';

/** The product's name, which a site has until its admins give it another; no other file spells it out. */
export const PRODUCT_NAME = 'Limb Commons';

/** What the pages and emails need of the settings of the site. */
export const SITE_COLUMNS =
  'site_name,welcome_text,accent_colour,logo_url,sign_up,email_domains,show_points,staff_second_step,reviewed_first_posts,names_moderators';

type SettingsRow = Database['public']['Tables']['site_settings']['Row'];
export type SiteSettings = Omit<SettingsRow, 'only_row'>;

let current: SiteSettings = {
  site_name: PRODUCT_NAME,
  welcome_text: '',
  accent_colour: '',
  logo_url: '',
  sign_up: 'open',
  email_domains: [],
  show_points: true,
  staff_second_step: false,
  reviewed_first_posts: 0,
  names_moderators: true,
};

/**
 * The settings of the site, the same for everyone, as what is drawn or written now says them. The frame of the pages and the
 * function that sends emails apply those they have read, and then draw or write without waiting for anything in between.
 */
export const siteSettings = (): SiteSettings => current;

/** Has all that is drawn or written from now on say these settings. */
export function applySiteSettings(settings: SiteSettings): void {
  current = settings;
}

/** The name that the site's operator has given it. */
export const siteName = (): string => current.site_name;

/** A page's title as the browser shows it. */
export function pageTitle(title: string): string {
  return `${title} · ${siteName()}`;
}

/** What a page says of itself, for the server that answers with it; a page without it is the same for everyone, and is kept by anyone. */
export interface PageHandle {
  /** What browsers, service workers and shared caches may keep of it. */
  cacheControl: 'no-store' | 'private, no-cache';
}

/** The handle of a page for one person alone: excluded from search engines and from everything that keeps pages. */
export const CLOSED: PageHandle = { cacheControl: 'no-store' };
