import type { RouterContextProvider } from 'react-router';
import { SITE_COLUMNS, type SiteSettings, siteSettings } from '#app/site.ts';
import { serverClient } from '#app/supabase.ts';
import { reportContext } from './request-id.ts';

/** The settings of the site for one request; where they cannot be read, those that were known last. */
export async function readSiteSettings(context: Readonly<RouterContextProvider>): Promise<SiteSettings> {
  const db = await serverClient(context)();
  const { data, error } = await db.from('site_settings').select(SITE_COLUMNS).single();
  if (error) context.get(reportContext).report(error, 'settings not read');
  return data ?? siteSettings();
}
