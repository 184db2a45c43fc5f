import { useEffect } from 'react';
import type { UploadQueue } from './upload-queue.ts';

/** Has the browser ask before the page is left with files that it could not keep on the device. */
export function useUnsentFilesWarning({ wouldLoseFiles }: UploadQueue): void {
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent) => wouldLoseFiles() && event.preventDefault();
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => window.removeEventListener('beforeunload', onBeforeUnload);
  }, [wouldLoseFiles]);
}
