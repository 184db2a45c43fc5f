import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CookieSettingsLink } from '#app/frame/cookies/cookie-banner.tsx';
import { useOperator } from '#app/frame/page/operator.ts';
import { PhoneFold } from '#app/ui/states/phone-fold.tsx';
import { Logo } from './logo.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

const columns = [
  {
    title: 'Quick Links',
    links: [
      { to: '/browse', label: 'Browse' },
      { to: '/evidence', label: 'Reported outcomes' },
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
      <div className="page grid grid-cols-1 gap-x-6 py-6 md:grid-cols-3 md:gap-y-8 md:py-12 lg:grid-cols-[488fr_260fr_260fr_272fr] lg:gap-x-0">
        <div className="max-md:mb-4 md:col-span-3 lg:col-span-1">
          <Logo />
          <p className="mt-2 max-w-[38ch] text-ink-2 md:mt-3">
            Every submission is reviewed by moderators before it becomes public.
          </p>
          {/* On a phone the menu has it. */}
          <div className="mt-6 max-md:hidden">
            <ThemeSwitch />
          </div>
        </div>
        {columns.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <Column title={title}>
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
            </Column>
          </nav>
        ))}
        <div>
          <Column title="Contact Us">
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
          </Column>
        </div>
      </div>
    </footer>
  );
}

/** On a phone the foot of a page is no longer than what it is the foot of. */
const Column = ({ title, children }: { title: string; children: ReactNode }) => (
  <PhoneFold summary={title} className="max-md:-mt-px">
    <h2 className="text-base font-bold max-md:hidden">{title}</h2>
    <ul className="my-2 md:mb-0">{children}</ul>
  </PhoneFold>
);
