import { Link } from 'react-router';
import { Button } from '#app/ui/controls/button.tsx';
import {
  chooseStatistics,
  closeChoice,
  reopenChoice,
  useSignalsOptOut,
  useStatisticsAllowed,
} from './cookie-choice.ts';

const bannerId = 'cookie-settings';

/**
 * Offers the choice about statistics: in the page's flow above everything, so that it covers nothing, comes
 * first for keyboards and screen readers, and blocks no reader. It is in every page; the style sheet shows it
 * while it is needed.
 */
export function CookieBanner() {
  const refusedByBrowser = useSignalsOptOut();
  const allowed = useStatisticsAllowed();
  const choose = (statistics: boolean) => {
    chooseStatistics(statistics);
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <section
      id={bannerId}
      aria-labelledby={`${bannerId}-title`}
      className="hidden border-b bg-raised in-data-choosing:block print:hidden"
    >
      <div className="page flex flex-col gap-3 py-4 lg:flex-row lg:items-center lg:gap-8">
        <div className="max-w-[80ch]">
          <h2 id={`${bannerId}-title`} tabIndex={-1} className="text-base font-bold">
            Cookies and page statistics
          </h2>
          <p className="text-ink-2">
            {refusedByBrowser
              ? 'Your browser asks not to be tracked, so page statistics stay off. There is nothing to choose.'
              : 'We store what the site needs to work. If you agree, we also count page visits, using a random ID that changes daily.'}{' '}
            {allowed && 'You currently agree. '}
            <Link to="/cookie-policy" className="link">
              Cookie Policy
            </Link>
          </p>
        </div>
        <div className="flex flex-wrap gap-3 lg:ms-auto lg:flex-nowrap">
          {refusedByBrowser ? (
            <Button onClick={closeChoice}>Close</Button>
          ) : (
            <>
              <Button onClick={() => choose(false)}>Reject statistics</Button>
              <Button onClick={() => choose(true)}>Accept statistics</Button>
            </>
          )}
        </div>
      </div>
    </section>
  );
}

/** Opens the banner again; without JavaScript, where nothing is counted, it leads to the cookie policy. */
export function CookieSettingsLink({ className }: { className?: string }) {
  return (
    <Link
      to="/cookie-policy#how-to-manage"
      className={className}
      onClick={(event) => {
        event.preventDefault();
        reopenChoice();
        window.scrollTo({ top: 0 });
        document.getElementById(`${bannerId}-title`)?.focus({ preventScroll: true });
      }}
    >
      Cookie settings
    </Link>
  );
}
