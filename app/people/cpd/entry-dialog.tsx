import { useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
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
  const [fields, setFields] = useState({
    activity: entry?.activity ?? 'read',
    subject: entry?.subject ?? '',
    day: entry?.day ?? today(),
    minutes: stored ? String(stored.minutes) : '',
    kind: stored?.kind ?? '',
    reflection: stored?.reflection ?? '',
    benefit: stored?.benefit ?? '',
  });
  const [isInDetail, setInDetail] = useState(stored?.in_detail ?? false);
  const isFull = !stored?.in_detail && inDetail >= MAX_IN_DETAIL;
  const [isTried, setIsTried] = useState(false);
  const set = (name: keyof typeof fields) => (event: { target: { value: string } }) =>
    setFields((before) => ({ ...before, [name]: event.target.value }));

  const saving = useAction({
    act: async () =>
      saveEntry(await browserClient(), memberId, stored?.id, {
        activity: fields.activity as Activity,
        subject: fields.subject.trim(),
        solution_id: entry?.solution_id ?? null,
        topic_id: entry?.topic_id ?? null,
        day: fields.day,
        kind: (fields.kind || null) as Kind | null,
        minutes: Number(fields.minutes),
        reflection: fields.reflection.trim() || null,
        benefit: fields.benefit.trim() || null,
        in_detail: isInDetail,
      }),
    done: 'CPD record saved',
    failed: 'Failed to save the entry',
    fallback: 'Please try again',
    onDone: onClose,
    refresh: [['cpd']],
  });
  const minutes = Number(fields.minutes);
  const wrong: { subject?: string; day?: string; minutes?: string } = {
    ...(!fields.subject.trim() && { subject: 'Please say what it was about' }),
    ...(!fields.day
      ? { day: 'Please enter the date' }
      : fields.day > today()
        ? { day: 'The date cannot be in the future' }
        : fields.day < '2000-01-01' && { day: 'The date cannot be before 2000' }),
    ...(!(Number.isInteger(minutes) && minutes >= 1 && minutes <= MAX_MINUTES) && {
      minutes: 'Please enter 1 to 1,440 whole minutes',
    }),
  };
  const errors = isTried ? wrong : {};
  const save = () => {
    setIsTried(true);
    if (Object.keys(wrong).length === 0) saving.mutate();
  };

  return (
    <Dialog
      onClose={onClose}
      title={stored ? 'Edit entry' : 'Add entry'}
      description="Only you can read your record. Leave out anything that could identify a patient."
      onSubmit={save}
      action={{ label: 'Save entry', busy: saving.isPending && 'Saving' }}
    >
      <div className="mt-5 flex flex-col gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Activity">
            <Select name="activity" value={fields.activity} onChange={set('activity')}>
              <Options of={activities} />
            </Select>
          </Field>
          <Field label="Type of learning" optional>
            <Select name="kind" value={fields.kind} onChange={set('kind')}>
              <Options of={kinds} none="Not chosen" />
            </Select>
          </Field>
        </div>
        <Field label="About" error={errors.subject}>
          <Input name="subject" maxLength={MAX_SUBJECT} value={fields.subject} onChange={set('subject')} />
        </Field>
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Date" error={errors.day}>
            <Input
              name="day"
              type="date"
              min="2000-01-01"
              max={today()}
              value={fields.day}
              onChange={set('day')}
            />
          </Field>
          <Field label="Minutes" error={errors.minutes}>
            <Input
              name="minutes"
              inputMode="numeric"
              autoComplete="off"
              maxLength={4}
              value={fields.minutes}
              onChange={set('minutes')}
            />
          </Field>
        </div>
        <Field label="Reflection" optional hint="What did you learn, and what will you do differently?">
          <Textarea
            name="reflection"
            rows={3}
            maxLength={MAX_REFLECTION}
            value={fields.reflection}
            onChange={set('reflection')}
          />
        </Field>
        <OptionalPart title="For an audit" isFilled={fields.benefit !== '' || isInDetail}>
          <Field label="Benefit to service users" hint="How does it help the people you treat?">
            <Textarea
              name="benefit"
              rows={3}
              maxLength={MAX_BENEFIT}
              value={fields.benefit}
              onChange={set('benefit')}
            />
          </Field>
          <Checkbox
            className="mt-3"
            checked={isInDetail}
            disabled={isFull}
            onChange={({ currentTarget }) => setInDetail(currentTarget.checked)}
          >
            {isFull ? 'Tell in detail: six entries are chosen already' : 'Tell in detail'}
          </Checkbox>
        </OptionalPart>
      </div>
    </Dialog>
  );
}
