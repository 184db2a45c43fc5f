import { HEADLINE } from '#app/frame/layout/headline.ts';
import { ogImageResponse } from '#app/frame/layout/og-image.tsx';
import type { Route } from './+types/og-image.ts';

/** The default title card, for pages without a separate one. */
export const loader = async ({ context }: Route.LoaderArgs) =>
  ogImageResponse(context, { title: HEADLINE, note: 'Shared by professionals, reviewed by moderators' });
