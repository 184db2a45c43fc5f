import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { categoryLabel, forumUrl } from '#app/community/forum/categories.ts';
import type { Topic } from '#app/community/forum/data.ts';
import { TopicBadges } from '#app/community/forum/topic-badges.tsx';
import { ShownImages } from '#app/community/post-images/post-images.tsx';
import { TopicOutcome } from '#app/community/topic-outcome/topic-outcome.tsx';
import { MemberAvatar } from '#app/frame/members/member-avatar.tsx';
import { authorName } from '#app/frame/members/names.ts';
import { useMember, useViewer } from '#app/session.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { RichText } from '#app/ui/texts/rich-text.tsx';
import { AuthorLine } from './author-line.tsx';
import { FollowButton } from './follow-button.tsx';
import { mayEdit } from './may-edit.ts';
import { ModeratorControls } from './moderator-controls.tsx';
import { useReport } from './use-report.ts';

const TopicDialog = lazyDialog(() => import('#app/community/forum/topic-dialog.tsx'), 'TopicDialog');
const SummaryDialog = lazyDialog(
  () => import('#app/community/topic-outcome/summary-dialog.tsx'),
  'SummaryDialog',
);
const ReportCaseDialog = lazyDialog(
  () => import('#app/solution/safety-notices/report-case-dialog.tsx'),
  'ReportCaseDialog',
);

const crumb = 'reach text-ink-2 underline underline-offset-4 hover:text-ink';

/** The top of a topic’s page: title, author and opening text, and what the reader can do about the topic. */
export function TopicHeader({ topic }: { topic: Topic }) {
  const member = useMember();
  const viewer = useViewer();
  const report = useReport();
  const cache = useQueryClient();
  const [editing, setEditing] = useState(false);
  const [summarising, setSummarising] = useState(false);
  // Checks twice a minute whether the text can still be edited.
  useRelativeTime(topic.created_at);
  const { author, user_id: authorId } = topic;
  const isAuthor = member != null && member.id === authorId;
  const summarise =
    (isAuthor && !topic.is_locked) || viewer?.isModerator ? () => setSummarising(true) : undefined;
  return (
    <>
      <nav aria-label="Breadcrumb" className="print:hidden">
        <ol className="flex flex-wrap items-center gap-x-3 text-sm">
          <li>
            <Link to="/forum" className={crumb}>
              Forum
            </Link>
          </li>
          <li className="flex min-w-0 items-center gap-3">
            <span className="icon icon-chevron-right size-4 text-ink-3" />
            <Link to={forumUrl({ category: topic.category })} className={crumb}>
              {categoryLabel(topic.category)}
            </Link>
          </li>
          <li className="flex flex-wrap gap-2 empty:hidden">
            <TopicBadges topic={{ ...topic, is_answered: topic.answer !== null }} />
          </li>
        </ol>
      </nav>
      <h1
        {...textLanguage(topic.language)}
        className="text-left mt-3 text-2xl wrap-anywhere md:mt-4 md:text-3xl"
      >
        {topic.title}
      </h1>
      <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="flex min-w-0 items-center gap-3">
          <MemberAvatar name={authorName(authorId, author)} member={author} />
          <AuthorLine
            userId={authorId}
            author={author}
            createdAt={topic.created_at}
            editedAt={topic.edited_at}
            to={`/forum/${topic.id}`}
            views={topic.views_count}
          />
        </div>
      </div>
      {topic.description && (
        <RichText
          text={topic.description}
          language={topic.language}
          mentions={topic.mentions}
          className="mt-5 text-prose"
        />
      )}
      <ShownImages
        postId={topic.id}
        images={topic.images}
        hiddenAt={topic.images_hidden_at}
        title={topic.title}
        language={topic.language}
        isOwn={isAuthor}
        isModerator={viewer?.isModerator === true}
        onRemoved={() => cache.invalidateQueries({ queryKey: ['forum', 'topic', topic.id] })}
      />
      <TopicOutcome topic={topic} onEdit={summarise} />
      <div className="mt-4 flex flex-wrap items-center gap-x-2 gap-y-1 sm:gap-x-5 print:hidden">
        <FollowButton topicId={topic.id} />
        {summarise && !topic.summary && topic.posts_count > 0 && (
          <button type="button" className="reach text-action" onClick={summarise}>
            <span className="icon icon-edit size-4" />
            Write a summary
          </button>
        )}
        {isAuthor && mayEdit(topic.created_at) && !topic.is_locked && (
          <button type="button" className="reach text-action" onClick={() => setEditing(true)}>
            <span className="icon icon-edit size-4" />
            Edit<span className="sr-only"> topic</span>
          </button>
        )}
        {!isAuthor && (
          <button type="button" className="reach text-action" onClick={() => report.about('topic', topic)}>
            <span className="icon icon-report size-4" />
            Report<span className="sr-only"> topic</span>
          </button>
        )}
        {viewer?.isModerator && <ModeratorControls topic={topic} moderatorId={viewer.profile?.id ?? ''} />}
      </div>

      {editing && member && (
        <TopicDialog memberId={member.id} topic={topic} onClose={() => setEditing(false)} />
      )}
      {summarising && <SummaryDialog topic={topic} onClose={() => setSummarising(false)} />}
      {report.open && <ReportCaseDialog {...report.open} onClose={report.close} />}
    </>
  );
}
