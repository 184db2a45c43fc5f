import { useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
import { useViewer } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Radio } from '#app/ui/controls/checkbox-radio.tsx';
import { Field, FieldGroup } from '#app/ui/controls/field.tsx';
import { Input, Textarea } from '#app/ui/controls/input.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { imposeSanction, type SanctionKind } from './sanction-data.ts';
import { SanctionHistory } from './sanction-history.tsx';

const kinds = [
  { value: 'warning', label: 'Warning – they’re notified; nothing is restricted', done: 'Member warned' },
  { value: 'suspension', label: 'Suspension – read-only until a date you set', done: 'Member suspended' },
  { value: 'ban', label: 'Ban – read-only permanently', done: 'Member banned' },
] as const;

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

interface SanctionDialogProps {
  memberId: string;
  name: string;
  onClose: () => void;
}

/** Warns, suspends or, for admins, bans a member, with earlier sanctions in view. */
export function SanctionDialog({ memberId, name, onClose }: SanctionDialogProps) {
  const isAdmin = useViewer()?.isAdmin ?? false;
  const [kind, setKind] = useState<SanctionKind>('warning');
  const [day, setDay] = useState(() => dayFromNow(7));
  const [reason, setReason] = useState('');
  const [isTried, setIsTried] = useState(false);
  const imposing = useAction({
    act: async () =>
      imposeSanction(await browserClient(), {
        user_id: memberId,
        kind,
        reason: reason.trim(),
        until: kind === 'suspension' ? `${day}T23:59:59Z` : null,
      }),
    done: {
      title: kinds.find(({ value }) => value === kind)?.done ?? '',
      text: `We’ve sent ${name} a message.`,
    },
    failed: 'Failed to sanction member',
    onDone: onClose,
    refresh: [['moderation', 'sanctions', memberId]],
  });
  const wrong: { day?: string; reason?: string } = {
    ...(kind === 'suspension' && !(day >= dayFromNow(1) && day <= dayFromNow(365))
      ? { day: 'Choose a date within a year' }
      : {}),
    ...(reason.trim() ? {} : { reason: 'Please provide a reason' }),
  };
  const errors = isTried ? wrong : {};
  const impose = () => {
    setIsTried(true);
    if (Object.keys(wrong).length === 0) imposing.mutate();
  };
  return (
    <Dialog
      onClose={onClose}
      title={`Sanction ${name}`}
      onSubmit={impose}
      action={{ label: 'Sanction', variant: 'danger', busy: imposing.isPending && 'Sending' }}
    >
      <SanctionHistory memberId={memberId} isAdmin={isAdmin} />
      <FieldGroup radios legend="Action" id="sanction-kind" className="mt-5">
        {kinds.map(
          ({ value, label }) =>
            (value !== 'ban' || isAdmin) && (
              <Radio
                key={value}
                name="sanction-kind"
                value={value}
                checked={kind === value}
                onChange={() => setKind(value)}
              >
                {label}
              </Radio>
            ),
        )}
      </FieldGroup>
      {kind === 'suspension' && (
        <Field label="Last day" error={errors.day} className="mt-4">
          <Input
            type="date"
            min={dayFromNow(1)}
            max={dayFromNow(365)}
            value={day}
            onChange={(event) => setDay(event.target.value)}
          />
        </Field>
      )}
      <Field
        label="Reason"
        hint="Sent to the member, who can reply to you."
        error={errors.reason}
        className="mt-4"
      >
        <Textarea maxLength={2000} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </Dialog>
  );
}
