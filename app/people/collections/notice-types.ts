import type { NoticeType } from '#app/frame/kinds/notice-type.ts';

export const noticeTypes = {
  collection_unshared: {
    headline: 'Your collection is no longer shared',
    explanation: 'A moderator removed its link. Their message says why. The collection is still yours.',
    path: () => '/messages',
    icon: 'link-off',
    warning: { about: 'moderation', open: 'Read the reason' },
  },
} satisfies Record<string, NoticeType>;
