import { useOnline } from './online.ts';

/** Says under the header that the line is down; the region is there before, so that screen readers announce it. */
export function OfflineNotice() {
  const online = useOnline();
  return (
    <div role="status" className="print:hidden">
      {!online && (
        <p className="border-b bg-amber-soft py-3 text-amber-ink">
          <span className="page block">
            You’re offline. You can read public pages that you opened before. A solution you submit is sent
            once you’re back; other changes need a connection.
          </span>
        </p>
      )}
    </div>
  );
}
