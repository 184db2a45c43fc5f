import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { AuthorName } from '#app/frame/members/author-name.tsx';
import { MemberAvatar } from '#app/frame/members/member-avatar.tsx';
import { authorName, professionOf } from '#app/frame/members/names.ts';
import { RegistrationBadge } from '#app/frame/members/registration-badge.tsx';
import { AudienceLine } from '#app/solution/audience/audience-line.tsx';
import { browserClient } from '#app/supabase.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import { LinkedText } from '#app/ui/texts/linked-text.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { commentAnchor } from './anchors.ts';
import { CommentEditor, CommentForm } from './comment-form.tsx';
import { type Comment, type CommentNode, EDITABLE_MS, editComment } from './data.ts';

export interface DiscussionContext {
  solutionId: string;
  /** The member whose comments are marked as the author's. */
  authorId: string | null;
  /** For whom the solution is. */
  audience: string;
  viewerId: string | undefined;
  isModerator: boolean;
  /** The one comment that is being answered. */
  replyingTo: string | null;
  reply: (id: string | null) => void;
  remove: (comment: CommentNode) => void;
  change: (id: string, change: Partial<Comment>) => void;
  /** The comment that the address leads to. */
  linkedId: string | null;
  link: (id: string) => void;
  add: (comment: Comment) => void;
}

/** Deeper replies stay on this level of indentation, or phones would have no room for text. */
const MAX_INDENT = 4;

const action =
  'reach inline-flex min-h-9 items-center gap-2 rounded-sm text-sm font-medium text-ink-2 hover:text-ink';

/** A comment, what its reader can do about it, and below it its replies; a removed one keeps its place. */
export function CommentItem({
  comment,
  thread,
  depth = 0,
  answered,
  children,
}: {
  comment: CommentNode;
  thread: DiscussionContext;
  depth?: number;
  /** The name of the member this replies to. */
  answered?: string;
  /** Shown below the replies. */
  children?: ReactNode;
}) {
  const ago = useRelativeTime(comment.created_at);
  const [open, setOpen] = useState(true);
  const [editing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const stopEditing = () => {
    flushSync(() => setEditing(false));
    edit.current?.focus();
  };
  const name = authorName(comment.user_id, comment.author);
  const replies = comment.replies.length;
  const removed = comment.deleted_at !== null;
  const isOwn = thread.viewerId !== undefined && thread.viewerId === comment.user_id;
  const mayEdit = !removed && isOwn && Date.now() - Date.parse(comment.created_at) < EDITABLE_MS;
  const count = comment.reply_count;
  return (
    <li
      id={commentAnchor(comment.id)}
      className={classes(
        'scroll-mt-12',
        thread.linkedId === comment.id && 'rounded-md outline-2 outline-offset-8 outline-accent',
      )}
    >
      <div className="flex gap-3">
        <MemberAvatar name={removed ? '' : name} member={comment.author} size={depth > 0 ? 32 : 40} />
        <div className="min-w-0 flex-1">
          {removed ? (
            <p className="py-2 text-ink-3">This comment has been removed</p>
          ) : (
            <>
              <p className="flex flex-wrap items-center gap-x-2">
                <AuthorName author={comment.author} name={name} />
                <RegistrationBadge member={comment.author} />
                {comment.user_id && comment.user_id === thread.authorId && (
                  <Badge tone="accent" className="min-h-6 px-2">
                    Author
                  </Badge>
                )}
                <span className="dotted min-w-0 text-sm text-ink-3">
                  <bdi>{professionOf(comment.author)}</bdi>
                  <span>
                    <a
                      href={`#${commentAnchor(comment.id)}`}
                      title={`Link to this comment, ${formatDay(comment.created_at)}`}
                      className="reach whitespace-nowrap hover:underline"
                      onClick={() => thread.link(comment.id)}
                    >
                      <time dateTime={comment.created_at} suppressHydrationWarning>
                        {ago}
                      </time>
                    </a>
                  </span>
                  {comment.edited_at && <span>edited</span>}
                </span>
                <span className="text-sm text-ink-3">
                  <AudienceLine audience={comment.audience} within={thread.audience} />
                </span>
                {answered && depth > MAX_INDENT && (
                  <span className="text-sm text-ink-3">
                    · to <bdi>{answered}</bdi>
                  </span>
                )}
              </p>
              {editing ? (
                <div className="mt-2">
                  <CommentEditor
                    comment={comment}
                    save={async (text) =>
                      thread.change(comment.id, await editComment(await browserClient(), comment.id, text))
                    }
                    onDone={stopEditing}
                  />
                </div>
              ) : (
                <p
                  {...textLanguage(comment.language)}
                  className="max-w-[66ch] whitespace-pre-line wrap-anywhere"
                >
                  <LinkedText text={comment.content} />
                </p>
              )}
            </>
          )}
          <div className="mt-1 flex flex-wrap gap-x-5 print:hidden">
            {!removed && (
              <button type="button" className={action} onClick={() => thread.reply(comment.id)}>
                <span className="icon icon-reply size-4" />
                Reply<span className="sr-only"> to {name}</span>
              </button>
            )}
            {replies > 0 && (
              <button type="button" className={action} aria-expanded={open} onClick={() => setOpen(!open)}>
                <span className={open ? 'icon icon-chevron-up size-4' : 'icon icon-chevron-down size-4'} />
                {open
                  ? 'Hide replies'
                  : `Show ${count ? `${count} ` : ''}${count === 1 ? 'reply' : 'replies'}`}
              </button>
            )}
            {mayEdit && !editing && (
              <button ref={edit} type="button" className={action} onClick={() => setEditing(true)}>
                <span className="icon icon-edit size-4" />
                Edit<span className="sr-only"> your comment</span>
              </button>
            )}
            {!removed && (isOwn || thread.isModerator) && (
              <button type="button" className={action} onClick={() => thread.remove(comment)}>
                <span className="icon icon-delete size-4" />
                Delete<span className="sr-only"> comment by {name}</span>
              </button>
            )}
          </div>
        </div>
      </div>
      {(thread.replyingTo === comment.id || (open && replies > 0)) && (
        <div className={depth < MAX_INDENT ? 'mt-2 border-s-2 ps-3 md:ms-5 md:ps-5' : 'mt-2'}>
          {open && replies > 0 && (
            <ul className="flex flex-col gap-5">
              {comment.replies.map((reply) => (
                <CommentItem
                  key={reply.id}
                  comment={reply}
                  thread={thread}
                  depth={depth + 1}
                  answered={name}
                />
              ))}
            </ul>
          )}
          {open && children}
          {thread.replyingTo === comment.id && (
            <div className={open && replies > 0 ? 'mt-4' : 'mt-2'}>
              <CommentForm
                solutionId={thread.solutionId}
                parent={{ id: comment.id, name }}
                onPosted={(reply) => {
                  setOpen(true);
                  thread.add(reply);
                }}
                onDone={() => thread.reply(null)}
              />
            </div>
          )}
        </div>
      )}
    </li>
  );
}
