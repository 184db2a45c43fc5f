import { Eye } from 'lucide-react';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import type { Claim } from './use-claim.ts';

/** Says who else has the item open, so that two moderators do not review it at the same time. */
export function ClaimNotice({ claim, className }: { claim: Claim; className?: string }) {
  const ago = useRelativeTime(claim.claimed_at);
  return (
    <p className={className} role="status">
      <span className="flex gap-2 text-amber-ink">
        <Eye className="on-first-line size-5 shrink-0" strokeWidth={1.75} aria-hidden />
        <span>
          <bdi dir="auto" className="font-bold wrap-anywhere">
            {claim.name}
          </bdi>{' '}
          is already reviewing this (opened {ago}).
        </span>
      </span>
    </p>
  );
}
