import { useState } from 'react';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';

/** The topic or reply being reported; visitors are sent to sign in first. */
export function useReport() {
  const signInFirst = useRequireSignIn();
  const member = useMember();
  const [what, setWhat] = useState<{
    kind: string;
    title: string;
    contentId: string;
    hasImages: boolean;
  } | null>(null);
  const about = (kind: 'topic' | 'post', { id, images }: { id: string; images: unknown[] }) => {
    if (member)
      return setWhat({
        kind,
        title: kind === 'topic' ? 'Report topic' : 'Report post',
        contentId: id,
        hasImages: images.length > 0,
      });
    signInFirst('Please sign in to report content', 'Authentication required');
  };
  return {
    open: what && member ? { ...what, reporterId: member.id } : null,
    about,
    close: () => setWhat(null),
  };
}
