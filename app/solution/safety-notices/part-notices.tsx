import { makerText } from '#app/solution/fabrication/fabrication.ts';
import type { PartNotice } from '#app/solution/solutions/data.ts';
import { isSafetyKind, safetyKinds } from '#app/solution/warnings/safety-notice-kinds.ts';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';

/** What moderators warn of in the parts of a solution, at the top of its page and of its workshop sheet. */
export function PartNotices({ notices }: { notices: readonly PartNotice[] }) {
  if (notices.length === 0) return null;
  return (
    <section aria-label="Safety notices on parts" className="mb-6 flex flex-col gap-3">
      {notices.map((notice) => {
        const { tone, choice } = isSafetyKind(notice.kind) ? safetyKinds[notice.kind] : safetyKinds.caution;
        return (
          <Banner
            key={notice.id}
            tone={tone}
            level={2}
            icon={notice.kind === 'recall' ? 'icon-recall' : 'icon-alert'}
            title={
              <>
                {choice}: <bdi>{makerText(notice)}</bdi>.
              </>
            }
          >
            <span
              {...asWritten(notice.content, notice.language)}
              className="whitespace-pre-line wrap-anywhere"
            >
              {notice.content}
            </span>
            <p className="mt-2 text-sm">
              Safety notice by a moderator on a part of this solution,{' '}
              <time dateTime={notice.created_at}>{formatDay(notice.created_at)}</time>
            </p>
          </Banner>
        );
      })}
    </section>
  );
}
