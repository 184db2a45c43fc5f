import { useEffect, useState } from 'react';
import { isRouteErrorResponse, Link } from 'react-router';
import { useRequestId } from '#app/frame/page/request-id.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { ErrorScreen } from './error-screen.tsx';
import { NotFound } from './not-found.tsx';

/** The page shown when the requested one could not be rendered. */
export function PageError({
  error,
  title = 'Something went wrong',
  onRetry = () => location.reload(),
}: {
  error?: unknown;
  title?: string;
  /** Reloads the page when left out. */
  onRetry?: () => void;
}) {
  const requestId = useRequestId();
  // The server's text stays after hydration; a failure in the browser has only its time.
  const [reference] = useState(
    () => requestId ?? new Date().toISOString().slice(0, 19).replace(/[-:T]/g, ''),
  );
  const [offline, setOffline] = useState(false);
  useEffect(() => {
    if (navigator.onLine) return;
    setOffline(true);
    // The router asks for a page's data alone; the page as a whole may be on the device.
    void globalThis.caches?.match(location.href).then((kept) => kept && location.reload());
  }, []);
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />;
  return (
    <ErrorScreen
      title={offline ? 'You’re offline' : title}
      action={
        <>
          <Button variant="primary" onClick={onRetry}>
            Try again
          </Button>
          <Link to="/" className={buttonClass('default')}>
            Return to Home
          </Link>
        </>
      }
    >
      {offline ? (
        <p>This page isn’t saved on your device. You can still read public pages that you opened before.</p>
      ) : (
        <>
          <p>This page couldn’t be shown. Anything you typed elsewhere is safe.</p>
          <p className="mt-2 text-base text-ink-3" suppressHydrationWarning>
            If you contact us, quote {reference}.
          </p>
        </>
      )}
    </ErrorScreen>
  );
}
