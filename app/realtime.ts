import type { RealtimePostgresChangesPayload } from '@supabase/supabase-js';
import { useEffect, useEffectEvent, useState } from 'react';
import { browserClient } from './supabase.ts';

type Row = Record<string, unknown>;
export type Change = RealtimePostgresChangesPayload<Row>;

/** Which rows to hear of; a filter is one of PostgREST's, such as `user_id=eq.…`. */
export interface RealtimeOptions {
  table:
    | 'comments'
    | 'forum_posts'
    | 'forum_topics'
    | 'messages'
    | 'notifications'
    | 'solutions'
    | 'user_roles';
  event?: 'INSERT' | 'UPDATE' | 'DELETE';
  filter?: string;
}

/** What is read again because of a change is read at most this often. */
const READ_AGAIN_MS = 1_000;

/**
 * Follows changes of the database while `topic` is given, and tells whether they are being heard. A connection that
 * fails is tried again by the client library and never disturbs the page. What happened while nobody listened is
 * not told later: `readAgain` reads it, at the start and after every gap.
 *
 * @param onChange takes a change, and `readAgain` in a form that a burst of changes calls only at its beginning and
 *   its end; calls nothing but that unless given
 */
export function useRealtime(
  topic: string | undefined,
  heard: readonly RealtimeOptions[],
  readAgain: () => void,
  onChange: (change: Change, readAgain: () => void) => void = (_, again) => again(),
): boolean {
  const [live, setLive] = useState(false);
  const change = useEffectEvent(onChange);
  const read = useEffectEvent(readAgain);
  const listen = useEffectEvent(() => heard);
  useEffect(() => {
    if (!topic) return;
    let left = false;
    let leave = () => {
      left = true;
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
    browserClient()
      .then(async (client) => {
        // Who asks decides what may be heard: without waiting for the session a member would ask as a visitor.
        await client.realtime.setAuth();
        if (left) return;
        // Two of one name would be one for the library.
        const channel = client.channel(`${topic}:${crypto.randomUUID()}`);
        for (const { table, filter, event = '*' } of listen()) {
          channel.on<Row>(
            'postgres_changes',
            // The library's overloads name one event each.
            { event: event as '*', schema: 'public', table, ...(filter ? { filter } : {}) },
            (payload) => change(payload, readOnce),
          );
        }
        // Changes are heard from this message on. The channel is open before, and what happens until then is told by nobody.
        channel.on('system', {}, ({ extension, status }: { extension: string; status: string }) => {
          if (left || extension !== 'postgres_changes') return;
          setLive(status === 'ok');
          if (status === 'ok') read();
        });
        channel.subscribe((status) => {
          if (!left && status !== 'SUBSCRIBED') setLive(false);
        });
        leave = () => {
          left = true;
          setLive(false);
          void client.removeChannel(channel);
        };
      })
      .catch(() => undefined);
    return () => {
      clearTimeout(pause);
      leave();
    };
  }, [topic]);
  return live;
}
