import { ABOUT, ACTOR, type NoticeType } from '#app/frame/kinds/notice-type.ts';

export const noticeTypes = {
  suggestion_approved: {
    headline: `${ACTOR} approved your suggestion ${ABOUT}`,
    explanation: 'It is now listed on the resources page.',
    unnamed: 'A moderator',
    path: () => '/resources',
    email: { button: 'View all resources' },
  },
  suggestion_rejected: {
    headline: `${ACTOR} declined your suggestion ${ABOUT}`,
    explanation: 'The page of your reports and suggestions shows the reason.',
    unnamed: 'A moderator',
    path: () => '/reports',
    email: {
      text: 'It was not added to the resources page. Thank you for suggesting it.',
      button: 'Read the reason',
    },
  },
} satisfies Record<string, NoticeType>;
