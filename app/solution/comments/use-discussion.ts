import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Change, useRealtime } from '#app/realtime.ts';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { isUuid } from '#app/ui/texts/uuid.ts';
import { commentAnchor } from './anchors.ts';
import {
  type Comment,
  commentsQuery,
  newerComments,
  readComments,
  readReplies,
  readThread,
  type Sort,
} from './data.ts';
import {
  containsComment,
  type Discussion,
  newestOf,
  threadsOf,
  withChange,
  withComment,
  withoutComment,
  withReplies,
  withThread,
} from './threads.ts';

/** Members follow at once; a visitor's page loads the client library when they have scrolled to the discussion. */
function useReachedPages() {
  const section = useRef<HTMLElement>(null);
  const [reached, setReached] = useState(false);
  useEffect(() => {
    const onScroll = () => {
      if ((section.current?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) < innerHeight)
        setReached(true);
    };
    addEventListener('scroll', onScroll, { passive: true, once: false });
    return () => removeEventListener('scroll', onScroll);
  }, []);
  return { section, reached };
}

/**
 * The comment that the page's address leads to, brought into view once it is drawn.
 *
 * @param data what is loaded; an answer that was under way may take its place, without the comment
 */
function useLinkedComment(data: Discussion | undefined, load: (id: string) => void) {
  const [linkedId, setLinkedId] = useState<string | null>(null);
  useEffect(() => {
    const follow = () => {
      const id = location.hash.replace(`#${commentAnchor('')}`, '');
      if (isUuid(id)) setLinkedId(id);
    };
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const isLoaded = linkedId !== null && data !== undefined && containsComment(data, linkedId);
  useEffect(() => {
    if (isLoaded) document.getElementById(commentAnchor(linkedId))?.scrollIntoView({ block: 'center' });
  }, [linkedId, isLoaded]);
  const loadMissing = useEffectEvent(load);
  useEffect(() => {
    if (linkedId !== null && data && !isLoaded) loadMissing(linkedId);
  }, [linkedId, data, isLoaded]);
  return [linkedId, setLinkedId] as const;
}

/** The loaded part of a solution's discussion, and the comments that are new since. */
export function useDiscussion(solutionId: string, sort: Sort) {
  const cache = useQueryClient();
  const member = useMember();
  const { section, reached } = useReachedPages();
  const options = commentsQuery(browserClient, solutionId, sort);
  const query = useInfiniteQuery(options);
  const [news, setNews] = useState<ReadonlySet<string>>(new Set());

  // A comment can come with an answer that was under way when it was announced.
  const unseen = [...news].filter((id) => !query.data || !containsComment(query.data, id));

  const announce = (ids: string[]) => setNews((before) => new Set([...before, ...ids]));
  const removeFromNews = (ids: string[]) =>
    setNews((before) => new Set([...before].filter((id) => !ids.includes(id))));
  const add = (comments: Comment[]) => {
    cache.setQueryData(
      options.queryKey,
      (before) =>
        before && comments.reduce((discussion, comment) => withComment(discussion, comment, sort), before),
    );
    removeFromNews(comments.map(({ id }) => id));
  };
  const remove = (id: string) => {
    cache.setQueryData(options.queryKey, (before) => before && withoutComment(before, id));
    removeFromNews([id]);
  };

  const change = (id: string, to: Partial<Comment>) =>
    cache.setQueryData(options.queryKey, (before) => before && withChange(before, id, to));
  const [linkedId, link] = useLinkedComment(query.data, (id) => {
    void browserClient()
      .then((db) => readThread(db, id))
      .then((thread) => {
        if (thread)
          return cache.setQueryData(options.queryKey, (before) => {
            const after = before && withThread(before, thread, false);
            // Of a thread with very many replies the comment has not come; it is looked for no more once the thread is there.
            const isThere = before && threadsOf(before).some((other) => other.id === thread.id);
            return after && isThere && !containsComment(after, id) ? before : after;
          });
        toast({ tone: 'warning', title: 'This comment has been removed' });
        link(null);
      })
      .catch(() => toast({ tone: 'error', title: 'Failed to load comments' }));
  });

  const onChange = (change: Change) => {
    const id = 'id' in change.new ? change.new.id : 'id' in change.old ? change.old.id : undefined;
    if (typeof id !== 'string') return;
    const deleted = change.eventType === 'DELETE' || ('deleted_at' in change.new && change.new.deleted_at);
    if (deleted) remove(id);
    else if (change.eventType === 'UPDATE') update(id, change.new);
    // The member's own comment arrives with the response to sending it.
    else if (change.eventType === 'INSERT' && change.new.user_id !== member?.id) announce([id]);
  };
  const update = (id: string, { content, language, edited_at }: Record<string, unknown>) => {
    if (typeof content === 'string' && typeof language === 'string' && typeof edited_at === 'string')
      change(id, { content, language, edited_at });
  };
  const catchUp = async () => {
    // What was loaded for a visitor is asked for again, and only what came after the answer is new.
    const currentData = await cache.fetchInfiniteQuery(options);
    const after = newestOf(currentData) ?? '-infinity';
    announce(await newerComments(await browserClient(), solutionId, after));
  };
  const filter = `solution_id=eq.${solutionId}`;
  useRealtime(
    member || reached ? `comments:${solutionId}` : undefined,
    [
      { table: 'comments', event: 'INSERT', filter },
      { table: 'comments', event: 'UPDATE', filter },
      // A deletion event carries only the row's id, which no filter can match.
      { table: 'comments', event: 'DELETE' },
    ],
    // Without an answer the reader simply does not see the new comment yet.
    () => void catchUp().catch(() => undefined),
    onChange,
  );

  const failed = () => toast({ tone: 'error', title: 'Failed to load comments' });
  const show = useMutation({
    mutationFn: async () => readComments(await browserClient(), unseen),
    onSuccess: (comments) => {
      add(comments);
      setNews(new Set());
    },
    onError: failed,
  });
  const more = useMutation({
    mutationFn: async ({ thread, cursor }: { thread: string; cursor: string }) => ({
      thread,
      piece: await readReplies(await browserClient(), thread, cursor),
    }),
    onSuccess: ({ thread, piece }) =>
      cache.setQueryData(options.queryKey, (before) => before && withReplies(before, thread, piece)),
    onError: failed,
  });
  return { section, query, news: unseen.length, show, more, add, change, remove, linkedId, link };
}
