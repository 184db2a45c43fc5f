import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PasswordInput } from '#app/account/credentials/password-input.tsx';
import { secondStepQuery } from '#app/account/credentials/second-step-data.ts';
import { refusalOf, useCaptcha } from '#app/frame/captcha/captcha.tsx';
import { signOut } from '#app/session.ts';
import { forgetKeptHere } from '#app/sharing/outbox/kept-here.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Radio } from '#app/ui/controls/checkbox-radio.tsx';
import { Field, FieldGroup } from '#app/ui/controls/field.tsx';
import { CodeInput } from '#app/ui/controls/input.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { type AccountProps, AppCodeRefused, deleteAccount, sendCode } from './data.ts';

/** Asks what becomes of the published content, and for proof of who asks. */
export function DeleteDialog({ userId, email, provenBy, onClose }: AccountProps & { onClose: () => void }) {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const factors = useQuery(secondStepQuery(browserClient, userId)).data;
  // The present session has taken the second step.
  const { apps = [], keys = [] } = (provenBy !== 'session' && factors) || {};
  const [shared, setShared] = useState<'keep' | 'remove'>();
  const [proof, setProof] = useState('');
  const [appCode, setAppCode] = useState('');
  const [error, setError] = useState<string>();
  const [appError, setAppError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const captcha = useCaptcha();
  const deleteOwnAccount = async () => {
    if (!shared) return;
    // The request for the emailed code has already carried a captcha token.
    const person = provenBy === 'password' ? captcha.requestToken() : {};
    if (!person) return;
    setBusy(true);
    setError(undefined);
    setAppError(undefined);
    try {
      await deleteAccount(
        email,
        { password: { password: proof }, email: { mailed: proof }, session: undefined }[provenBy],
        apps.length > 0 ? { code: appCode } : keys.length > 0 ? 'key' : null,
        shared,
        person,
      );
    } catch (refusal) {
      const show = refusal instanceof AppCodeRefused ? setAppError : setError;
      show(refusalOf(refusal, 'Your account couldn’t be deleted'));
      setBusy(false);
      return;
    }
    await forgetKeptHere(userId);
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
      toast({ tone: 'success', title: 'Code sent', text: `Check ${email} for it.` });
    } catch (refusal) {
      setError(refusalOf(refusal, 'The code couldn’t be sent'));
    }
  };
  return (
    <Dialog
      onClose={onClose}
      onSubmit={() => void deleteOwnAccount()}
      title="Delete my account"
      description="This can’t be undone. Your personal data, drafts and unpublished solutions are always deleted. Messages you sent stay with the people who received them, attributed to “Former member”."
      action={{
        label: 'Delete account',
        variant: 'danger',
        disabled: !shared || (provenBy !== 'session' && !proof) || (apps.length > 0 && !appCode),
        busy: busy && 'Deleting',
      }}
    >
      <div className="mt-5 flex flex-col gap-5">
        <FieldGroup radios id="shared" legend="Your published content">
          <Radio name="shared" value="keep" checked={shared === 'keep'} onChange={() => setShared('keep')}>
            Keep it, attributed to “Former member”
          </Radio>
          <Radio
            name="shared"
            value="remove"
            checked={shared === 'remove'}
            onChange={() => setShared('remove')}
          >
            Delete it with my account
          </Radio>
        </FieldGroup>
        {provenBy === 'session' ? (
          <div>
            <p className="text-ink-2">Sign out and in again first: it has to be less than ten minutes ago.</p>
            {error && (
              <p role="alert" className="mt-2 text-red-ink">
                {error}
              </p>
            )}
          </div>
        ) : provenBy === 'password' ? (
          <Field label="Password" error={error}>
            <PasswordInput
              value={proof}
              onChange={(event) => {
                setProof(event.target.value);
                setError(undefined);
              }}
              autoComplete="current-password"
            />
          </Field>
        ) : (
          <Field label="Code from the email" error={error}>
            <div className="flex gap-3">
              <CodeInput
                value={proof}
                onChange={(event) => {
                  setProof(event.target.value);
                  setError(undefined);
                }}
              />
              <Button onClick={() => void mail()}>Send code</Button>
            </div>
          </Field>
        )}
        {provenBy !== 'session' && captcha.field}
        {apps.length > 0 && (
          <Field label="Code from your authenticator app" error={appError}>
            <CodeInput
              value={appCode}
              onChange={(event) => {
                setAppCode(event.target.value);
                setAppError(undefined);
              }}
            />
          </Field>
        )}
      </div>
    </Dialog>
  );
}
