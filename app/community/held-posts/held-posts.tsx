import { useQuery } from '@tanstack/react-query';
import { useRealtime } from '#app/realtime.ts';
import { useMember } from '#app/session.ts';
import { siteSettings } from '#app/site.ts';
import { browserClient } from '#app/supabase.ts';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { type HeldPost, heldPostsQuery } from './data.ts';
import { HeldText } from './held-text.tsx';

interface HeldPostsProps {
  /** Whether a post is for the place that shows these. */
  isHere: (post: HeldPost) => boolean;
}

/** The reader’s own posts for a place that others do not see yet; nothing where none waits. */
export function HeldPosts({ isHere }: HeldPostsProps) {
  const memberId = useMember()?.id;
  const { data, refetch } = useQuery({
    ...heldPostsQuery(browserClient, memberId ?? ''),
    enabled: memberId !== undefined && siteSettings().reviewed_first_posts > 0,
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
        <Item key={post.id} post={post} />
      ))}
    </ul>
  );
}

function Item({ post }: { post: HeldPost }) {
  const ago = useRelativeTime(post.created_at);
  return (
    <li className="rounded-md border border-dashed border-line-2 p-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-3">
        <Badge tone="amber">Waiting for review</Badge>
        <span>Only you and moderators can see this · {ago}</span>
      </p>
      {post.title && (
        <p dir="auto" className="mt-2 text-left font-title wrap-anywhere">
          {post.title}
        </p>
      )}
      <HeldText post={post} />
    </li>
  );
}
