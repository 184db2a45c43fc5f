import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import {
  type Enrolment,
  enrollAuthenticator,
  NO_RECOVERY_CODES,
  newRecoveryCodes,
  removeSecondStep,
  secondStepQuery,
} from '#app/account/credentials/second-step-data.ts';
import { useAction } from '#app/frame/context/use-action.ts';
import { siteName } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { ConfirmDialog } from '#app/ui/surfaces/lazy-confirm-dialog.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';

const EnrolDialog = lazyDialog(() => import('./second-step-dialog.tsx'), 'EnrolDialog');
const CodesDialog = lazyDialog(() => import('./second-step-dialog.tsx'), 'CodesDialog');

function leftInWords(codesLeft: number | 'off' | null): string {
  if (codesLeft === 'off') return NO_RECOVERY_CODES;
  if (codesLeft === null) return 'You have no recovery codes.';
  return codesLeft === 1 ? 'One recovery code is left.' : `${codesLeft} recovery codes are left.`;
}

/** Sets up, shows and removes two-step sign-in. */
export function SecondStepSettings({ userId }: { userId: string }) {
  const status = useQuery(secondStepQuery(browserClient, userId));
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [codes, setCodes] = useState<string[]>();
  const [removing, setRemoving] = useState(false);
  const acting = useAction({
    act: (work: () => Promise<void>) => work(),
    failed: 'Error',
    fallback: 'Please try again',
    refresh: [['account']],
  });
  const busy = acting.isPending;
  if (status.isError)
    return <LoadFailed title="Failed to load two-step sign-in" onRetry={() => void status.refetch()} />;
  if (!status.data) return <Skeleton className="h-20" />;
  const isOn = status.data.apps.length > 0;
  return (
    <>
      <p className="max-w-[66ch] text-ink-2">
        After your password you enter a 6-digit code from an app on your phone, so a stolen password isn’t
        enough to sign in.
      </p>
      {isOn ? (
        <>
          <p className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
            <Badge tone="ok">
              <ShieldCheck aria-hidden />
              On
            </Badge>
            <span className="text-ink-2">{leftInWords(status.data.codesLeft)}</span>
          </p>
          <div className="mt-4 flex flex-wrap gap-3">
            {status.data.codesLeft !== 'off' && (
              <Button
                busy={busy && 'Working'}
                onClick={() =>
                  acting.mutate(async () => setCodes(await newRecoveryCodes(await browserClient())))
                }
              >
                Get new recovery codes
              </Button>
            )}
            <Button onClick={() => setRemoving(true)}>Turn off two-step sign-in</Button>
          </div>
        </>
      ) : (
        <Button
          className="mt-4"
          busy={busy && 'Preparing'}
          onClick={() =>
            acting.mutate(async () =>
              setEnrolment(await enrollAuthenticator(await browserClient(), siteName())),
            )
          }
        >
          Set up two-step sign-in
        </Button>
      )}
      {enrolment && (
        <EnrolDialog
          enrolment={enrolment}
          onClose={() => setEnrolment(undefined)}
          onConfirmed={() => {
            setEnrolment(undefined);
            toast({ tone: 'success', title: 'Two-step sign-in is on' });
            acting.mutate(async () => setCodes(await newRecoveryCodes(await browserClient())));
          }}
        />
      )}
      {codes && <CodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
      {removing && (
        <ConfirmDialog
          title="Turn off two-step sign-in"
          question="Your password alone will be enough to sign in. Your recovery codes will no longer work."
          verb="Turn Off"
          busy={busy && 'Turning off'}
          onClose={() => setRemoving(false)}
          onConfirm={() =>
            acting.mutate(async () => {
              await removeSecondStep(await browserClient());
              setRemoving(false);
              toast({ tone: 'success', title: 'Two-step sign-in is off' });
            })
          }
        />
      )}
    </>
  );
}
