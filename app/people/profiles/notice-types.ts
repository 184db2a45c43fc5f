import type { NoticeType } from '#app/frame/kinds/notice-type.ts';

export const noticeTypes = {
  badge_earned: { headline: 'You earned a badge', path: () => '/profile', icon: 'award' },
} satisfies Record<string, NoticeType>;
