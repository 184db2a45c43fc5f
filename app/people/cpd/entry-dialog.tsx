import { useFields } from '#app/frame/act/use-fields.ts';
import { browserClient } from '#app/supabase.ts';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Input, Options, Select, Textarea } from '#app/ui/controls/input.tsx';
import { OptionalPart } from '#app/ui/controls/optional-part.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import {
  type Activity,
  activities,
  type CpdEntry,
  type CpdSubject,
  type Kind,
  kinds,
  MAX_BENEFIT,
  MAX_IN_DETAIL,
  MAX_MINUTES,
  MAX_REFLECTION,
  MAX_SUBJECT,
  saveEntry,
} from './data.ts';
import { today } from './period.ts';

interface EntryDialogProps {
  memberId: string;
  /** An entry of the record to change, or what a new one is about; left out for an empty one. */
  entry?: CpdEntry | CpdSubject | undefined;
  /** The number of entries of the record that are told in detail. */
  inDetail: number;
  onClose: () => void;
}

/** Adds an entry to the CPD record, or changes one. */
export function EntryDialog({ memberId, entry, inDetail, onClose }: EntryDialogProps) {
  const stored = entry && 'id' in entry ? entry : undefined;
  const isFull = !stored?.in_detail && inDetail >= MAX_IN_DETAIL;
  const form = useFields(
    {
      activity: entry?.activity ?? 'read',
      subject: entry?.subject ?? '',
      day: entry?.day ?? today(),
      minutes: stored ? String(stored.minutes) : '',
      kind: stored?.kind ?? '',
      reflection: stored?.reflection ?? '',
      benefit: stored?.benefit ?? '',
      isInDetail: stored?.in_detail ?? false,
    },
    {
      problems: ({ subject, day, minutes }) => ({
        subject: subject.trim() ? undefined : 'Please say what it was about',
        day: !day
          ? 'Please enter the date'
          : day > today()
            ? 'The date cannot be in the future'
            : day < '2000-01-01'
              ? 'The date cannot be before 2000'
              : undefined,
        minutes:
          Number.isInteger(Number(minutes)) && Number(minutes) >= 1 && Number(minutes) <= MAX_MINUTES
            ? undefined
            : 'Please enter 1 to 1,440 whole minutes',
      }),
      act: async (typed) =>
        saveEntry(await browserClient(), memberId, stored?.id, {
          activity: typed.activity as Activity,
          subject: typed.subject.trim(),
          solution_id: entry?.solution_id ?? null,
          topic_id: entry?.topic_id ?? null,
          day: typed.day,
          kind: (typed.kind || null) as Kind | null,
          minutes: Number(typed.minutes),
          reflection: typed.reflection.trim() || null,
          benefit: typed.benefit.trim() || null,
          in_detail: typed.isInDetail,
        }),
      done: 'CPD record saved',
      failed: 'Failed to save the entry',
      fallback: 'Please try again',
      onDone: onClose,
      refresh: [['cpd']],
    },
  );
  const { fields, errors, register } = form;

  return (
    <Dialog
      onClose={onClose}
      title={stored ? 'Edit entry' : 'Add entry'}
      description="Only you can read your record. Leave out anything that could identify a patient."
      onSubmit={form.submit}
      action={{ label: 'Save entry', busy: form.isPending && 'Saving' }}
    >
      <div className="mt-5 flex flex-col gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Activity">
            <Select {...register('activity')}>
              <Options of={activities} />
            </Select>
          </Field>
          <Field label="Type of learning" optional>
            <Select {...register('kind')}>
              <Options of={kinds} none="Not chosen" />
            </Select>
          </Field>
        </div>
        <Field label="About" error={errors.subject}>
          <Input {...register('subject')} maxLength={MAX_SUBJECT} />
        </Field>
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Date" error={errors.day}>
            <Input {...register('day')} type="date" min="2000-01-01" max={today()} />
          </Field>
          <Field label="Minutes" error={errors.minutes}>
            <Input {...register('minutes')} inputMode="numeric" autoComplete="off" maxLength={4} />
          </Field>
        </div>
        <Field label="Reflection" optional hint="What did you learn, and what will you do differently?">
          <Textarea {...register('reflection')} rows={3} maxLength={MAX_REFLECTION} />
        </Field>
        <OptionalPart title="For an audit" isFilled={fields.benefit !== '' || fields.isInDetail}>
          <Field label="Benefit to service users" hint="How does it help the people you treat?">
            <Textarea {...register('benefit')} rows={3} maxLength={MAX_BENEFIT} />
          </Field>
          <Checkbox
            className="mt-3"
            checked={fields.isInDetail}
            disabled={isFull}
            onChange={({ currentTarget }) => form.change({ isInDetail: currentTarget.checked })}
          >
            {isFull ? 'Tell in detail: six entries are chosen already' : 'Tell in detail'}
          </Checkbox>
        </OptionalPart>
      </div>
    </Dialog>
  );
}
