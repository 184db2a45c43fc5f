import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#app/errors.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { audienceLabel } from '#app/solution/solutions/options.ts';
import { browserClient } from '#app/supabase.ts';
import { Radio } from '#app/ui/controls/checkbox-radio.tsx';
import { FieldGroup } from '#app/ui/controls/field.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { narrowAudience, narrowerThan } from './data.ts';

interface NarrowDialogProps {
  solution: Solution;
  onClose: () => void;
}

/** Lets the author of a published solution show it to fewer people at once. */
export function NarrowDialog({ solution, onClose }: NarrowDialogProps) {
  const cache = useQueryClient();
  const offered = narrowerThan(solution.audience);
  const [chosen, setChosen] = useState(offered[0]?.value ?? 'checked');
  const narrowing = useMutation({
    mutationFn: async () => narrowAudience(await browserClient(), solution.id, chosen),
    onSuccess: async () => {
      toast({ tone: 'success', title: `Shown to ${audienceLabel(chosen).toLowerCase()} only` });
      onClose();
      await cache.invalidateQueries({ queryKey: ['solutions'] });
    },
    onError: (problem) =>
      toast({ tone: 'error', title: 'Failed to change who can see it', text: messageOf(problem, '') }),
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
        <FieldGroup id="narrower-audience" legend={`Now: ${audienceLabel(solution.audience)}`}>
          {offered.map(({ value, label }) => (
            <Radio
              key={value}
              name="audience"
              value={value}
              checked={chosen === value}
              onChange={() => setChosen(value)}
            >
              {label} only
            </Radio>
          ))}
        </FieldGroup>
      </div>
    </Dialog>
  );
}
