import { ShieldAlert } from 'lucide-react';
import { Link } from 'react-router';
import { Banner } from '#app/ui/surfaces/banner.tsx';

/** Urges staff who have no second step to set one up. */
export function SecondStepNotice() {
  return (
    <Banner
      tone="amber"
      icon={ShieldAlert}
      title="Protect your account with two-step sign-in."
      className="mb-6"
    >
      You can see private reports and unpublished solutions, so a stolen password would do a lot of harm.{' '}
      <Link to="/settings#two-step" className="underline underline-offset-3">
        Set up two-step sign-in
      </Link>
    </Banner>
  );
}
