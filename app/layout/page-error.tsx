import { useState } from 'react';
import { isRouteErrorResponse, Link } from 'react-router';
import { useRequestId } from '#app/context/request-id.ts';
import { Button, buttonClass } from '#app/ui/button.tsx';
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
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />;
  return (
    <ErrorScreen
      title={title}
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
      <p>This page could not be shown. Nothing you typed elsewhere is lost.</p>
      <p className="mt-2 text-base text-ink-3" suppressHydrationWarning>
        Quote {reference} if you write to us about it.
      </p>
    </ErrorScreen>
  );
}
