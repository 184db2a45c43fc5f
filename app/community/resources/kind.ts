import { Link2 } from 'lucide-react';
import type { Kind } from '#app/frame/kinds/kind.ts';

export const resource = {
  waiting: {
    kind: 'resource',
    name: 'Resource',
    icon: Link2,
    section: ['resources', 'Resource Suggestions'],
    count: (count) => (count === 1 ? '1 resource' : `${count} resources`),
    oldest: 'the oldest resource',
    failed: 'Failed to load resource suggestions',
    empty: 'No suggestions to review',
    review: async () => (await import('./suggestion-review.tsx')).SuggestionReview,
  },
  acts: { resource_approved: 'Resource approved', resource_rejected: 'Resource rejected' },
  target: { type: 'resource_suggestion', name: 'resource' },
} satisfies Kind;
