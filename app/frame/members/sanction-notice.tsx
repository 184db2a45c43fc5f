import { Link } from 'react-router';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { useSanction } from './use-sanction.ts';

/** Shows a suspended or banned member, on every page, their restrictions and the address for an appeal. */
export function SanctionNotice() {
  const sanction = useSanction();
  if (!sanction) return null;
  return (
    <div className="page pt-6">
      <Banner tone="red" icon="icon-ban" title={sanction.sentence}>
        You can read everything, but you can’t post, comment, like, report or send messages.{' '}
        <span dir="auto" className="wrap-anywhere">
          Reason: {sanction.reason}
        </span>{' '}
        {sanction.created_by && (
          <Link to={`/messages/${sanction.created_by}`} className="underline underline-offset-3">
            Reply to the moderator
          </Link>
        )}
      </Banner>
    </div>
  );
}
