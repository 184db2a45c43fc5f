import { ABOUT, ACTOR, type NoticeType } from '#app/frame/kinds/notice-type.ts';
import { contentPath, type Target } from '#app/frame/kinds/paths.ts';
import { commentAnchor, DISCUSSION } from './anchors.ts';

/** To the comment itself, loaded wherever it stands. */
const path = (target: Target) =>
  contentPath(target, `#${target.comment_id ? commentAnchor(target.comment_id) : DISCUSSION}`);

export const noticeTypes = {
  comment_reply: {
    headline: `${ACTOR} replied to your comment on ${ABOUT}`,
    path,
    together: {
      weight: 'text',
      say: (count) => (count === 1 ? '1 reply to your comment' : `${count} replies to your comments`),
    },
    filter: 'comments',
  },
  comment: {
    headline: `${ACTOR} commented on ${ABOUT}`,
    path,
    together: { weight: 'text', say: (count) => (count === 1 ? '1 comment' : `${count} comments`) },
    filter: 'comments',
  },
} satisfies Record<string, NoticeType>;
