import type { ReactNode } from 'react';
import { authorName } from '#app/frame/members/names.ts';
import { makerText } from '#app/solution/fabrication/fabrication.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { noticeKind } from '#app/solution/warnings/safety-notice-kinds.ts';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { NotYetTranslated } from '#app/ui/languages/untranslated.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';

interface SafetyNoticesProps {
  solution: Solution;
  /** What a notice says in another language, by its id. */
  translated?: (notice: { id: string }) => Said | undefined;
}

interface Said {
  text: string;
  language: string;
}

/** The warnings for readers who build on a solution, at the top of its page: its own, then those on its parts. */
export function SafetyNotices({ solution, translated }: SafetyNoticesProps) {
  const { user_id, notices, partNotices } = solution;
  const own = notices.find(({ ended_at }) => !ended_at);
  // Authors and moderators alone write notices, and either may have left or, of moderators, not be named.
  const writer = !own?.user_id
    ? user_id
      ? 'a moderator'
      : 'the author or a moderator'
    : own.user_id === user_id
      ? 'the author'
      : authorName(own.user_id, own.writer);
  return (
    <>
      {own && (
        <section aria-label="Safety notice" className="mb-6">
          <NoticeBanner notice={own} title={noticeKind(own.kind).title} translation={translated?.(own)}>
            Safety notice by <bdi>{writer}</bdi>
          </NoticeBanner>
        </section>
      )}
      {partNotices.length > 0 && (
        <section aria-label="Safety notices on parts" className="mb-6 flex flex-col gap-3">
          {partNotices.map((notice) => (
            <NoticeBanner
              key={notice.id}
              notice={notice}
              title={
                <>
                  {noticeKind(notice.kind).choice}: <bdi>{makerText(notice)}</bdi>.
                </>
              }
            >
              Safety notice by a moderator on a part of this solution
            </NoticeBanner>
          ))}
        </section>
      )}
    </>
  );
}

interface NoticeBannerProps {
  notice: Pick<Solution['notices'][number], 'kind' | 'content' | 'language' | 'created_at'>;
  title: ReactNode;
  translation?: Said | undefined;
  /** Who warns, and of what. */
  children: ReactNode;
}

function NoticeBanner({ notice, title, translation, children }: NoticeBannerProps) {
  const { content, language, created_at } = notice;
  const { tone, icon } = noticeKind(notice.kind);
  return (
    <Banner tone={tone} level={2} icon={icon} title={title}>
      {translation && (
        <span
          {...textLanguage(translation.language)}
          className="block pb-2 whitespace-pre-line wrap-anywhere"
        >
          {translation.text}
        </span>
      )}
      <span {...asWritten(content, language)} className="whitespace-pre-line wrap-anywhere">
        {content}
      </span>
      <NotYetTranslated text={content} />
      <p className="mt-2 text-sm">
        {children}, <time dateTime={created_at}>{formatDay(created_at)}</time>
      </p>
    </Banner>
  );
}
