import { useState } from 'react';
import { authorName } from '#app/frame/members/names.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { RemovalQuestion } from '#app/solution/versions/change-note-field.tsx';
import { DecisionForm } from './decision-form.tsx';
import { useDecision } from './use-decision.ts';

/** The decision on a waiting solution. */
export function Decision({ solution }: { solution: Solution }) {
  const decision = useDecision(solution);
  const [removesDetails, setRemovesDetails] = useState(solution.removes_details);
  return (
    <>
      {solution.revises && (
        <RemovalQuestion
          checked={removesDetails}
          onChange={({ target }) => setRemovesDetails(target.checked)}
        />
      )}
      <DecisionForm
        kind="solution"
        id={solution.id}
        title={solution.title}
        author={authorName(solution.user_id, solution.author)}
        busy={decision.isPending}
        onDecide={(made, checklist, onDone) =>
          decision.mutate(
            {
              decision:
                made.status === 'approved' && solution.revises
                  ? { ...made, removes_details: removesDetails }
                  : made,
              checklist,
            },
            { ...(onDone && { onSuccess: onDone }) },
          )
        }
      />
    </>
  );
}
