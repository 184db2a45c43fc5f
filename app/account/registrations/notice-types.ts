import type { NoticeType } from '#app/frame/kinds/notice-type.ts';

const path = () => '/settings#registration';

export const noticeTypes = {
  registration_checked: {
    headline: 'Your registration was checked',
    explanation: 'Your name and number match the register. Your badge now says so.',
    path,
    email: { button: 'View your registration' },
  },
  registration_declined: {
    headline: 'Your registration could not be checked',
    explanation: 'Settings shows the reason. You can correct it there and submit it again.',
    path,
    email: { button: 'Read the reason' },
  },
  registration_lapsed: {
    headline: 'Please confirm your registration',
    explanation: 'The last check was a year ago. Confirm in Settings that you are still registered.',
    path,
    email: { button: 'Confirm your registration' },
  },
} satisfies Record<string, NoticeType>;
