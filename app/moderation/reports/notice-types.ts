import { ABOUT, ACTOR, type NoticeType } from '#app/frame/kinds/notice-type.ts';
import { contentPath } from '#app/frame/kinds/paths.ts';

const path = () => '/reports';

export const noticeTypes = {
  report_resolved: {
    headline: `${ACTOR} answered your report`,
    titled: `${ACTOR} answered your report about ${ABOUT}`,
    unnamed: 'A moderator',
    path,
    email: {
      text: 'The answer is on the site, where only you and the moderators can read it.',
      button: 'Read the answer',
    },
  },
  report_dismissed: {
    headline: `${ACTOR} closed your report`,
    titled: `${ACTOR} closed your report about ${ABOUT}`,
    explanation: 'They found nothing that needs action.',
    unnamed: 'A moderator',
    path,
    email: { button: 'View your reports' },
  },
  content_deleted: {
    headline: 'A moderator removed one of your posts',
    // Of what was deleted only its forum is left.
    path: (target) => (target.topic_id || target.solution_id ? contentPath(target) : '/forum'),
    icon: 'delete',
    warning: { about: 'moderation', open: 'View the discussion' },
    email: { text: 'If the moderator explained why, you’ll find the explanation in your messages.' },
  },
} satisfies Record<string, NoticeType>;
