/** The product's name; nothing else spells it out. */
export const SITE_NAME = 'Limb Commons';

export const HEADLINE = 'Advancing prosthetics through collaborative innovation';

/** A page's title as the browser shows it. */
export function pageTitle(title: string): string {
  return `${title} · ${SITE_NAME}`;
}
