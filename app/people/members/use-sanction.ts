import { useQuery } from '@tanstack/react-query';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import { sanctionQuery } from './data.ts';

const HOUR_MS = 3_600_000;

/**
 * The sanction that keeps the signed-in member from taking part, with a sentence that says so; null when there
 * is none or it is not known, and undefined for visitors. It is kept up to date while the page is open.
 */
export function useSanction() {
  const member = useMember();
  const { data } = useQuery({
    ...sanctionQuery(browserClient, member?.id ?? ''),
    enabled: member != null,
    // It ends by itself, and the notice with it.
    refetchInterval: ({ state }) =>
      state.data?.until
        ? Math.min(Math.max(Date.parse(state.data.until) - Date.now(), 1_000), HOUR_MS)
        : false,
  });
  if (!member) return undefined;
  if (!data) return null;
  return {
    ...data,
    sentence: data.until
      ? `You are suspended until ${formatDay(data.until)}.`
      : 'Your account has been banned.',
  };
}
