import { Link } from 'react-router';
import { useOperator } from '#app/frame/context/operator.ts';
import { CookieSettingsLink } from '#app/frame/cookies/cookie-banner.tsx';
import { Logo } from './logo.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

const columns = [
  {
    title: 'Quick Links',
    links: [
      { to: '/browse', label: 'Browse' },
      { to: '/evidence', label: 'Evidence' },
      { to: '/forum', label: 'Forum' },
      { to: '/resources', label: 'Resources' },
      { to: '/take-with-you', label: 'Take with you' },
      { to: '/about', label: 'About' },
    ],
  },
  {
    title: 'Legal',
    links: [
      { to: '/privacy-policy', label: 'Privacy Policy' },
      { to: '/terms-of-service', label: 'Terms of Service' },
      { to: '/cookie-policy', label: 'Cookie Policy' },
      { to: '/compliance', label: 'NHS Compliance' },
    ],
  },
];

/** The foot of every page: the theme, and links to the site’s pages, documents and contacts. */
export function Footer() {
  const supportEmail = useOperator()?.supportEmail;
  return (
    <footer className="mt-auto border-t bg-surface print:hidden">
      <div className="page grid grid-cols-2 gap-x-6 gap-y-8 py-12 md:grid-cols-3 lg:grid-cols-[488fr_260fr_260fr_272fr] lg:gap-x-0">
        <div className="col-span-2 md:col-span-3 lg:col-span-1">
          <Logo />
          <p className="mt-3 max-w-[38ch] text-ink-2">
            Every submission is reviewed by moderators before it becomes public.
          </p>
          <div className="mt-6 flex max-w-[300px] flex-col gap-4">
            <ThemeSwitch />
          </div>
        </div>
        {columns.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2 className="text-base font-bold">{title}</h2>
            <ul className="mt-1.5">
              {links.map(({ to, label }) => (
                <li key={to}>
                  <Link to={to} discover="none" className="footer-link">
                    {label}
                  </Link>
                </li>
              ))}
              {title === 'Legal' && (
                <li>
                  <CookieSettingsLink className="footer-link" />
                </li>
              )}
            </ul>
          </nav>
        ))}
        <div className="col-span-2 md:col-span-1">
          <h2 className="text-base font-bold">Contact Us</h2>
          <ul className="mt-1.5">
            <li>
              <Link to="/contact" className="footer-link">
                Questions and answers
              </Link>
            </li>
            <li>
              <Link to="/status" className="footer-link">
                Status
              </Link>
            </li>
            <li>
              <Link to="/developers" discover="none" className="footer-link">
                Read API and feeds
              </Link>
            </li>
            {supportEmail && (
              <li>
                <a href={`mailto:${supportEmail}`} className="footer-link wrap-anywhere">
                  {supportEmail}
                </a>
              </li>
            )}
          </ul>
        </div>
      </div>
    </footer>
  );
}
