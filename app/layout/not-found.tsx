import { Form, Link } from 'react-router';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { SearchInput } from '#app/ui/search-input.tsx';
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
