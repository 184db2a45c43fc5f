import type { NoticeType } from '#app/frame/kinds/notice-type.ts';
import { siteName } from '#app/site.ts';

export const noticeTypes = {
  removal_request: {
    headline: 'Image removal requested',
    explanation: 'You can hide it in one click while you review. A decision is due within 24 hours.',
    path: ({ removal_request_id }) => `/admin?tab=removal-requests&item=${removal_request_id}`,
    icon: 'shield',
    warning: { about: 'safety', open: 'Open the request' },
    email: () => ({
      why: `You’re getting this email because you moderate ${siteName()}. Requests like this reach every moderator.`,
    }),
  },
  media_hidden: {
    headline: 'Images of your solution are hidden for now',
    explanation: 'Someone shown in them has asked for their removal. A moderator will decide.',
    icon: 'hidden',
    warning: { about: 'moderation', open: 'View your solution' },
  },
  media_removed: {
    headline: 'Images of your solution were removed',
    explanation:
      'Someone shown in them asked for this, and a moderator agreed. The rest of your solution stays public.',
    icon: 'hidden',
    warning: { about: 'moderation', open: 'View your solution' },
  },
  media_restored: {
    headline: 'Images of your solution are shown again',
    explanation: 'A moderator decided that they can stay.',
    icon: 'shown',
    email: { button: 'View your solution' },
  },
} satisfies Record<string, NoticeType>;
