import { EyeOff } from 'lucide-react';
import { useAction } from '#app/frame/act/use-action.ts';
import { SanctionButton } from '#app/moderation/member-management/sanction-button.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import { readReportedMessage } from './data.ts';

/** A private message stays closed until a moderator opens it, which the audit log records. */
export function ReportedMessageText({ reportId }: { reportId: string }) {
  const reading = useAction({
    act: async () => readReportedMessage(await browserClient(), reportId),
    failed: 'Failed to fetch content details',
  });
  if (reading.isSuccess)
    return reading.data ? (
      <blockquote className="max-w-prose border-s-2 border-line-2 ps-4">
        <p className="text-sm text-ink-3 wrap-anywhere">
          <bdi dir="auto">{reading.data.sender}</bdi>, {formatDay(reading.data.created_at)}
        </p>
        {reading.data.subject && (
          <p {...asWritten(reading.data.subject)} className="font-bold wrap-anywhere">
            {reading.data.subject}
          </p>
        )}
        <p {...asWritten(reading.data.content)} className="whitespace-pre-line wrap-anywhere">
          {reading.data.content}
        </p>
        {reading.data.sender_id && (
          <div className="mt-2">
            <SanctionButton size="small" memberId={reading.data.sender_id} name={reading.data.sender} />
          </div>
        )}
      </blockquote>
    ) : (
      <p className="text-ink-2">This content has been deleted</p>
    );
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-ink-2">
      <p className="flex gap-2">
        <EyeOff className="on-first-line size-5 shrink-0" strokeWidth={1.75} aria-hidden />
        This message is private. Opening it is logged.
      </p>
      <Button size="small" busy={reading.isPending && 'Opening'} onClick={() => reading.mutate()}>
        Read Message
      </Button>
    </div>
  );
}
