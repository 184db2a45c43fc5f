import type { NoticeType } from '#app/frame/kinds/notice-type.ts';
import { contentPath } from '#app/frame/kinds/paths.ts';

export const noticeTypes = {
  still_in_use: {
    headline: 'Please tell us if this is still in use',
    explanation: 'It takes a few seconds. “No longer” helps colleagues as much as “every day”.',
    path: (target) =>
      target.use_question_id ? `/still-in-use/${target.use_question_id}` : contentPath(target),
    icon: 'clock',
    email: ({ title, use_question }) => ({
      heading: `Still in use? ${title}`,
      text: `It is ${use_question?.months} months since you reported on this. Is it still used: every day, sometimes or no longer? “No longer” and “I don’t know” help colleagues as much as “every day”. You can answer without signing in.`,
      button: 'Answer',
    }),
  },
} satisfies Record<string, NoticeType>;
