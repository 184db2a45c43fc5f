import type { InfiniteData } from '@tanstack/react-query';
import { withItems } from '#app/frame/page/pages.ts';
import type { Comment, CommentNode, CommentsPage, Sort, Thread, ThreadsPage } from './data.ts';

export type Discussion = InfiniteData<ThreadsPage>;

/**
 * Attaches each reply to the comment it answers; replies come in order of time. Where not all replies of the
 * thread are loaded, the number of those below one of them is not known.
 */
export function toTree({ replies, ...first }: Thread): CommentNode {
  const top: CommentNode = { ...first, replies: [] };
  const complete = replies.next_cursor === null;
  const nodes = new Map([[top.id, top]]);
  for (const reply of replies.items) {
    const node: CommentNode = { ...reply, reply_count: complete ? 0 : null, replies: [] };
    nodes.set(node.id, node);
    nodes.get(reply.parent_comment_id ?? '')?.replies.push(node);
  }
  const count = (node: CommentNode): number =>
    node.replies.reduce((sum, reply) => sum + (reply.deleted_at ? 0 : 1) + count(reply), 0);
  if (complete) for (const node of nodes.values()) if (node !== top) node.reply_count = count(node);
  return top;
}

/** The loaded threads, each once: one that a link led to also comes in its own place. */
export const threadsOf = (discussion: Discussion): Thread[] => [
  ...new Map(discussion.pages.flatMap((page) => page.items).map((thread) => [thread.id, thread])).values(),
];

/** Whether a comment, at any level, is among those that are loaded. */
export function containsComment(discussion: Discussion, id: string): boolean {
  return threadsOf(discussion).some(
    (thread) => thread.id === id || thread.replies.items.some((reply) => reply.id === id),
  );
}

/** The time of the newest loaded comment; undefined when none is loaded. */
export function newestOf(discussion: Discussion): string | undefined {
  return threadsOf(discussion)
    .flatMap((thread) => [thread, ...thread.replies.items])
    .map(({ created_at }) => created_at)
    .sort((a, b) => Date.parse(a) - Date.parse(b))
    .at(-1);
}

/** Inserts a thread above the others, or below them; a thread that is there already is replaced in its place. */
export function withThread(discussion: Discussion, thread: Thread, below: boolean): Discussion {
  if (threadsOf(discussion).some(({ id }) => id === thread.id))
    return withItems(discussion, (other) => (other.id === thread.id ? thread : other));
  const at = below ? discussion.pages.length - 1 : 0;
  return {
    ...discussion,
    pages: discussion.pages.map((page, index) =>
      index === at ? { ...page, items: below ? [...page.items, thread] : [thread, ...page.items] } : page,
    ),
  };
}

/** Inserts a comment: a first-level one where the newest are, a reply below its parent where that is loaded. */
export function withComment(discussion: Discussion, comment: Comment, sort: Sort = 'newest'): Discussion {
  if (containsComment(discussion, comment.id)) return discussion;
  const parent = comment.parent_comment_id;
  if (!parent) {
    const thread: Thread = { ...comment, reply_count: 0, replies: { items: [], next_cursor: null } };
    return withThread(discussion, thread, sort === 'oldest');
  }
  return withItems(discussion, (thread) =>
    thread.id === parent || thread.replies.items.some(({ id }) => id === parent)
      ? {
          ...thread,
          reply_count: thread.reply_count + 1,
          replies: { ...thread.replies, items: [...thread.replies.items, comment] },
        }
      : thread,
  );
}

/** Adds the next replies of a thread. */
export function withReplies(discussion: Discussion, threadId: string, page: CommentsPage): Discussion {
  return withItems(discussion, (thread) => {
    if (thread.id !== threadId) return thread;
    const newIds = new Set(page.items.map(({ id }) => id));
    // A comment inserted while the page was being fetched comes in the page as well, in its right place.
    const before = thread.replies.items.filter(({ id }) => !newIds.has(id));
    return { ...thread, replies: { items: [...before, ...page.items], next_cursor: page.next_cursor } };
  });
}

/** Changes one comment where it is. */
export function withChange(discussion: Discussion, id: string, change: Partial<Comment>): Discussion {
  const changed = <Kind extends Comment>(comment: Kind): Kind =>
    comment.id === id ? { ...comment, ...change } : comment;
  return withItems(discussion, (thread) => ({
    ...changed(thread),
    replies: { ...thread.replies, items: thread.replies.items.map(changed) },
  }));
}

/** Empties a comment and leaves its place, so that nothing moves for the reader. */
export function withoutComment(discussion: Discussion, id: string): Discussion {
  const emptied = withChange(discussion, id, {
    content: '',
    user_id: null,
    author: null,
    edited_at: null,
    deleted_at: new Date().toISOString(),
  });
  return withItems(emptied, (thread) =>
    thread.replies.items.some((reply) => reply.id === id)
      ? { ...thread, reply_count: thread.reply_count - 1 }
      : thread,
  );
}
