import { Link } from 'react-router';
import { siteName } from '#app/site.ts';

export const logoPath = 'M7.6 5.6c0 5.6 1.6 9 5.4 9s5.4-3.4 5.4-9M13 14.6v6M9.8 20.8h6.4';

/** The sign and name of the site, which lead to the home page. */
export function Logo() {
  return (
    <Link to="/" className="flex items-center gap-2.5 rounded-sm text-lg font-bold">
      <svg viewBox="0 0 26 26" className="size-[26px]" aria-hidden="true">
        <rect width="26" height="26" rx="6" fill="var(--accent)" />
        <path d={logoPath} fill="none" stroke="var(--on-accent)" strokeWidth="2.3" strokeLinecap="round" />
      </svg>
      {siteName()}
    </Link>
  );
}
