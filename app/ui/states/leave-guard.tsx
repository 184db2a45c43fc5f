import { useEffect, useEffectEvent } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from '#app/ui/surfaces/lazy-confirm-dialog.ts';

/**
 * Has the browser ask before the page is closed.
 *
 * @param wouldLose asked then; null where there is nothing to lose
 */
export function useLeaveWarning(wouldLose: (() => boolean) | null): void {
  useEffect(() => {
    if (!wouldLose) return;
    const warn = (event: BeforeUnloadEvent) => wouldLose() && event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [wouldLose]);
}

const always = () => true;

/** Asks before a page is left on which something is not saved yet. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useLeaveWarning(isDirty ? always : null);
  if (blocker.state !== 'blocked') return null;
  return (
    <ConfirmDialog
      title="Leave without saving?"
      question="Your changes on this page haven’t been saved."
      verb="Leave page"
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    />
  );
}

/** Reports to the page around a form whether something in it is not saved yet. */
export function useDirtyReport(
  isDirty: boolean,
  onDirtyChange: ((isDirty: boolean) => void) | undefined,
): void {
  const report = useEffectEvent((now: boolean) => onDirtyChange?.(now));
  useEffect(() => report(isDirty), [isDirty]);
}
