import { authorName } from '#app/people/members/names.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { isSafetyKind, safetyKinds } from '#app/solution/warnings/safety-notice-kinds.ts';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { NotYetTranslated } from '#app/ui/languages/untranslated.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';

interface SafetyNoticeProps {
  solution: Solution;
  /** What it says in another language, by its id. */
  translated?: (notice: { id: string }) => { text: string; language: string } | undefined;
}

/** The warning for readers who build on a solution, at the top of its page. */
export function SafetyNotice({ solution, translated }: SafetyNoticeProps) {
  const notice = solution.notices.find(({ ended_at }) => !ended_at);
  if (!notice || !isSafetyKind(notice.kind)) return null;
  const { title, tone } = safetyKinds[notice.kind];
  const translation = translated?.(notice);
  // Authors and moderators alone write notices, and either may have left or, of moderators, not be named.
  const writer = !notice.user_id
    ? solution.user_id
      ? 'a moderator'
      : 'the author or a moderator'
    : notice.user_id === solution.user_id
      ? 'the author'
      : authorName(notice.user_id, notice.writer);
  return (
    <section aria-label="Safety notice" className="mb-6">
      <Banner
        tone={tone}
        level={2}
        icon={notice.kind === 'recall' ? 'icon-recall' : 'icon-alert'}
        title={title}
      >
        {translation && (
          <span
            {...textLanguage(translation.language)}
            className="block pb-2 whitespace-pre-line wrap-anywhere"
          >
            {translation.text}
          </span>
        )}
        <span {...asWritten(notice.content, notice.language)} className="whitespace-pre-line wrap-anywhere">
          {notice.content}
        </span>
        <NotYetTranslated text={notice.content} />
        <p className="mt-2 text-sm">
          Safety notice by <bdi>{writer}</bdi>,{' '}
          <time dateTime={notice.created_at}>{formatDay(notice.created_at)}</time>
        </p>
      </Banner>
    </section>
  );
}
