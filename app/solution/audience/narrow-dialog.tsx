import { useState } from 'react';
import { useAction } from '#app/frame/act/use-action.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { audienceLabel } from '#app/solution/solutions/value-lists.ts';
import { browserClient } from '#app/supabase.ts';
import { Radio } from '#app/ui/controls/checkbox-radio.tsx';
import { FieldGroup } from '#app/ui/controls/field.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { narrowAudience, narrowerThan } from './data.ts';

interface NarrowDialogProps {
  solution: Solution;
  onClose: () => void;
}

/** Lets the author of a published solution show it to fewer people at once. */
export function NarrowDialog({ solution, onClose }: NarrowDialogProps) {
  const offered = narrowerThan(solution.audience);
  const [chosen, setChosen] = useState(offered[0]?.value ?? 'checked');
  const narrowing = useAction({
    act: async () => narrowAudience(await browserClient(), solution.id, chosen),
    done: chosen === 'members' ? 'Shown to members only' : 'Shown to checked professionals only',
    failed: 'Failed to change who can see it',
    onDone: onClose,
    refresh: [['solutions']],
  });
  return (
    <Dialog
      onClose={onClose}
      onSubmit={() => narrowing.mutate()}
      title="Who can see it"
      description="This takes effect straight away. To show it to more people, edit the solution and submit it for review."
      action={{ label: 'Show to fewer people', busy: narrowing.isPending && 'Saving' }}
    >
      <div className="mt-5">
        <FieldGroup radios id="narrower-audience" legend={`Now: ${audienceLabel(solution.audience)}`}>
          {offered.map(({ value }) => (
            <Radio
              key={value}
              name="audience"
              value={value}
              checked={chosen === value}
              onChange={() => setChosen(value)}
            >
              {value === 'members' ? 'Members only' : 'Checked professionals only'}
            </Radio>
          ))}
        </FieldGroup>
      </div>
    </Dialog>
  );
}
