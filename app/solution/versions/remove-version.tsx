import { useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { ConfirmDialog } from '#app/ui/surfaces/lazy-confirm-dialog.ts';
import { removeVersion } from './content.ts';

/** Takes away the text of an earlier version, for its author and the moderators. */
export function RemoveVersion({ solutionId, version }: { solutionId: string; version: number }) {
  const [confirming, setConfirming] = useState(false);
  const removal = useAction({
    act: async () => removeVersion(await browserClient(), solutionId, version),
    done: 'Text of the version removed',
    failed: 'The text couldn’t be removed',
    onDone: () => setConfirming(false),
    refresh: [['solutions']],
  });
  return (
    <>
      <button type="button" className="reach link text-red-ink" onClick={() => setConfirming(true)}>
        Remove the text of this version
      </button>
      {confirming && (
        <ConfirmDialog
          title="Remove version"
          question={`The text of version ${version} is permanently deleted. Its page will then say that it was removed.`}
          verb="Remove"
          busy={removal.isPending && 'Removing'}
          onConfirm={() => removal.mutate()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
