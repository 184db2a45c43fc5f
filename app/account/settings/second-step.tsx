import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import {
  type Enrolment,
  enrollAuthenticator,
  enrollKey,
  hasFactor,
  NO_RECOVERY_CODES,
  newRecoveryCodes,
  removeFactor,
  removeSecondStep,
  secondStepQuery,
} from '#app/account/credentials/second-step-data.ts';
import { useAction } from '#app/frame/act/use-action.ts';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { siteName } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { cancelledText, pendingEmailQuery } from './data.ts';

const EnrolDialog = lazyDialog(() => import('./second-step-dialog.tsx'), 'EnrolDialog');
const CodesDialog = lazyDialog(() => import('./second-step-dialog.tsx'), 'CodesDialog');

function leftInWords(codesLeft: number | 'off' | null): string {
  if (codesLeft === 'off') return NO_RECOVERY_CODES;
  if (codesLeft === null) return 'You have no recovery codes.';
  return codesLeft === 1 ? 'One recovery code is left.' : `${codesLeft} recovery codes are left.`;
}

/** Sets up, shows and removes two-step sign-in. */
export function SecondStepSettings({ userId, byKey }: { userId: string; byKey: boolean }) {
  const status = useQuery(secondStepQuery(browserClient, userId));
  const pendingEmail = useQuery(pendingEmailQuery(browserClient, userId)).data;
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [codes, setCodes] = useState<string[]>();
  const settle = { failed: 'Error', fallback: 'Please try again', refresh: [['account']] };
  const acting = useAction({ act: (work: () => Promise<void>) => work(), ...settle });
  const removal = useConfirmedAction({
    title: 'Turn off two-step sign-in',
    question: 'Your password alone will be enough to sign in. Your recovery codes will no longer work.',
    verb: 'Turn off',
    busy: 'Turning off',
    act: async () => removeSecondStep(await browserClient()),
    done: 'Two-step sign-in is off',
    ...settle,
  });
  const busy = acting.isPending;
  const finish = async () => {
    toast({
      tone: 'success',
      title: 'Two-step sign-in is on',
      text: cancelledText(pendingEmail),
    });
    // Those that were given before stay good.
    if (typeof status.data?.codesLeft !== 'number') setCodes(await newRecoveryCodes(await browserClient()));
  };
  if (status.isError)
    return <LoadFailed title="Failed to load two-step sign-in" onRetry={() => void status.refetch()} />;
  if (!status.data) return <Skeleton className="h-20" />;
  const { apps, keys } = status.data;
  const isOn = hasFactor(status.data);
  const addApp = () =>
    acting.mutate(async () => setEnrolment(await enrollAuthenticator(await browserClient(), siteName())));
  const addKey = () =>
    acting.mutate(async () => {
      await enrollKey(await browserClient());
      await finish();
    });
  return (
    <>
      <p className="max-w-[66ch] text-ink-2">
        After your password you enter a 6-digit code from an app on your phone
        {byKey && ', or use a passkey or security key'}, so a stolen password isn’t enough to sign in.
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
          <ul className="mt-2">
            {[...apps, ...keys].map((factor) => {
              const name =
                factor.factor_type === 'totp'
                  ? 'Authenticator app'
                  : `Passkey or security key: ${factor.friendly_name}`;
              return (
                <li
                  key={factor.id}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1 text-ink-2"
                >
                  <span className="min-w-0 wrap-anywhere">{name}</span>
                  {/* The last one goes with two-step sign-in. */}
                  {apps.length + keys.length > 1 && (
                    <Button
                      size="small"
                      onClick={() =>
                        acting.mutate(async () => {
                          await removeFactor(await browserClient(), factor.id);
                          toast({ tone: 'success', title: 'Removed', text: name });
                        })
                      }
                    >
                      Remove<span className="sr-only"> {name}</span>
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
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
            {apps.length === 0 && <Button onClick={addApp}>Add an authenticator app</Button>}
            {byKey && <Button onClick={addKey}>Add a passkey or security key</Button>}
            <Button onClick={() => removal.ask()}>Turn off two-step sign-in</Button>
          </div>
        </>
      ) : (
        <div className="mt-4 flex flex-wrap gap-3">
          <Button busy={busy && 'Preparing'} onClick={addApp}>
            Set up two-step sign-in
          </Button>
          {byKey && <Button onClick={addKey}>Use a passkey or security key</Button>}
        </div>
      )}
      {enrolment && (
        <EnrolDialog
          enrolment={enrolment}
          onClose={() => setEnrolment(undefined)}
          onConfirmed={() => {
            setEnrolment(undefined);
            acting.mutate(finish);
          }}
        />
      )}
      {codes && <CodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
      {removal.dialog}
    </>
  );
}
