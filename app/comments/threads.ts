import type { InfiniteData } from '@tanstack/react-query';
import type { Comment, CommentNode, CommentsPage, Thread } from './data.ts';

export type Discussion = InfiniteData<CommentsPage<Thread>>;

/** Attaches each reply to the comment it answers; replies come in order of time. */
export function toTree({ replies, ...first }: Thread): CommentNode {
  const top: CommentNode = { ...first, replies: [] };
  const nodes = new Map([[top.id, top]]);
  for (const reply of replies.items) {
    const node: CommentNode = { ...reply, replies: [] };
    nodes.set(node.id, node);
    nodes.get(reply.parent_comment_id ?? '')?.replies.push(node);
  }
  return top;
}

const threadsOf = (discussion: Discussion) => discussion.pages.flatMap((page) => page.items);

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

const mapThreads = (discussion: Discussion, change: (thread: Thread) => Thread): Discussion => ({
  ...discussion,
  pages: discussion.pages.map((page) => ({ ...page, items: page.items.map(change) })),
});

/** Inserts a comment: a first-level one on top, a reply below its parent where that is loaded. */
export function withComment(discussion: Discussion, comment: Comment): Discussion {
  if (containsComment(discussion, comment.id)) return discussion;
  const parent = comment.parent_comment_id;
  if (!parent) {
    const thread: Thread = { ...comment, replies: { items: [], next_cursor: null } };
    return {
      ...discussion,
      pages: discussion.pages.map((page, index) =>
        index === 0 ? { ...page, items: [thread, ...page.items] } : page,
      ),
    };
  }
  return mapThreads(discussion, (thread) =>
    thread.id === parent || thread.replies.items.some(({ id }) => id === parent)
      ? { ...thread, replies: { ...thread.replies, items: [...thread.replies.items, comment] } }
      : thread,
  );
}

/** Adds the next replies of a thread. */
export function withReplies(discussion: Discussion, threadId: string, page: CommentsPage): Discussion {
  return mapThreads(discussion, (thread) => {
    if (thread.id !== threadId) return thread;
    const newIds = new Set(page.items.map(({ id }) => id));
    // A comment inserted while the page was being fetched comes in the page as well, in its right place.
    const before = thread.replies.items.filter(({ id }) => !newIds.has(id));
    return { ...thread, replies: { items: [...before, ...page.items], next_cursor: page.next_cursor } };
  });
}

/** Empties a comment and leaves its place, so that nothing moves for the reader. */
export function withoutComment(discussion: Discussion, id: string): Discussion {
  const empty = <Kind extends Comment>(comment: Kind): Kind =>
    comment.id === id
      ? { ...comment, content: '', user_id: null, author: null, deleted_at: new Date().toISOString() }
      : comment;
  return mapThreads(discussion, (thread) => ({
    ...empty(thread),
    replies: { ...thread.replies, items: thread.replies.items.map(empty) },
  }));
}
