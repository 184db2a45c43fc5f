import { useQuery } from '@tanstack/react-query';
import { useAction } from '#app/frame/act/use-action.ts';
import { type Sanction, sanctionsQuery } from '#app/frame/members/data.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { isActive, liftSanction } from './sanction-data.ts';

const names: Record<string, string> = { warning: 'Warning', suspension: 'Suspension', ban: 'Ban' };

interface SanctionHistoryProps {
  memberId: string;
  /** Bans are lifted by admins alone. */
  isAdmin: boolean;
}

/** A member's earlier sanctions; those in force can be lifted. */
export function SanctionHistory({ memberId, isAdmin }: SanctionHistoryProps) {
  const history = useQuery(sanctionsQuery(browserClient, memberId));
  const lifting = useAction({
    act: async (id: string) => liftSanction(await browserClient(), id),
    done: 'Sanction lifted',
    failed: 'Failed to lift sanction',
    refresh: [['moderation', 'sanctions', memberId]],
  });
  if (history.isPending) return <Skeleton className="mt-5 h-6" />;
  if (!history.data) return <p className="mt-5 text-ink-2">Earlier sanctions could not be loaded</p>;
  if (history.data.length === 0) return <p className="mt-5 text-ink-2">No sanctions so far</p>;
  return (
    <ul aria-label="Earlier sanctions" className="mt-5 max-h-52 divide-y overflow-y-auto rounded-md border">
      {history.data.map((sanction) => (
        <li key={sanction.id} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
          <div className="min-w-0 flex-1">
            <p className="text-sm text-ink-3">
              <span className="font-bold text-ink">{names[sanction.kind] ?? sanction.kind}</span>{' '}
              {timesOf(sanction)}
            </p>
            <p {...asWritten(sanction.reason)} className="text-sm whitespace-pre-line wrap-anywhere">
              {sanction.reason}
            </p>
          </div>
          {isActive(sanction) && (isAdmin || sanction.kind !== 'ban') && (
            <Button
              size="small"
              busy={lifting.isPending && lifting.variables === sanction.id && 'Lifting'}
              onClick={() => lifting.mutate(sanction.id)}
            >
              Lift
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function timesOf({ created_at, until, lifted_at, by }: Sanction): string {
  const end = lifted_at ? `, lifted ${formatDay(lifted_at)}` : until ? `, until ${formatDay(until)}` : '';
  return `${formatDay(created_at)}${end} · by ${by?.full_name ?? by?.username ?? 'a former member'}`;
}
