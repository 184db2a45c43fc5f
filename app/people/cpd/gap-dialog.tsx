import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { TextDialog } from '#app/ui/surfaces/text-dialog.tsx';
import { explainGap, type Gap, MAX_GAP_REASON } from './data.ts';
import { gapText } from './record.ts';

/** Asks why there is no entry for three months or more. */
export function GapDialog({ gap, onClose }: { gap: Gap; onClose: () => void }) {
  const saving = useAction({
    act: async (reason: string) => explainGap(await browserClient(), gap.id, reason),
    done: 'CPD record saved',
    failed: 'Failed to save the explanation',
    fallback: 'Please try again',
    onDone: onClose,
    refresh: [['cpd']],
  });
  return (
    <TextDialog
      title="Explain the gap"
      description={`${gapText(gap)}. Only you can read your record.`}
      label="Explanation"
      hint="Such as illness, parental leave or a break from practice."
      rows={3}
      maxLength={MAX_GAP_REASON}
      written={gap.reason ?? ''}
      action={{ label: 'Save explanation', busy: saving.isPending && 'Saving' }}
      onSend={(reason) => saving.mutate(reason)}
      onClose={onClose}
    />
  );
}
