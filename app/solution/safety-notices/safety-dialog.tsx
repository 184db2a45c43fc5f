import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
import { useFields } from '#app/frame/act/use-fields.ts';
import { authorName } from '#app/frame/members/names.ts';
import { siteSettings } from '#app/site.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { isSafetyKind, noticeKind, type SafetyKind } from '#app/solution/warnings/safety-notice-kinds.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { ConfirmDialog } from '#app/ui/surfaces/confirm-dialog.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { earlierNoticesQuery, publishNotice, withdrawNotice } from './data.ts';
import { HarmQuestion } from './harm-question.tsx';
import { NoticeFields, noticeProblem } from './notice-fields.tsx';

interface SafetyDialogProps {
  solution: Solution;
  memberId: string;
  /** False for an author whose notice a moderator wrote. */
  mayChange: boolean;
  onClose: () => void;
}

/** Publishes, changes or withdraws the safety notice of a solution, with earlier notices in view. */
export function SafetyDialog({ solution, memberId, mayChange, onClose }: SafetyDialogProps) {
  const current = solution.notices.find(({ ended_at }) => !ended_at);
  const earlier = useQuery(earlierNoticesQuery(browserClient, solution.id)).data ?? [];
  const form = useFields(
    {
      kind: current && isSafetyKind(current.kind) ? current.kind : ('caution' as SafetyKind),
      content: current?.content ?? '',
      language: current?.language ?? '',
    },
    {
      isEmpty: () => !mayChange,
      problems: (notice) => ({ content: noticeProblem(notice) }),
      act: async ({ kind, content, language }) =>
        publishNotice(await browserClient(), {
          solution_id: solution.id,
          user_id: memberId,
          kind,
          content: content.trim(),
          language: chosenLanguage(language, content),
        }),
      done: { title: 'Safety notice published', text: 'Members who liked or commented are notified.' },
      failed: 'Failed to publish the notice',
      onDone: onClose,
      refresh: [['solutions']],
    },
  );
  const [isWithdrawing, setWithdrawing] = useState(false);
  const withdrawing = useAction({
    act: async (id: string) => withdrawNotice(await browserClient(), 'safety_notices', id),
    done: 'Safety notice withdrawn',
    failed: 'Failed to withdraw the notice',
    onDone: onClose,
    refresh: [['solutions']],
  });
  if (isWithdrawing && current)
    return (
      <ConfirmDialog
        title="Withdraw the safety notice"
        question="Readers of this solution and of its card are no longer warned. The notice stays among the earlier ones."
        verb="Withdraw notice"
        busy={withdrawing.isPending && 'Withdrawing'}
        onConfirm={() => withdrawing.mutate(current.id)}
        onClose={() => setWithdrawing(false)}
      />
    );
  return (
    <Dialog
      onClose={onClose}
      onSubmit={form.submit}
      title="Safety notice"
      description="Shown at the top of the solution and on its card. The solution stays public."
      actions={
        <>
          <Button onClick={onClose}>{mayChange ? 'Cancel' : 'Close'}</Button>
          {mayChange && current && (
            <Button className="text-red-ink" onClick={() => !form.isPending && setWithdrawing(true)}>
              Withdraw
            </Button>
          )}
          {mayChange && (
            <Button type="submit" variant="primary" busy={form.isPending && 'Publishing'}>
              Publish notice
            </Button>
          )}
        </>
      }
    >
      {mayChange ? (
        <div className="mt-5 flex flex-col gap-5">
          <HarmQuestion>
            The safety notice warns readers of this site. Leave out anything that could identify a patient.
          </HarmQuestion>
          <NoticeFields form={form} />
        </div>
      ) : (
        <Banner tone="accent" icon={Lock} title="This notice was added by a moderator" className="mt-5">
          and only a moderator can change it. Contact us if it’s out of date.
        </Banner>
      )}
      {earlier.length > 0 && (
        <details className="mt-5">
          <summary className="disclosure">Earlier notices ({earlier.length})</summary>
          <ul className="mt-2 flex flex-col gap-3 border-s-4 ps-4 text-sm">
            {earlier.map((notice) => (
              <li key={notice.id} className="wrap-anywhere">
                <span className="font-bold">{noticeKind(notice.kind).badge}</span>{' '}
                <span {...asWritten(notice.content, notice.language)} className="whitespace-pre-line">
                  {notice.content}
                </span>
                <span className="block text-ink-3">
                  {notice.user_id || siteSettings().names_moderators
                    ? authorName(notice.user_id, notice.writer)
                    : 'A moderator'}
                  , {formatDay(notice.created_at)} to {formatDay(notice.ended_at ?? notice.created_at)}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Dialog>
  );
}
