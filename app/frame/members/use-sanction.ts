import { useMember, useViewer } from '#app/session.ts';
import { formatDay } from '#app/ui/texts/dates.ts';

/**
 * The sanction that keeps the signed-in member from taking part, with a sentence that says so; null when there
 * is none or it is not known, and undefined for visitors. It is kept up to date while the page is open.
 */
export function useSanction() {
  const member = useMember();
  const sanction = useViewer()?.sanction;
  if (!member) return undefined;
  if (!sanction) return null;
  return {
    ...sanction,
    sentence: sanction.until
      ? `You are suspended until ${formatDay(sanction.until)}.`
      : 'Your account has been banned.',
  };
}
