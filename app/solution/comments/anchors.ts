/** The part of a solution's page in which it is discussed. */
export const DISCUSSION = 'comments';

/** The place of a comment in that page. */
export const commentAnchor = (id: string) => `comment-${id}`;
