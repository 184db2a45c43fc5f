import { useInfiniteQuery } from '@tanstack/react-query';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { MoreButton } from '#app/ui/states/more-button.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { invitationsQuery, withdrawInvitation } from './data.ts';

/** The invitations that wait for their readers, to withdraw. */
export function Invitations() {
  const invitations = useInfiniteQuery(invitationsQuery(browserClient));
  const withdrawal = useConfirmedAction({
    title: 'Withdraw the invitation',
    question: (email) => `${email} can no longer sign up with it. You can invite them again.`,
    verb: 'Withdraw',
    busy: 'Withdrawing',
    act: async (email: string) => withdrawInvitation(await browserClient(), email),
    done: 'Invitation withdrawn',
    failed: 'Failed to withdraw the invitation',
    refresh: [['moderation', 'invitations']],
  });
  if (!invitations.data)
    return (
      <NotLoaded
        loading="Loading the invitations"
        failed="Failed to load the invitations"
        query={invitations}
      />
    );
  const pending = invitations.data.pages.flat();
  if (pending.length === 0) return null;
  return (
    <>
      <h3 className="mt-6 text-lg">Pending invitations</h3>
      <ul aria-label="Pending invitations" className="mt-2 divide-y">
        {pending.map(({ email, lapses_at }) => (
          <li key={email} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <div className="min-w-0 flex-1 basis-64">
              <p className="font-bold wrap-anywhere">{email}</p>
              <p className="text-sm text-ink-3">Valid until {formatDay(lapses_at)}</p>
            </div>
            <Button size="small" onClick={() => withdrawal.ask(email)}>
              Withdraw<span className="sr-only"> the invitation to {email}</span>
            </Button>
          </li>
        ))}
      </ul>
      <MoreButton query={invitations} className="mt-4">
        Load more
      </MoreButton>
      {withdrawal.dialog}
    </>
  );
}
