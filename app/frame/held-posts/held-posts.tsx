import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { reasonOr } from '#app/frame/act/use-action.ts';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { useRealtime } from '#app/realtime.ts';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { editHeldPost, type HeldPost, type HeldPostText, heldPostsQuery, withdrawHeldPost } from './data.ts';
import { HeldText } from './held-text.tsx';

interface HeldPostsProps {
  /** Whether a post is for the place that shows these. */
  isHere: (post: HeldPost) => boolean;
  /** The form or dialog by which posts are edited there. */
  editor: (post: HeldPost, save: (text: HeldPostText) => Promise<void>, close: () => void) => ReactNode;
  /** Below the text of a post. */
  children?: (post: HeldPost) => ReactNode;
}

/** The reader’s own posts for a place that others do not see yet; nothing where none waits. */
export function HeldPosts({ isHere, editor, children }: HeldPostsProps) {
  const memberId = useMember()?.id;
  const { data, refetch } = useQuery({
    ...heldPostsQuery(browserClient, memberId ?? ''),
    // Also where no more posts are reviewed: what waits then still waits.
    enabled: memberId !== undefined,
  });
  const posts = memberId ? (data?.filter(isHere) ?? []) : [];
  useRealtime(
    posts.length > 0 ? `held-posts:${memberId}` : undefined,
    [{ table: 'held_posts', event: 'DELETE' }],
    () => void refetch(),
  );
  if (posts.length === 0) return null;
  return (
    <ul aria-label="Your posts that wait for review" className="mt-5 flex flex-col gap-4 print:hidden">
      {posts.map((post) => (
        <Item key={post.id} post={post} editor={editor} refresh={refetch}>
          {children?.(post)}
        </Item>
      ))}
    </ul>
  );
}

interface ItemProps extends Pick<HeldPostsProps, 'editor'> {
  children: ReactNode;
  post: HeldPost;
  refresh: () => Promise<unknown>;
}

function Item({ post, editor, refresh, children }: ItemProps) {
  const ago = useRelativeTime(post.created_at);
  const [isEditing, setEditing] = useState(false);
  const withdrawal = useConfirmedAction({
    title: 'Withdraw post',
    question: 'No moderator will see it any more, and it won’t be published. This can’t be undone.',
    verb: 'Withdraw',
    busy: 'Withdrawing',
    act: async () => withdrawHeldPost(await browserClient(), post.id),
    done: 'Post withdrawn',
    failed: reasonOr('Failed to withdraw the post'),
    refresh: [['held-posts']],
  });
  const save = async (text: HeldPostText) => {
    try {
      await editHeldPost(await browserClient(), post.id, text);
    } finally {
      await refresh();
    }
  };
  // Topics are edited in a dialog, the others in their place.
  const isReplaced = isEditing && post.title === null;
  return (
    <li className="rounded-md border border-dashed border-line-2 p-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-3">
        <Badge tone="amber">Waiting for review</Badge>
        <span>Only you and moderators can see this · {ago}</span>
      </p>
      {post.title && (
        <p {...textLanguage(post.language)} className="mt-2 text-left font-bold wrap-anywhere">
          {post.title}
        </p>
      )}
      {isEditing && (
        <div className={isReplaced ? 'mt-3' : undefined}>{editor(post, save, () => setEditing(false))}</div>
      )}
      {!isReplaced && (
        <>
          <HeldText post={post} />
          {children}
          <div className="mt-1 flex flex-wrap gap-x-5">
            <button type="button" className="reach text-action" onClick={() => setEditing(true)}>
              <span className="icon icon-edit size-4" />
              Edit<span className="sr-only"> your post</span>
            </button>
            <button type="button" className="reach text-action" onClick={() => withdrawal.ask()}>
              <span className="icon icon-delete size-4" />
              Withdraw<span className="sr-only"> your post</span>
            </button>
          </div>
        </>
      )}
      {withdrawal.dialog}
    </li>
  );
}
