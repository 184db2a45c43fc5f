import { Link } from 'react-router';

/** Stands with the declaration: what a new member agrees to, in tabs of their own, so that nothing typed is lost. */
export const TermsOfMembership = () => (
  <p className="text-sm text-ink-2">
    By joining you agree to the{' '}
    <Link to="/terms-of-service" target="_blank" className="link">
      Terms of Service
    </Link>
    . The{' '}
    <Link to="/privacy-policy" target="_blank" className="link">
      Privacy Policy
    </Link>{' '}
    says what we do with your data.
  </p>
);
