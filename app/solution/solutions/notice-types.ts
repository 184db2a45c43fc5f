import { ABOUT, ACTOR, type NoticeType } from '#app/frame/kinds/notice-type.ts';
import { siteSettings } from '#app/site.ts';

export const noticeTypes = {
  solution_approved: {
    headline: 'Your solution was approved',
    get explanation() {
      return siteSettings().show_points
        ? 'It is now public and has earned you 50 points. Thank you for sharing it.'
        : 'It is now public. Thank you for sharing it.';
    },
    icon: 'check',
    email: { button: 'View your solution' },
    together: { weight: 'decision', say: () => 'approved' },
  },
  version_approved: {
    headline: 'Your new version was approved',
    explanation: 'Readers now see it in place of the earlier one.',
    email: { button: 'View your solution' },
    together: { weight: 'decision', say: () => 'new version approved' },
  },
  solution_rejected: {
    headline: 'Changes requested',
    icon: 'rejected',
    email: {
      text: 'A moderator couldn’t approve it yet. You can read the reason, revise it and resubmit it on its page.',
      button: 'Read the reason',
    },
  },
  adaptation: {
    headline: `${ACTOR} shared a solution based on ${ABOUT}`,
    together: {
      weight: 'case',
      say: (count) => (count === 1 ? '1 solution based on it' : `${count} solutions based on it`),
    },
  },
  licence_missing: {
    headline: 'Choose a licence for the texts and images of your solutions',
    explanation: 'Readers may not copy or translate them yet. Your profile says which.',
    path: () => '/profile',
    icon: 'licence',
    email: { button: 'View your solutions' },
  },
  like: {
    headline: `${ACTOR} liked ${ABOUT}`,
    together: { weight: 'like', say: (count) => (count === 1 ? '1 like' : `${count} likes`) },
    filter: 'likes',
  },
} satisfies Record<string, NoticeType>;
