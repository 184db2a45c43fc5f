import { ShieldAlert } from 'lucide-react';
import type { Kind } from '#app/frame/kinds/kind.ts';

export const removalRequest = {
  waiting: {
    kind: 'removal_request',
    name: 'Removal request',
    icon: ShieldAlert,
    section: ['removal-requests', 'Removal requests'],
    count: (count) => (count === 1 ? '1 removal request' : `${count} removal requests`),
    oldest: 'the oldest removal request',
    failed: 'Failed to load removal requests',
    empty: 'No removal requests to review',
    review: async () => (await import('./removal-request-review.tsx')).RemovalRequestReview,
  },
  acts: {
    removal_request_hidden: 'Images hidden on request',
    removal_request_removed: 'Images removed on request',
    removal_request_kept: 'Removal request declined',
  },
} satisfies Kind;
