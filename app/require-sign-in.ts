import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from './session.ts';

const key = 'return-to';

/** Where the visitor wanted to be when they were sent to sign in: a path of this site. */
export function returnPath(): string {
  const place = sessionStorage.getItem(key) ?? '/';
  // Whatever else may have written there: nothing that a browser would take for another host.
  return /^\/(?![/\\])/.test(place) ? place : '/';
}

export const clearReturnPath = () => sessionStorage.removeItem(key);

/** Sends a visitor to sign in and, after that, back to where they are. */
export function useRequireSignIn(): () => void {
  const navigate = useNavigate();
  return () => {
    sessionStorage.setItem(key, location.pathname + location.search);
    void navigate('/auth');
  };
}

/**
 * The member a private page is for; visitors are sent to sign in first.
 *
 * @param explain tells a visitor why, before they leave
 * @returns undefined until it is known, and for visitors
 */
export function useRequiredMember(
  explain?: () => void,
): { id: string; email: string | undefined } | undefined {
  const navigate = useNavigate();
  const session = useSession();
  const refused = session !== undefined && !session.member;
  const refuse = useEffectEvent(() => explain?.());
  useEffect(() => {
    if (!refused) return;
    refuse();
    sessionStorage.setItem(key, location.pathname + location.search);
    // The sign-in page explains a link from a mail that did not work.
    const refusal = location.hash.includes('error_description=') ? location.hash : '';
    void navigate(`/auth${refusal}`, { replace: true });
  }, [refused, navigate]);
  return session?.member ?? undefined;
}
