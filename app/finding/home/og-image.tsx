import { readSiteSettings } from '#app/frame/context/site-settings.ts';
import { logoPath } from '#app/frame/layout/logo.tsx';
import { ogImageResponse } from '#app/frame/layout/og-image.tsx';
import { HEADLINE } from '#app/site.ts';
import type { Route } from './+types/og-image.ts';

/** The default title card, for pages without a separate one. */
export const loader = async ({ context }: Route.LoaderArgs) =>
  ogImageResponse({
    site: await readSiteSettings(context),
    title: HEADLINE,
    note: 'Shared by professionals, reviewed by moderators',
    sign: {
      name: 'logo',
      drawing: (
        <svg viewBox="4 4 18 18" width={210} height={210} aria-hidden="true">
          <path d={logoPath} fill="none" stroke="currentColor" strokeWidth="2.3" strokeLinecap="round" />
        </svg>
      ),
    },
  });
