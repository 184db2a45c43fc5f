import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { useViewer } from '#app/session.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';

export interface Moderator {
  id: string;
  isAdmin: boolean;
}

/**
 * Restricts a page to moderators. Visitors are sent to sign in, other members home; so is a moderator whose
 * role is removed while the page is open, after a moment to read why.
 */
export function useModerator(): Moderator | undefined {
  const navigate = useNavigate();
  const member = useRequiredMember();
  const viewer = useViewer();
  const isModerator = viewer?.isModerator;
  const wasModerator = useRef(false);

  useEffect(() => {
    if (isModerator === undefined) return;
    if (isModerator) {
      wasModerator.current = true;
      return;
    }
    if (!wasModerator.current) {
      toast({
        tone: 'error',
        leads: true,
        title: 'Access Denied',
        text: "You don't have permission to access this page",
      });
      void navigate('/', { replace: true });
      return;
    }
    toast({ tone: 'error', leads: true, title: 'Access Revoked', text: 'You are no longer a moderator' });
    const leaving = setTimeout(() => void navigate('/', { replace: true }), 1000);
    return () => clearTimeout(leaving);
  }, [isModerator, navigate]);

  return member && viewer?.isModerator ? { id: member.id, isAdmin: viewer.isAdmin } : undefined;
}
