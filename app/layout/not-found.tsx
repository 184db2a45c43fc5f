import { Link } from 'react-router';
import { buttonClass } from '#app/ui/button.tsx';
import { ErrorScreen } from './error-screen.tsx';

export function NotFound() {
  return (
    <ErrorScreen
      title="Oops! Page not found"
      action={
        <>
          <Link to="/" className={buttonClass('primary')}>
            Return to Home
          </Link>
          <Link to="/browse" className={buttonClass('default')}>
            Browse Solutions
          </Link>
        </>
      }
    >
      The address may be mistyped, or the page has moved or been removed.
    </ErrorScreen>
  );
}
