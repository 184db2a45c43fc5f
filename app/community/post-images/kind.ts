import { Image } from 'lucide-react';
import type { Kind } from '#app/frame/kinds/kind.ts';

export const postImages = {
  waiting: {
    kind: 'image',
    name: 'Forum images',
    icon: Image,
    section: ['images', 'Forum images'],
    isOffered: () => false,
    count: (count) => (count === 1 ? '1 post with images' : `${count} posts with images`),
    oldest: 'the oldest post with images',
    failed: 'Failed to load forum images',
    empty: 'No forum images to review',
    review: async () => (await import('./image-review.tsx')).ImageReview,
  },
  acts: {
    images_kept: 'Forum images kept',
    images_removed: 'Forum images removed',
    images_hidden: 'Forum images hidden after reports',
  },
} satisfies Kind;
