import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Banner } from '#app/ui/banner.tsx';
import { formatDay } from '#app/ui/dates.ts';
import { sanctionQuery } from './data.ts';

/** Shows a suspended or banned member, on every page, their restrictions and the address for an appeal. */
export function SanctionNotice() {
  const member = useMember();
  const { data: sanction } = useQuery({
    ...sanctionQuery(browserClient, member?.id ?? ''),
    enabled: member != null,
  });
  if (!member || !sanction) return null;
  return (
    <div className="page pt-6">
      <Banner
        tone="red"
        icon="icon-ban"
        title={
          sanction.until
            ? `You are suspended until ${formatDay(sanction.until)}.`
            : 'You are banned from taking part.'
        }
      >
        You can read everything, but not post, comment, like, report or write to members.{' '}
        <span className="wrap-anywhere">Reason: {sanction.reason}</span>{' '}
        {sanction.created_by && (
          <Link to={`/messages/${sanction.created_by}`} className="underline underline-offset-3">
            Answer the moderator
          </Link>
        )}
      </Banner>
    </div>
  );
}
