import type { NoticeType } from '#app/frame/kinds/notice-type.ts';

export const noticeTypes = {
  post_published: {
    headline: 'Your post was published',
    explanation: 'A moderator has reviewed it. Others can see it now.',
    icon: 'check',
    email: { button: 'View your post' },
  },
} satisfies Record<string, NoticeType>;
