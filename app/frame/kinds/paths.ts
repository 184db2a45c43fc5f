/** The ids of what a notification or an email is about. */
export interface Target {
  solution_id?: string | null | undefined;
  comment_id?: string | null | undefined;
  topic_id?: string | null | undefined;
  post_id?: string | null | undefined;
  removal_request_id?: string | null | undefined;
  use_question_id?: string | null | undefined;
  /** Maker and number of a part, by which the reader finds the solutions with it. */
  part?: string | null | undefined;
}

/** The address of one reply, which opens the page of the topic that contains it. */
export const replyUrl = (topicId: string, postId: string): string =>
  `/forum/${topicId}?post=${postId}#post-${postId}`;

/** The path to the topic, the reply or the place in a solution that is meant; to the notifications when it is gone. */
export function contentPath({ topic_id, post_id, solution_id }: Target, place = ''): string {
  if (topic_id) return post_id ? replyUrl(topic_id, post_id) : `/forum/${topic_id}`;
  return solution_id ? `/solutions/${solution_id}${place}` : '/notifications';
}
