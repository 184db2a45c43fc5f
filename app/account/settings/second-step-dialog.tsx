import { useRef } from 'react';
import { useCode } from '#app/account/credentials/code-form.tsx';
import { confirmCode, type Enrolment } from '#app/account/credentials/second-step-data.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { CopyButton } from '#app/ui/controls/copy-link.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { CodeInput } from '#app/ui/controls/input.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';

/** Connects an authenticator app: its QR code and key, and a first code as proof. */
export function EnrolDialog({
  enrolment,
  onClose,
  onConfirmed,
}: {
  enrolment: Enrolment;
  onClose: () => void;
  onConfirmed: () => void;
}) {
  const key = useRef<HTMLParagraphElement>(null);
  const { error, isPending, submit, input } = useCode({
    check: async (code) => {
      await confirmCode(await browserClient(), code, enrolment.id);
      onConfirmed();
    },
    refused: 'The code couldn’t be checked',
  });
  const isEmpty = !input.value.trim();
  return (
    <Dialog
      onClose={onClose}
      onSubmit={() => void (isEmpty || submit())}
      title="Set up two-step sign-in"
      description="Scan the QR code with your authenticator app, or enter the key by hand. Then type the 6-digit code it shows."
      action={{ label: 'Confirm', disabled: isEmpty, busy: isPending && 'Checking' }}
    >
      <div className="mt-5 flex flex-col gap-5 sm:flex-row">
        <img
          src={enrolment.totp.qr_code}
          alt="QR code with the key below"
          width={176}
          height={176}
          className="size-44 shrink-0 self-center rounded-md bg-white p-2"
        />
        <div className="flex min-w-0 flex-1 flex-col gap-4">
          <div>
            <p className="font-bold">Key</p>
            <p ref={key} className="mt-1 mb-2 font-mono text-sm select-all">
              {enrolment.totp.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
            </p>
            <p className="flex flex-wrap items-center gap-3">
              <CopyButton text={enrolment.totp.secret} label="Copy key" shown={key} />
            </p>
          </div>
          <Field label="Code" hint="Six digits" error={error}>
            <CodeInput {...input} />
          </Field>
        </div>
      </div>
    </Dialog>
  );
}

/** Shows new recovery codes, once. */
export function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const list = useRef<HTMLUListElement>(null);
  const written = codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'));
  return (
    <Dialog
      onClose={onClose}
      title="Your recovery codes"
      description="Each code works once if you don’t have your phone. Store them somewhere safe – you won’t see them again."
      actions={
        <Button variant="primary" onClick={onClose}>
          I’ve saved them
        </Button>
      }
    >
      <ul
        ref={list}
        className="mt-5 grid gap-x-6 gap-y-1 rounded-md bg-sunken p-4 font-mono text-sm sm:grid-cols-2"
      >
        {written.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className="mt-3 flex flex-wrap items-center gap-3">
        <CopyButton text={written.join('\n')} label="Copy" shown={list} />
      </p>
    </Dialog>
  );
}
