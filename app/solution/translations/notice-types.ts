import { ABOUT, ACTOR, type NoticeType } from '#app/frame/kinds/notice-type.ts';
import { contentPath, type Target } from '#app/frame/kinds/paths.ts';

const path = (target: Target) => contentPath(target, '/translate');

export const noticeTypes = {
  translation_approved: {
    headline: 'Your translation was approved',
    explanation: 'It is now public. Thank you for bringing it to more readers.',
    path,
    email: { button: 'View your translations' },
  },
  translation_rejected: {
    headline: 'Changes requested to your translation',
    explanation: 'The form shows the reason. You can revise the translation there and resubmit it.',
    path,
    email: { button: 'Read the reason' },
  },
  solution_translated: {
    headline: `${ACTOR} translated your solution ${ABOUT}`,
    together: { weight: 'case', say: (count) => (count === 1 ? '1 translation' : `${count} translations`) },
  },
} satisfies Record<string, NoticeType>;
