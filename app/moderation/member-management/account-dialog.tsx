import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { ConfirmDialog } from '#app/ui/surfaces/confirm-dialog.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { accountQuery, removeSecondStep, setAccountDisabled } from './account-data.ts';

interface AccountDialogProps {
  memberId: string;
  name: string;
  onClose: () => void;
}

/** What an admin can do about a member's account: disable it, and remove a second step that was lost. */
export function AccountDialog({ memberId, name, onClose }: AccountDialogProps) {
  const [asking, setAsking] = useState<'disable' | 'remove' | null>(null);
  const back = () => setAsking(null);
  const account = useQuery(accountQuery(browserClient, memberId));
  const refresh = [['moderation', 'account', memberId]];
  const disabling = useAction({
    act: async (disabled: boolean) => setAccountDisabled(await browserClient(), memberId, disabled),
    done: (_, disabled) => ({
      title: disabled ? 'Account disabled' : 'Account enabled',
      text: `We’ve emailed ${name}.`,
    }),
    failed: (_, disabled) => `Failed to ${disabled ? 'disable' : 'enable'} the account`,
    onDone: back,
    refresh,
  });
  const removing = useAction({
    act: async () => removeSecondStep(await browserClient(), memberId),
    done: { title: 'Second step removed', text: `We’ve emailed ${name}.` },
    failed: 'Failed to remove the second step',
    onDone: back,
    refresh,
  });
  if (asking === 'disable')
    return (
      <ConfirmDialog
        title={`Disable the account of ${name}`}
        question="They are signed out everywhere and can’t sign in until you enable it again. What they published stays."
        verb="Disable account"
        busy={disabling.isPending && 'Saving'}
        onConfirm={() => disabling.mutate(true)}
        onClose={back}
      />
    );
  if (asking === 'remove')
    return (
      <ConfirmDialog
        title={`Remove the second step of ${name}`}
        question="They are signed out everywhere, and sign in with their password alone until they set it up again. This can’t be undone."
        verb="Remove second step"
        busy={removing.isPending && 'Removing'}
        onConfirm={() => removing.mutate()}
        onClose={back}
      />
    );
  return (
    <Dialog title={`Account of ${name}`} onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      {account.data ? (
        <div className="mt-5 divide-y rounded-md border">
          <Row
            title={account.data.disabled ? 'The account is disabled' : 'The account is enabled'}
            text={
              account.data.disabled
                ? 'They can’t sign in. What they published stays.'
                : 'Disabling it signs them out everywhere. What they published stays.'
            }
          >
            <Button
              variant={account.data.disabled ? 'default' : 'danger'}
              busy={disabling.isPending && 'Saving'}
              onClick={() => (account.data?.disabled ? disabling.mutate(false) : setAsking('disable'))}
            >
              {account.data.disabled ? 'Enable account' : 'Disable account'}
            </Button>
          </Row>
          <Row
            title={account.data.second_step ? 'Two-step sign-in is on' : 'Two-step sign-in is off'}
            text={
              account.data.second_step
                ? 'If they have lost their device and their recovery codes, remove it. First make sure that it’s really them asking.'
                : 'There is no second step to remove.'
            }
          >
            {account.data.second_step && (
              <Button variant="danger" onClick={() => setAsking('remove')}>
                Remove second step
              </Button>
            )}
          </Row>
        </div>
      ) : account.isPending ? (
        <Skeleton className="mt-5 h-48" />
      ) : (
        <LoadFailed
          className="mt-5"
          title="Failed to load the account"
          onRetry={() => void account.refetch()}
        />
      )}
    </Dialog>
  );
}

const Row = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <div className="flex flex-col items-start gap-3 px-4 py-4">
    <div>
      <p className="font-bold">{title}</p>
      <p className="text-ink-2">{text}</p>
    </div>
    {children}
  </div>
);
