import { Link } from 'react-router';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { siteName, siteSettings } from '#app/site.ts';

export const logoPath = 'M7.6 5.6c0 5.6 1.6 9 5.4 9s5.4-3.4 5.4-9M13 14.6v6M9.8 20.8h6.4';

/** The logo, or else the sign of the product, and the name of the site, which lead to the home page. */
export function Logo() {
  const fileUrl = useFileUrl();
  const { logo_url: logo } = siteSettings();
  return (
    <Link to="/" className="flex min-w-0 items-center gap-2 rounded-sm text-lg font-bold">
      {logo ? (
        <img src={fileUrl(logo)} alt="" width={32} height={32} className="size-8 shrink-0" />
      ) : (
        <svg viewBox="0 0 26 26" className="size-[26px] shrink-0" aria-hidden="true">
          <rect width="26" height="26" rx="6" fill="var(--accent)" />
          <path d={logoPath} fill="none" stroke="var(--on-accent)" strokeWidth="2.3" strokeLinecap="round" />
        </svg>
      )}
      {/* As much of a long name as the header is high enough for; among very large letters none. */}
      <span className="line-clamp-2 break-words @max-[14rem]:sr-only">{siteName()}</span>
    </Link>
  );
}
