import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { browserClient } from '#app/supabase.ts';
import { removeVersion } from './content.ts';

/** Takes away the text of an earlier version, for its author and the moderators. */
export function RemoveVersion({ solutionId, version }: { solutionId: string; version: number }) {
  const removal = useConfirmedAction({
    title: 'Remove version',
    question: `The text of version ${version} is permanently deleted. Its page will then say that it was removed.`,
    verb: 'Remove',
    busy: 'Removing',
    act: async () => removeVersion(await browserClient(), solutionId, version),
    done: 'Text of the version removed',
    failed: 'The text couldn’t be removed',
    refresh: [['solutions']],
  });
  return (
    <>
      <button type="button" className="reach link text-red-ink" onClick={() => removal.ask()}>
        Remove the text of this version
      </button>
      {removal.dialog}
    </>
  );
}
