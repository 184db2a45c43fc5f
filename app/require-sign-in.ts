import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from './session.ts';

const key = 'return-to';

/** The page the visitor wanted when they were sent to sign in: a path of this site. */
export function returnPath(): string {
  const path = sessionStorage.getItem(key) ?? '/';
  // Other scripts may have written there, so only a path that no browser takes for another host is accepted.
  return /^\/(?![/\\])/.test(path) ? path : '/';
}

export const clearReturnPath = () => sessionStorage.removeItem(key);

/** Sends a visitor to sign in and, after that, back to the present page. */
export function useRequireSignIn(): () => void {
  const navigate = useNavigate();
  return () => {
    sessionStorage.setItem(key, location.pathname + location.search);
    void navigate('/auth');
  };
}

/**
 * The member of a private page; visitors are sent to sign in first.
 *
 * @param explain shows a visitor the reason, before they leave
 * @returns undefined until the session is known, and for visitors
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
    // The sign-in page explains an emailed link that did not work.
    const refusal = location.hash.includes('error_description=') ? location.hash : '';
    void navigate(`/auth${refusal}`, { replace: true });
  }, [refused, navigate]);
  return session?.member ?? undefined;
}
