import { MessageSquare } from 'lucide-react';
import type { Kind } from '#app/frame/kinds/kind.ts';
import { siteSettings } from '#app/site.ts';

export const heldPost = {
  waiting: {
    kind: 'post',
    name: 'First post',
    icon: MessageSquare,
    section: ['posts', 'First posts'],
    isOffered: () => siteSettings().reviewed_first_posts > 0,
    count: (count) => (count === 1 ? '1 first post' : `${count} first posts`),
    oldest: 'the oldest first post',
    failed: 'Failed to load first posts',
    empty: 'No first posts to review',
    review: async () => (await import('./held-post-review.tsx')).HeldPostReview,
  },
  acts: { held_post_published: 'First post published', held_post_removed: 'First post removed' },
  target: { type: 'held_post', name: 'first post' },
} satisfies Kind;
