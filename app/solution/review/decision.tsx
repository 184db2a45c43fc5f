import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { authorName } from '#app/frame/members/names.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { RemovalQuestion } from '#app/solution/versions/change-note-field.tsx';
import { decideSolution, reviewChecklist } from './data.ts';
import { ReviewCase } from './review-case.tsx';

/** The decision on a waiting solution. */
export function Decision({ solution }: { solution: Solution }) {
  const { id, revises, title } = solution;
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [removesDetails, setRemovesDetails] = useState(solution.removes_details);
  return (
    <ReviewCase
      kind="solution"
      id={id}
      points={reviewChecklist}
      act={(db, made, checklist) =>
        decideSolution(
          db,
          solution,
          made.status === 'approved' && revises ? { ...made, removes_details: removesDetails } : made,
          checklist,
        )
      }
      done={{
        approved: { title: 'Solution Approved', text: 'The solution is now visible to all users.' },
        rejected: { title: 'Solution Rejected', text: 'The author has been notified.' },
      }}
      failed={(_error, { status }) =>
        status === 'approved' ? 'Failed to approve solution' : 'Failed to reject solution'
      }
      onDone={({ status }) => {
        // An approved version is read at the address of its solution; its own address ends with the approval.
        if (status === 'approved' && revises && pathname.endsWith(`/${id}`))
          void navigate(`/solutions/${revises}`, { replace: true });
      }}
      refresh={[['solutions']]}
      decline={{
        label: 'Reject',
        title: 'Reject Solution',
        busy: 'Rejecting',
        work: { title, author: authorName(solution.user_id, solution.author) },
        missing: 'Please provide a reason for rejection',
      }}
    >
      {revises && (
        <RemovalQuestion
          checked={removesDetails}
          onChange={({ target }) => setRemovesDetails(target.checked)}
        />
      )}
    </ReviewCase>
  );
}
