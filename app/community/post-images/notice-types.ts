import type { NoticeType } from '#app/frame/kinds/notice-type.ts';

export const noticeTypes = {
  images_hidden: {
    headline: 'Images of your post are hidden for now',
    explanation: 'Members reported that a patient can be recognised. A moderator will decide.',
    warning: { about: 'moderation', open: 'View your post' },
  },
  images_removed: {
    headline: 'Images of your post were removed',
    explanation: 'The text of your post stays.',
    warning: { about: 'moderation', open: 'View your post' },
  },
  images_restored: {
    headline: 'Images of your post are shown again',
    email: { button: 'View your post' },
  },
} satisfies Record<string, NoticeType>;
