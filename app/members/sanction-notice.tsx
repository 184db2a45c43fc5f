import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Banner } from '#app/ui/banner.tsx';
import { formatDay } from '#app/ui/dates.ts';
import { sanctionQuery } from './data.ts';

const HOUR_MS = 3_600_000;

/** Shows a suspended or banned member, on every page, their restrictions and the address for an appeal. */
export function SanctionNotice() {
  const member = useMember();
  const { data: sanction } = useQuery({
    ...sanctionQuery(browserClient, member?.id ?? ''),
    enabled: member != null,
    // It ends by itself, and the notice with it.
    refetchInterval: ({ state }) =>
      state.data?.until
        ? Math.min(Math.max(Date.parse(state.data.until) - Date.now(), 1_000), HOUR_MS)
        : false,
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
        You can read everything, but you can’t post, comment, like, report or send messages.{' '}
        <span className="wrap-anywhere">Reason: {sanction.reason}</span>{' '}
        {sanction.created_by && (
          <Link to={`/messages/${sanction.created_by}`} className="underline underline-offset-3">
            Reply to the moderator
          </Link>
        )}
      </Banner>
    </div>
  );
}
