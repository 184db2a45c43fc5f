import { useFields } from '#app/frame/act/use-fields.ts';
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
  const form = useFields(
    { kind: 'warning' as SanctionKind, day: dayFromNow(7), reason: '' },
    {
      problems: ({ kind, day, reason }) => ({
        day:
          kind === 'suspension' && !(day >= dayFromNow(1) && day <= dayFromNow(365))
            ? 'Choose a date within a year'
            : undefined,
        reason: reason.trim() ? undefined : 'Please provide a reason',
      }),
      act: async ({ kind, day, reason }) =>
        imposeSanction(await browserClient(), {
          user_id: memberId,
          kind,
          reason: reason.trim(),
          until: kind === 'suspension' ? `${day}T23:59:59Z` : null,
        }),
      done: (_nothing, { kind }) => ({
        title: kinds.find(({ value }) => value === kind)?.done ?? '',
        text: `We’ve sent ${name} a message.`,
      }),
      failed: 'Failed to sanction member',
      onDone: onClose,
      refresh: [['moderation', 'sanctions', memberId]],
    },
  );
  const { kind } = form.fields;
  return (
    <Dialog
      onClose={onClose}
      title={`Sanction ${name}`}
      onSubmit={form.submit}
      action={{ label: 'Sanction', variant: 'danger', busy: form.isPending && 'Sending' }}
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
                onChange={() => form.change({ kind: value })}
              >
                {label}
              </Radio>
            ),
        )}
      </FieldGroup>
      {kind === 'suspension' && (
        <Field label="Last day" error={form.errors.day} className="mt-4">
          <Input {...form.register('day')} type="date" min={dayFromNow(1)} max={dayFromNow(365)} />
        </Field>
      )}
      <Field
        label="Reason"
        hint="Sent to the member, who can reply to you."
        error={form.errors.reason}
        className="mt-4"
      >
        <Textarea {...form.register('reason')} maxLength={2000} />
      </Field>
    </Dialog>
  );
}
