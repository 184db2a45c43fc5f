import { Link } from 'react-router';
import { summariseTopic, type Topic } from '#app/community/forum/data.ts';
import { stripMarkdown } from '#app/community/forum/strip-markdown.ts';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { replyUrl } from '#app/frame/kinds/paths.ts';
import { AuthorName } from '#app/frame/members/author-name.tsx';
import { authorName } from '#app/frame/members/names.ts';
import { siteSettings } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { RichText } from '#app/ui/texts/rich-text.tsx';

interface TopicOutcomeProps {
  topic: Topic;
  /** Opens the form of the summary; left out for readers who cannot change it. */
  onEdit: (() => void) | undefined;
}

/** What came of a topic, above its replies: its summary, and the way to the answer that helped. */
export function TopicOutcome({ topic, onEdit }: TopicOutcomeProps) {
  const { answer, summary } = topic;
  if (!answer && !summary) return null;
  return (
    <section aria-labelledby="outcome" className="mt-6 rounded-md border bg-surface px-4 py-4 md:px-5">
      <h2 id="outcome" className={summary ? 'text-lg' : 'sr-only'}>
        {summary ? 'Summary' : 'Answer'}
      </h2>
      {summary && <Summary topic={topic} text={summary} />}
      {answer && (
        <p className={summary ? 'mt-3 flex gap-2 border-t pt-3' : 'flex gap-2'}>
          <span className="on-first-line icon icon-check size-5 shrink-0 text-ok-ink" />
          <span className="min-w-0">
            <Link to={replyUrl(topic.id, answer.id)} className="link">
              The answer that helped
            </Link>
            , by <AuthorName author={answer.author} name={authorName(answer.user_id, answer.author)} />
            {!summary && (
              <span {...textLanguage(answer.language)} className="line-clamp-2 text-ink-2 wrap-anywhere">
                {stripMarkdown(answer.excerpt)}
              </span>
            )}
          </span>
        </p>
      )}
      {/* Below all that everyone sees, since who may change it is known a moment later. */}
      {summary && onEdit && <SummaryActions id={topic.id} onEdit={onEdit} />}
    </section>
  );
}

function Summary({ topic, text }: { topic: Topic; text: string }) {
  const ago = useRelativeTime(topic.summary_at ?? topic.created_at);
  return (
    <>
      <p className="text-sm text-ink-3">
        by{' '}
        <AuthorName
          author={topic.summary_author}
          name={
            topic.summary_by || siteSettings().names_moderators
              ? authorName(topic.summary_by, topic.summary_author)
              : 'A moderator'
          }
        />
        ,{' '}
        {topic.summary_at && (
          <time dateTime={topic.summary_at} className="whitespace-nowrap" suppressHydrationWarning>
            {ago}
          </time>
        )}
      </p>
      <RichText
        text={text}
        language={topic.summary_language ?? topic.language}
        mentions={topic.mentions}
        className="mt-2 text-prose"
      />
    </>
  );
}

function SummaryActions({ id, onEdit }: { id: string; onEdit: () => void }) {
  const removal = useConfirmedAction({
    title: 'Remove summary',
    question: 'Are you sure you want to remove this summary? This action cannot be undone.',
    verb: 'Remove',
    busy: 'Removing',
    act: async () => summariseTopic(await browserClient(), id),
    done: 'Summary removed',
    failed: 'Failed to remove summary',
    refresh: [['forum', 'topic', id]],
  });
  return (
    <>
      <div className="mt-2 flex flex-wrap gap-x-5 print:hidden">
        <button type="button" className="reach text-action" onClick={onEdit}>
          <span className="icon icon-edit size-4" />
          Edit<span className="sr-only"> summary</span>
        </button>
        <button type="button" className="reach text-action" onClick={() => removal.ask()}>
          <span className="icon icon-delete size-4" />
          Remove<span className="sr-only"> summary</span>
        </button>
      </div>
      {removal.dialog}
    </>
  );
}
