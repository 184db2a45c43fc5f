import { useQuery } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { deviceOf } from '#app/account/credentials/device.ts';
import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { cancelledText, pendingEmailQuery, sessionsQuery, signOutOthers } from './data.ts';

/** The devices on which the member is signed in, and the button that signs out all others than this one. */
export function SessionsSettings({ userId }: { userId: string }) {
  const sessions = useQuery(sessionsQuery(browserClient, userId));
  const pending = pendingEmailQuery(browserClient, userId);
  const pendingEmail = useQuery(pending).data;
  const ending = useAction({
    act: async () => signOutOthers(await browserClient()),
    done: { title: 'Signed out everywhere else', text: cancelledText(pendingEmail) },
    failed: 'Error',
    fallback: 'Please try again',
    refresh: [['account', 'sessions', userId], pending.queryKey],
  });
  if (sessions.isError)
    return <LoadFailed title="Failed to load your devices" onRetry={() => void sessions.refetch()} />;
  if (!sessions.data) return <Skeleton className="h-28" />;
  return (
    <>
      <ul className="divide-y">
        {sessions.data.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {sessions.data.length > 1 && (
        <Button className="mt-4" busy={ending.isPending && 'Signing out'} onClick={() => ending.mutate()}>
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
        <p className="font-bold wrap-anywhere">{name}</p>
        <p className="text-sm text-ink-2">Active {active}</p>
      </div>
      {is_current && <Badge tone="accent">This browser</Badge>}
    </li>
  );
}
