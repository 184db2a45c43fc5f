import { useState } from 'react';
import { editReply, markAnswer, type Post, type Topic } from '#app/community/forum/data.ts';
import { ShownImages } from '#app/community/post-images/post-images.tsx';
import { useAction } from '#app/frame/act/use-action.ts';
import { replyUrl } from '#app/frame/kinds/paths.ts';
import { MemberAvatar } from '#app/frame/members/member-avatar.tsx';
import { authorName } from '#app/frame/members/names.ts';
import { browserClient } from '#app/supabase.ts';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { RichText } from '#app/ui/texts/rich-text.tsx';
import { AuthorLine } from './author-line.tsx';
import { DeleteContent } from './delete-content.tsx';
import { EditReply } from './edit-reply.tsx';
import { mayEdit } from './may-edit.ts';

interface PostItemProps {
  post: Post;
  topic: Topic;
  /** The address leads to this reply. */
  highlighted: boolean;
  viewerId: string | undefined;
  isModerator: boolean;
  onQuote: () => void;
  onReport: () => void;
  onEdited: () => void;
  onDeleted: () => void;
}

/** A reply with what its reader can do about it, or the line that says that it was removed. */
export function PostItem({ post, topic, highlighted, viewerId, isModerator, ...on }: PostItemProps) {
  const [editing, setEditing] = useState(false);
  // Checks twice a minute whether the text can still be edited.
  useRelativeTime(post.created_at);
  const { author, user_id: authorId } = post;
  const name = authorName(authorId, author);
  const own = viewerId !== undefined && viewerId === authorId;
  const isAnswer = topic.answer?.id === post.id;
  const isAsker = viewerId !== undefined && viewerId === topic.user_id;
  const mayMark = (isAsker && !topic.is_locked) || (isAnswer && isModerator);
  const marking = useAction({
    act: async () => markAnswer(await browserClient(), topic.id, isAnswer ? null : post.id),
    done: isAnswer
      ? 'Mark removed'
      : {
          title: 'Marked as the answer that helped',
          text: topic.summary ? undefined : 'You can also write a summary above the replies.',
        },
    failed: 'Failed to mark the answer',
    refresh: [
      ['forum', 'topic', topic.id],
      ['forum', 'topics'],
    ],
  });
  if (post.removed)
    return (
      <li id={`post-${post.id}`} className="text-ink-3">
        This reply has been removed
      </li>
    );
  return (
    <li
      id={`post-${post.id}`}
      className={classes('flex scroll-mt-24 gap-3', highlighted && '-m-3 rounded-md bg-accent-soft p-3')}
    >
      <MemberAvatar name={name} member={author} />
      <div className="min-w-0 flex-1">
        <AuthorLine
          userId={authorId}
          author={author}
          createdAt={post.created_at}
          editedAt={post.edited_at}
          to={replyUrl(topic.id, post.id)}
          mark={
            <>
              {authorId && authorId === topic.user_id && (
                <Badge tone="accent" className="min-h-6 px-2">
                  Author
                </Badge>
              )}
              {isAnswer && (
                <Badge tone="ok" className="min-h-6 px-2 with-icon icon-check before:size-4">
                  This helped
                </Badge>
              )}
            </>
          }
        />
        {editing ? (
          <EditReply
            post={post}
            save={async (text) => editReply(await browserClient(), post.id, text)}
            onDone={(saved) => {
              setEditing(false);
              if (saved) on.onEdited();
            }}
          />
        ) : (
          <RichText text={post.content} language={post.language} mentions={post.mentions} className="mt-1" />
        )}
        <ShownImages
          postId={post.id}
          images={post.images}
          hiddenAt={post.images_hidden_at}
          title={topic.title}
          language={post.language}
          isOwn={own}
          isModerator={isModerator}
          onRemoved={on.onEdited}
        />
        <div className="mt-1 flex flex-wrap gap-x-5 print:hidden">
          {mayMark && (
            <button
              type="button"
              className="reach text-action"
              onClick={() => marking.isPending || marking.mutate()}
            >
              <span className={isAnswer ? 'icon icon-close size-4' : 'icon icon-check size-4'} />
              {isAnswer ? 'Take back the mark' : 'This helped'}
              <span className="sr-only">{isAnswer ? ` of the reply by ${name}` : ` (reply by ${name})`}</span>
            </button>
          )}
          {!topic.is_locked && (
            <button type="button" className="reach text-action" onClick={on.onQuote}>
              <span className="icon icon-quote size-4" />
              Quote<span className="sr-only"> {name}</span>
            </button>
          )}
          {own && !editing && !topic.is_locked && mayEdit(post.created_at) && (
            <button type="button" className="reach text-action" onClick={() => setEditing(true)}>
              <span className="icon icon-edit size-4" />
              Edit<span className="sr-only"> your reply</span>
            </button>
          )}
          {!own && (
            <button type="button" className="reach text-action" onClick={on.onReport}>
              <span className="icon icon-report size-4" />
              Report<span className="sr-only"> reply by {name}</span>
            </button>
          )}
          {isModerator && viewerId && (
            <DeleteContent
              what={{ topic: topic.id, post: post.id, authorId, moderatorId: viewerId }}
              author={name}
              onDeleted={on.onDeleted}
            />
          )}
        </div>
      </div>
    </li>
  );
}
