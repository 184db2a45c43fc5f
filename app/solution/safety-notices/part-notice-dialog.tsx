import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
import { useFields } from '#app/frame/act/use-fields.ts';
import { makerText } from '#app/solution/fabrication/fabrication.ts';
import type { PartNotice, Solution } from '#app/solution/solutions/data.ts';
import { noticeKind, type SafetyKind } from '#app/solution/warnings/safety-notice-kinds.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Select } from '#app/ui/controls/input.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';
import { ConfirmDialog } from '#app/ui/surfaces/confirm-dialog.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { type NamedPart, partCountQuery, publishPartNotice, withdrawNotice } from './data.ts';
import { NoticeFields, noticeProblem } from './notice-fields.tsx';
import { partsToWarnOf } from './parts-to-warn-of.ts';

interface PartNoticeDialogProps {
  solution: Solution;
  onClose: () => void;
}

/** Warns of a part of the solution, on all solutions with that part, or withdraws such a warning. For moderators. */
export function PartNoticeDialog({ solution, onClose }: PartNoticeDialogProps) {
  const parts = partsToWarnOf(solution);
  const partOf = (chosen: string) => parts[chosen === '' ? -1 : Number(chosen)];
  const form = useFields(
    { part: parts.length === 1 ? '0' : '', kind: 'caution' as SafetyKind, content: '', language: '' },
    {
      problems: (typed) => ({
        part: partOf(typed.part) ? undefined : 'Please choose a part',
        content: noticeProblem(typed),
      }),
      act: async ({ part, kind, content, language }) => {
        const named = partOf(part);
        if (!named) return;
        await publishPartNotice(await browserClient(), {
          ...named,
          kind,
          content: content.trim(),
          language: chosenLanguage(language, content),
        });
      },
      done: {
        title: 'Safety notice published',
        text: 'Members who shared, tried or saved a solution with this part are notified.',
      },
      failed: 'Failed to publish the notice',
      onDone: onClose,
      refresh: [['solutions']],
    },
  );
  const [withdrawn, setWithdrawn] = useState<PartNotice>();
  const touched = useSolutionsWith(partOf(form.fields.part));
  if (withdrawn)
    return <WithdrawDialog notice={withdrawn} onBack={() => setWithdrawn(undefined)} onDone={onClose} />;
  return (
    <Dialog
      onClose={onClose}
      onSubmit={form.submit}
      title="Safety notice on a part"
      description="Shown on every solution with this part and on its card, however its number is written. It replaces an earlier notice on the part."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={form.isPending && 'Publishing'}>
            Publish notice
          </Button>
        </>
      }
    >
      <div className="mt-5 flex flex-col gap-5">
        <Field label="Part" error={form.errors.part} note={touched && `The notice will stand on ${touched}.`}>
          <Select {...form.register('part')}>
            <option value="">Please select</option>
            {parts.map((part, index) => (
              <option key={makerText(part)} value={index}>
                {makerText(part)}
              </option>
            ))}
          </Select>
        </Field>
        <NoticeFields form={form} />
      </div>
      {solution.partNotices.length > 0 && (
        <ul className="mt-5 flex flex-col divide-y border-y">
          {solution.partNotices.map((notice) => (
            <CurrentNotice key={notice.id} notice={notice} onWithdraw={() => setWithdrawn(notice)} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

/** The public solutions with a part, in words; undefined until they are counted. */
function useSolutionsWith(part: NamedPart | undefined) {
  const { data } = useQuery({
    ...partCountQuery(browserClient, part ?? { maker: '', part_number: '' }),
    enabled: part !== undefined,
  });
  if (data === undefined) return undefined;
  // No more are counted.
  if (data >= 1000) return 'at least 1,000 solutions';
  return data === 1 ? '1 solution' : `${data} solutions`;
}

interface WithdrawDialogProps {
  notice: PartNotice;
  onBack: () => void;
  onDone: () => void;
}

/** Asks before the warning ends on every solution with the part. */
function WithdrawDialog({ notice, onBack, onDone }: WithdrawDialogProps) {
  const touched = useSolutionsWith(notice);
  const withdrawing = useAction({
    act: async () => withdrawNotice(await browserClient(), 'part_notices', notice.id),
    done: () => 'Safety notice withdrawn',
    failed: () => 'Failed to withdraw the notice',
    onDone,
    refresh: [['solutions']],
  });
  return (
    <ConfirmDialog
      title={`Withdraw the notice on ${makerText(notice)}`}
      question={`This withdraws the notice from ${touched ?? 'every solution with the part'}. Readers are no longer warned there.`}
      verb="Withdraw notice"
      busy={withdrawing.isPending && 'Withdrawing'}
      onConfirm={() => withdrawing.mutate()}
      onClose={onBack}
    />
  );
}

function CurrentNotice({ notice, onWithdraw }: { notice: PartNotice; onWithdraw: () => void }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <span className="font-bold">
          {noticeKind(notice.kind).badge}: <bdi>{makerText(notice)}</bdi>
        </span>
        <span {...asWritten(notice.content, notice.language)} className="block text-ink-2">
          {notice.content}
        </span>
      </p>
      <Button className="text-red-ink" onClick={onWithdraw}>
        Withdraw
        <span className="sr-only"> the notice on {makerText(notice)}</span>
      </Button>
    </li>
  );
}
