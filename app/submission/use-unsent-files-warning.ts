import { useEffect } from 'react';
import type { Uploads } from '#app/media-upload/upload-queue.ts';

/** Has the browser ask before the page is left with files that were not sent: a draft keeps texts, but no files. */
export function useUnsentFilesWarning(uploads: Uploads): void {
  const unsent = uploads.items.some(({ state }) => state !== 'ready' && state !== 'refused');
  useEffect(() => {
    if (!unsent) return;
    const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => window.removeEventListener('beforeunload', onBeforeUnload);
  }, [unsent]);
}
