import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PasswordInput } from '#app/account/password-input.tsx';
import { secondStepQuery } from '#app/account/second-step-data.ts';
import { refusalOf, useCaptcha } from '#app/captcha/captcha.tsx';
import { messageOf } from '#app/errors.ts';
import { signOut } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/button.tsx';
import { Radio } from '#app/ui/checkbox-radio.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field, FieldGroup } from '#app/ui/field.tsx';
import { Input } from '#app/ui/input.tsx';
import { DialogRegion } from '#app/ui/region.tsx';
import { toast } from '#app/ui/toast.tsx';
import { deleteAccount, downloadData, sendCode } from './data.ts';

interface OwnDataProps {
  userId: string;
  email: string;
  hasPassword: boolean;
}

/** The export of a member's data and the deletion of their account. */
export function OwnDataSettings(props: OwnDataProps) {
  const [collecting, setCollecting] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const download = async () => {
    setCollecting(true);
    try {
      const address = URL.createObjectURL(await downloadData(await browserClient()));
      Object.assign(document.createElement('a'), { href: address, download: 'my-data.zip' }).click();
      // Only once the browser has begun to read it.
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    } catch (error) {
      toast({ tone: 'error', title: 'Error', text: messageOf(error, 'Your data could not be collected') });
    }
    setCollecting(false);
  };
  return (
    <div className="flex flex-col gap-6">
      <div>
        <p className="max-w-[66ch] text-ink-2">
          Your profile, what you shared and wrote, your messages and files, in one ZIP file.
        </p>
        <Button className="mt-3" busy={collecting && 'Collecting'} onClick={() => void download()}>
          <Download className="size-5" strokeWidth={1.75} aria-hidden />
          Download my data
        </Button>
      </div>
      <div>
        <p className="max-w-[66ch] text-ink-2">
          Deleting your account erases your personal data at once. What law requires of us is archived for 7
          years, out of reach of this site.
        </p>
        <Button className="mt-3" onClick={() => setDeleting(true)}>
          Delete my account
        </Button>
      </div>
      {deleting && (
        <DialogRegion onClose={() => setDeleting(false)}>
          <DeleteDialog {...props} onClose={() => setDeleting(false)} />
        </DialogRegion>
      )}
    </div>
  );
}

function DeleteDialog({ userId, email, hasPassword, onClose }: OwnDataProps & { onClose: () => void }) {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const apps = useQuery(secondStepQuery(browserClient, userId)).data?.apps ?? [];
  const [shared, setShared] = useState<'keep' | 'remove'>();
  const [proof, setProof] = useState('');
  const [appCode, setAppCode] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const captcha = useCaptcha();
  const deleteOwnAccount = async () => {
    if (!shared) return;
    // The request for the emailed code has already carried a captcha token.
    const person = hasPassword ? captcha.requestToken() : {};
    if (!person) return;
    setBusy(true);
    try {
      await deleteAccount(
        email,
        hasPassword ? { password: proof } : { mailed: proof },
        apps.length > 0 ? appCode : null,
        shared,
        person,
      );
    } catch (refusal) {
      setError(refusalOf(refusal, 'Your account could not be deleted'));
      setBusy(false);
      return;
    }
    await signOut();
    cache.clear();
    toast({ tone: 'success', title: 'Your account was deleted' });
    await navigate('/');
  };
  const mail = async () => {
    const person = captcha.requestToken();
    if (!person) return;
    try {
      await sendCode(await browserClient(), email, person);
      toast({ tone: 'success', title: 'Code sent', text: `Look for it at ${email}.` });
    } catch (refusal) {
      setError(refusalOf(refusal, 'The code could not be sent'));
    }
  };
  return (
    <Dialog
      onClose={onClose}
      title="Delete my account"
      description="This cannot be undone. Solutions that are not public yet, your messages and drafts go in any case."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="danger"
            disabled={!shared || !proof || (apps.length > 0 && !appCode)}
            busy={busy && 'Deleting'}
            onClick={() => void deleteOwnAccount()}
          >
            Delete Account
          </Button>
        </>
      }
    >
      <div className="mt-5 flex flex-col gap-5">
        <FieldGroup id="shared" legend="What you shared in public">
          <Radio name="shared" value="keep" checked={shared === 'keep'} onChange={() => setShared('keep')}>
            Stays, under the name “Former member”
          </Radio>
          <Radio
            name="shared"
            value="remove"
            checked={shared === 'remove'}
            onChange={() => setShared('remove')}
          >
            Is removed with my account
          </Radio>
        </FieldGroup>
        {hasPassword ? (
          <Field label="Password" error={error}>
            {(control) => (
              <PasswordInput
                {...control}
                value={proof}
                onChange={(event) => setProof(event.target.value)}
                autoComplete="current-password"
              />
            )}
          </Field>
        ) : (
          <Field label="Code from the e-mail" error={error}>
            {(control) => (
              <div className="flex gap-3">
                <Input
                  {...control}
                  value={proof}
                  onChange={(event) => setProof(event.target.value)}
                  inputMode="numeric"
                  autoComplete="one-time-code"
                />
                <Button onClick={() => void mail()}>Send code</Button>
              </div>
            )}
          </Field>
        )}
        {captcha.field}
        {apps.length > 0 && (
          <Field label="Code of your authenticator app">
            {(control) => (
              <Input
                {...control}
                value={appCode}
                onChange={(event) => setAppCode(event.target.value)}
                inputMode="numeric"
                autoComplete="one-time-code"
              />
            )}
          </Field>
        )}
      </div>
    </Dialog>
  );
}
