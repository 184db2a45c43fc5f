import { ABOUT, ACTOR, type NoticeType } from '#app/frame/kinds/notice-type.ts';

/** A `forum_reply` without a reply: the topic itself names its reader. */
export const mention: NoticeType = {
  headline: `${ACTOR} mentioned you in ${ABOUT}`,
  together: {
    weight: 'topic',
    say: (count) => (count === 1 ? '1 mention of you' : `${count} mentions of you`),
  },
};

export const noticeTypes = {
  topic_summarised: {
    headline: `${ACTOR} wrote a summary of ${ABOUT}`,
    together: { weight: 'topic', say: () => 'a summary' },
  },
  answer_marked: {
    headline: `${ACTOR} marked your reply as the answer that helped in ${ABOUT}`,
    together: { weight: 'topic', say: () => 'your reply marked as the answer' },
  },
  forum_reply: {
    headline: `${ACTOR} replied in ${ABOUT}`,
    together: { weight: 'text', say: (count) => (count === 1 ? '1 reply' : `${count} replies`) },
    filter: 'comments',
  },
} satisfies Record<string, NoticeType>;
