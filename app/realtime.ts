import type { RealtimePostgresChangesPayload } from '@supabase/supabase-js';
import { useEffect, useEffectEvent, useState } from 'react';
import { browserClient, checkSession } from './supabase.ts';
import { readerStays } from './ui/states/reader-stays.ts';

type Row = Record<string, unknown>;
export type Change = RealtimePostgresChangesPayload<Row>;

/** The rows to subscribe to; a filter is one of PostgREST's, for example `user_id=eq.…`. */
export interface RealtimeOptions {
  table:
    | 'audit_events'
    | 'comment_counts'
    | 'comments'
    | 'content_reports'
    | 'forum_posts'
    | 'forum_topics'
    | 'held_posts'
    | 'message_deletions'
    | 'messages'
    | 'notifications'
    | 'resource_suggestions'
    | 'sanctions'
    | 'solution_reviews'
    | 'solutions'
    | 'removal_requests'
    | 'user_roles';
  event?: 'INSERT' | 'UPDATE' | 'DELETE';
  filter?: string;
}

/** The shortest interval between two reads that changes cause. */
const READ_AGAIN_MS = 1_000;

/**
 * Follows changes of the database while `topic` is given, and returns whether they are being received. A
 * connection that fails is tried again by the client library and never disturbs the page. Changes during a
 * gap are not delivered later: `readAgain` reads them, at the start and after every gap.
 *
 * @param onChange receives a change, and `readAgain` in a form that a burst of changes calls only at its
 * beginning and its end; by default it only calls that
 */
export function useRealtime(
  topic: string | undefined,
  subscriptions: readonly RealtimeOptions[],
  readAgain: () => void,
  onChange: (change: Change, readAgain: () => void) => void = (_, again) => again(),
): boolean {
  const [live, setLive] = useState(false);
  const change = useEffectEvent(onChange);
  const read = useEffectEvent(readAgain);
  const currentSubscriptions = useEffectEvent(() => subscriptions);
  useEffect(() => {
    if (!topic) return;
    let cancelled = false;
    let unsubscribe = () => {
      cancelled = true;
    };
    let pause: ReturnType<typeof setTimeout> | undefined;
    let missed = false;
    const readOnce = () => {
      missed = pause !== undefined;
      if (missed) return;
      read();
      pause = setTimeout(() => {
        pause = undefined;
        if (missed) readOnce();
      }, READ_AGAIN_MS);
    };
    readerStays()
      .then(browserClient)
      .then(async (client) => {
        // The session decides which rows may be received: without waiting for it a member would subscribe as
        // a visitor.
        await client.realtime.setAuth();
        if (cancelled) return;
        // The library would take two channels of one name for one.
        const channel = client.channel(`${topic}:${crypto.randomUUID()}`);
        for (const { table, filter, event = '*' } of currentSubscriptions()) {
          channel.on<Row>(
            'postgres_changes',
            // The library's overloads name one event each.
            { event: event as '*', schema: 'public', table, ...(filter ? { filter } : {}) },
            (payload) => change(payload, readOnce),
          );
        }
        // Changes are received from this message on. The channel is open before it, but changes until then
        // are not delivered.
        channel.on('system', {}, ({ extension, status }: { extension: string; status: string }) => {
          if (cancelled || extension !== 'postgres_changes') return;
          setLive(status === 'ok');
          if (status === 'ok') read();
        });
        channel.subscribe((status) => {
          if (cancelled || status === 'SUBSCRIBED') return;
          setLive(false);
          // The server closes the channels of a session that was ended on another device.
          void checkSession().catch(() => undefined);
        });
        unsubscribe = () => {
          cancelled = true;
          setLive(false);
          void client.removeChannel(channel);
        };
      })
      .catch(() => undefined);
    return () => {
      clearTimeout(pause);
      unsubscribe();
    };
  }, [topic]);
  return live;
}
