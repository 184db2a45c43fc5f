import type { RouterContextProvider } from 'react-router';
import { SITE_COLUMNS, type SiteSettings, siteSettings } from '#app/site.ts';
import { configContext, fetchContext, serverClient } from '#app/supabase.ts';
import { reportContext } from './request-id.ts';

/** The settings of the site for one request; where they cannot be read, those that were known last. */
export async function readSiteSettings(context: Readonly<RouterContextProvider>): Promise<SiteSettings> {
  const db = await serverClient(context)();
  const { data, error } = await db.from('site_settings').select(SITE_COLUMNS).single();
  if (error) context.get(reportContext).report(error, 'settings not read');
  return data ?? siteSettings();
}

/** The logo of the site as the bytes of an image; undefined where it has none, or none that can be read now. */
export async function readLogo(
  context: Readonly<RouterContextProvider>,
  { logo_url }: Pick<SiteSettings, 'logo_url'>,
): Promise<ArrayBuffer | undefined> {
  if (!logo_url) return undefined;
  const origin = context.get(configContext).url || 'http://localhost';
  try {
    const answer = await context.get(fetchContext)(origin + logo_url);
    if (!answer.ok) throw new Error(`The logo is answered with ${answer.status}`);
    return await (await answer.blob()).arrayBuffer();
  } catch (error) {
    context.get(reportContext).report(error, 'logo not read');
    return undefined;
  }
}
