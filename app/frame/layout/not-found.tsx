import type { ReactNode } from 'react';
import { Form, Link } from 'react-router';
import { useSession } from '#app/session.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { SearchInput } from '#app/ui/controls/search-input.tsx';
import { ErrorScreen } from './error-screen.tsx';

/** The screen for an address that has no page, with ways to go on. */
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
      <p>The address may be mistyped, or the page may have moved or been removed.</p>
      <Form
        action="/browse"
        role="search"
        aria-label="Solutions"
        className="mt-6 flex max-w-[560px] gap-2 text-base"
      >
        <SearchInput
          name="q"
          aria-label="Search solutions"
          placeholder="Search solutions..."
          className="min-h-11 flex-1 bg-surface"
        />
        <Button type="submit">Search</Button>
      </Form>
    </ErrorScreen>
  );
}

interface MissingProps {
  /** Whether the database is being asked on behalf of the reader. */
  isAsking: boolean;
  /** Stands for the content until it has answered. */
  waiting: ReactNode;
  /** What says that nothing was found. */
  children: ReactNode;
}

/**
 * Says that nothing was found. The server answers visitors, so nothing says so to a member before the database has answered
 * them: until the session is known, the style sheet decides by what is on the device.
 */
export function Missing({ isAsking, waiting, children }: MissingProps) {
  const isKnown = useSession() !== undefined && !isAsking;
  return (
    <>
      <div className={isKnown ? undefined : 'member:hidden'}>{children}</div>
      {!isKnown && <div className="visitor:hidden">{waiting}</div>}
    </>
  );
}
