import { ACTOR, type MailedNotice, type NoticeType } from '#app/frame/kinds/notice-type.ts';

const path = () => '/messages';

const aMessage = ({ actor, subject }: MailedNotice) => ({
  heading: `${actor} sent you a message: ${subject}`,
  text: 'The message is on the site, where only the two of you can read it.',
});

export const noticeTypes = {
  message: {
    headline: `${ACTOR} sent you a message`,
    path,
    email: (notice) => ({ ...aMessage(notice), button: 'Read and reply' }),
    filter: 'messages',
  },
  sanction: {
    headline: `${ACTOR} sent you a message about your account`,
    path,
    warning: { about: 'moderation', open: 'Read the message' },
    email: aMessage,
    filter: 'messages',
  },
} satisfies Record<string, NoticeType>;
