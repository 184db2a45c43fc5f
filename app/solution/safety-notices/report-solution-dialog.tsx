import type { ComponentProps } from 'react';
import { ReportDialog } from '#app/people/members/report-dialog.tsx';
import { HarmQuestion } from './harm-question.tsx';

/** Asks why the reader reports a solution, and whether someone was hurt by what it describes. */
export function ReportSolutionDialog(
  props: Pick<ComponentProps<typeof ReportDialog>, 'contentId' | 'reporterId' | 'onClose'>,
) {
  return (
    <ReportDialog kind="solution" {...props}>
      <HarmQuestion>
        Say in your reason what can happen. A moderator can add a safety notice immediately.
      </HarmQuestion>
    </ReportDialog>
  );
}
