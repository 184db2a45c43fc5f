/** What the site is for, in a line. */
export const HEADLINE = 'Advancing prosthetics through collaborative innovation';
