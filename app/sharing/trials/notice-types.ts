import { ABOUT, ACTOR, type NoticeType } from '#app/frame/kinds/notice-type.ts';
import { contentPath, type Target } from '#app/frame/kinds/paths.ts';
import { siteSettings } from '#app/site.ts';

const path = (target: Target) => contentPath(target, '#tried');

export const noticeTypes = {
  trial_approved: {
    headline: 'Your trial report was approved',
    get explanation() {
      return siteSettings().show_points
        ? 'It is now public and has earned you 20 points. Thank you for saying how it went.'
        : 'It is now public. Thank you for saying how it went.';
    },
    path,
    email: { button: 'View your trial report' },
    together: { weight: 'decision', say: () => 'your trial report approved' },
  },
  trial_rejected: {
    headline: 'Changes requested to your trial report',
    explanation: 'The form shows the reason. You can revise the report there and resubmit it.',
    path: (target) => contentPath(target, '/tried'),
    email: { button: 'Read the reason' },
  },
  trial_received: {
    headline: `${ACTOR} tried your solution ${ABOUT}`,
    path,
    together: {
      weight: 'case',
      say: (count, results) =>
        count === 1 ? `1 trial report (${results})` : `${count} trial reports (${results})`,
    },
  },
  trial_answered: {
    headline: `${ACTOR} answered your trial report on ${ABOUT}`,
    path,
    together: { weight: 'case', say: () => 'an answer to your trial report' },
  },
} satisfies Record<string, NoticeType>;
