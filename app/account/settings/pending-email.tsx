import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { CodeForm } from '#app/account/credentials/code-form.tsx';
import {
  EMAIL_INTERVAL_S,
  secondsToWait,
  useWaitingTime,
} from '#app/account/credentials/use-waiting-time.ts';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { cancelEmailChange, confirmEmailChange, pendingEmailQuery, resendEmailChange } from './data.ts';

/** A change of email that waits for its confirmations: sent again, confirmed by code, or taken back. */
export function PendingEmail({ userId, email }: { userId: string; email: string }) {
  const pending = useQuery(pendingEmailQuery(browserClient, userId)).data;
  return pending ? <Pending key={pending} userId={userId} email={email} pending={pending} /> : null;
}

function Pending({ userId, email, pending }: { userId: string; email: string; pending: string }) {
  const cache = useQueryClient();
  const { queryKey } = pendingEmailQuery(browserClient, userId);
  const [seconds, wait] = useWaitingTime();
  const [isTyping, setIsTyping] = useState(false);
  const [busy, setBusy] = useState<'resend' | 'cancel'>();
  const runAction = async (what: 'resend' | 'cancel', work: () => Promise<void>) => {
    setBusy(what);
    try {
      await work();
    } catch (error) {
      const left = secondsToWait(error);
      if (left) wait(left);
      else toast({ tone: 'error', title: 'Error', text: messageOf(error, 'Please try again') });
    }
    setBusy(undefined);
  };
  const resend = () =>
    runAction('resend', async () => {
      await resendEmailChange(await browserClient(), email);
      wait(EMAIL_INTERVAL_S);
      toast({ tone: 'success', title: 'Emails sent', text: `Check ${email} and ${pending}.` });
    });
  const cancel = () =>
    runAction('cancel', async () => {
      await cancelEmailChange(await browserClient());
      await cache.invalidateQueries({ queryKey });
      toast({ tone: 'success', title: 'Change cancelled', text: `Your email is still ${email}.` });
    });
  return (
    <Banner
      tone="accent"
      icon={MailCheck}
      title={<span className="wrap-anywhere">Waiting for confirmation of {pending}.</span>}
    >
      <p className="wrap-anywhere">
        We’ve emailed {email} and {pending}. Confirm from both to change your email.
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button
          size="small"
          disabled={seconds > 0}
          busy={busy === 'resend' && 'Sending'}
          onClick={() => void resend()}
        >
          {seconds > 0 ? `Send again in ${seconds} s` : 'Send again'}
        </Button>
        <Button size="small" aria-expanded={isTyping} onClick={() => setIsTyping(!isTyping)}>
          Enter a code
        </Button>
        <Button size="small" busy={busy === 'cancel' && 'Cancelling'} onClick={() => void cancel()}>
          Cancel change
        </Button>
      </div>
      {isTyping && (
        <div className="mt-4 text-ink">
          <CodeForm
            verb="Confirm code"
            onSubmit={async (code) => {
              const isChanged = await confirmEmailChange(await browserClient(), [pending, email], code);
              toast({
                tone: 'success',
                title: isChanged ? 'Your email was changed' : 'Code confirmed',
                text: isChanged ? undefined : 'Now confirm from your other address too.',
              });
              await cache.invalidateQueries({ queryKey });
            }}
          />
        </div>
      )}
    </Banner>
  );
}
