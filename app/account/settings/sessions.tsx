import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { LoadFailedLine } from '#app/ui/states/load-failed-line.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { sessionsQuery, signOutOthers } from './data.ts';
import { deviceOf } from './device.ts';

/** The devices on which the member is signed in, and the button that signs out all others than this one. */
export function SessionsSettings({ userId }: { userId: string }) {
  const cache = useQueryClient();
  const sessions = useQuery(sessionsQuery(browserClient, userId));
  const [busy, setBusy] = useState(false);
  if (sessions.isError)
    return <LoadFailedLine title="Failed to load your devices" onRetry={() => void sessions.refetch()} />;
  if (!sessions.data) return <Skeleton className="h-28" />;
  const end = async () => {
    setBusy(true);
    try {
      await signOutOthers(await browserClient());
      toast({ tone: 'success', title: 'Signed out everywhere else' });
    } catch (error) {
      toast({ tone: 'error', title: 'Error', text: messageOf(error, 'Please try again') });
    }
    setBusy(false);
    await cache.invalidateQueries({ queryKey: ['account', 'sessions', userId] });
  };
  return (
    <>
      <ul className="divide-y">
        {sessions.data.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {sessions.data.length > 1 && (
        <Button className="mt-4" busy={busy && 'Signing out'} onClick={() => void end()}>
          Sign out everywhere else
        </Button>
      )}
    </>
  );
}

interface Session {
  user_agent: string | null;
  refreshed_at: string;
  is_current: boolean;
}

function SessionRow({ session: { user_agent, refreshed_at, is_current } }: { session: Session }) {
  const { name, isMobile } = deviceOf(user_agent);
  const Icon = isMobile ? Smartphone : Monitor;
  const active = useRelativeTime(refreshed_at);
  return (
    <li className="flex items-center gap-4 py-3">
      <Icon className="size-6 shrink-0 text-ink-2" strokeWidth={1.75} aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-title wrap-anywhere">{name}</p>
        <p className="text-sm text-ink-2">Active {active}</p>
      </div>
      {is_current && <Badge tone="accent">This browser</Badge>}
    </li>
  );
}
