import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, ShieldCheck } from 'lucide-react';
import { useId, useState } from 'react';
import {
  confirmCode,
  enrollAuthenticator,
  NO_RECOVERY_CODES,
  newRecoveryCodes,
  removeSecondStep,
  secondStepQuery,
} from '#app/account/second-step-data.ts';
import { messageOf } from '#app/errors.ts';
import { SITE_NAME } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { Input } from '#app/ui/input.tsx';
import { DialogRegion, lazyDialog } from '#app/ui/region.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { toast } from '#app/ui/toast.tsx';

const ConfirmDialog = lazyDialog(() =>
  import('#app/ui/confirm-dialog.tsx').then((module) => module.ConfirmDialog),
);

type Enrolment = Awaited<ReturnType<typeof enrollAuthenticator>>;

const failed = (error: unknown) =>
  toast({ tone: 'error', title: 'Error', text: messageOf(error, 'Please try again') });

function leftInWords(codesLeft: number | 'off' | null): string {
  if (codesLeft === 'off') return NO_RECOVERY_CODES;
  if (codesLeft === null) return 'You have no recovery codes.';
  return codesLeft === 1 ? 'One recovery code is left.' : `${codesLeft} recovery codes are left.`;
}

/** Sets up, shows and removes two-step sign-in. */
export function SecondStepSettings({ userId }: { userId: string }) {
  const cache = useQueryClient();
  const status = useQuery(secondStepQuery(browserClient, userId));
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [codes, setCodes] = useState<string[]>();
  const [removing, setRemoving] = useState(false);
  const [busy, setBusy] = useState(false);
  const runAction = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
      await cache.invalidateQueries({ queryKey: ['account'] });
    } catch (error) {
      failed(error);
    } finally {
      setBusy(false);
    }
  };
  if (status.isError) return <Button onClick={() => void status.refetch()}>Try again</Button>;
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
                  void runAction(async () => setCodes(await newRecoveryCodes(await browserClient())))
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
            void runAction(async () =>
              setEnrolment(await enrollAuthenticator(await browserClient(), SITE_NAME)),
            )
          }
        >
          Set up two-step sign-in
        </Button>
      )}
      {enrolment && (
        <DialogRegion onClose={() => setEnrolment(undefined)}>
          <EnrolDialog
            enrolment={enrolment}
            onClose={() => setEnrolment(undefined)}
            onConfirmed={() => {
              setEnrolment(undefined);
              toast({ tone: 'success', title: 'Two-step sign-in is on' });
              void runAction(async () => setCodes(await newRecoveryCodes(await browserClient())));
            }}
          />
        </DialogRegion>
      )}
      {codes && (
        <DialogRegion onClose={() => setCodes(undefined)}>
          <CodesDialog codes={codes} onClose={() => setCodes(undefined)} />
        </DialogRegion>
      )}
      {removing && (
        <ConfirmDialog
          title="Turn off two-step sign-in"
          question="Your password alone will be enough to sign in. Your recovery codes will no longer work."
          verb="Turn Off"
          busy={busy && 'Turning off'}
          onClose={() => setRemoving(false)}
          onConfirm={() =>
            void runAction(async () => {
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

function EnrolDialog({
  enrolment,
  onClose,
  onConfirmed,
}: {
  enrolment: Enrolment;
  onClose: () => void;
  onConfirmed: () => void;
}) {
  const formId = useId();
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await confirmCode(await browserClient(), code, enrolment.id);
      onConfirmed();
    } catch (refusal) {
      setError(messageOf(refusal, 'The code couldn’t be checked'));
      setBusy(false);
    }
  };
  return (
    <Dialog
      onClose={onClose}
      title="Set up two-step sign-in"
      description="Scan the QR code with your authenticator app, or enter the key by hand. Then type the 6-digit code it shows."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            disabled={!code.trim()}
            busy={busy && 'Checking'}
          >
            Confirm
          </Button>
        </>
      }
    >
      <form
        id={formId}
        method="dialog"
        noValidate
        className="mt-5 flex flex-col gap-5 sm:flex-row"
        onSubmit={(event) => {
          event.preventDefault();
          if (code.trim() && !busy) void confirm();
        }}
      >
        <img
          src={enrolment.totp.qr_code}
          alt="QR code with the key below"
          width={176}
          height={176}
          className="size-44 shrink-0 self-center rounded-md bg-white p-2"
        />
        <div className="flex min-w-0 flex-1 flex-col gap-4">
          <div>
            <p className="font-title">Key</p>
            <p className="mt-1 font-mono text-sm wrap-anywhere select-all">{enrolment.totp.secret}</p>
          </div>
          <Field label="Code" hint="Six digits" error={error}>
            {(control) => (
              <Input
                {...control}
                value={code}
                onChange={(event) => setCode(event.target.value)}
                inputMode="numeric"
                autoComplete="one-time-code"
              />
            )}
          </Field>
        </div>
      </form>
    </Dialog>
  );
}

function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const written = codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'));
  return (
    <Dialog
      onClose={onClose}
      title="Your recovery codes"
      description="Each code works once if you don’t have your phone. Store them somewhere safe – you won’t see them again."
      actions={
        <>
          <Button
            onClick={() =>
              void navigator.clipboard
                .writeText(written.join('\n'))
                .then(() => toast({ tone: 'success', title: 'Copied' }), failed)
            }
          >
            <Copy className="size-5" strokeWidth={1.75} aria-hidden />
            Copy
          </Button>
          <Button variant="primary" onClick={onClose}>
            I’ve saved them
          </Button>
        </>
      }
    >
      <ul className="mt-5 grid gap-x-6 gap-y-1 rounded-md bg-sunken p-4 font-mono text-sm sm:grid-cols-2">
        {written.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  );
}
