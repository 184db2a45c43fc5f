import type { ComponentProps } from 'react';
import { ReportDialog } from '#app/people/members/report-dialog.tsx';
import { HarmQuestion } from './harm-question.tsx';

/** Asks why the reader reports what is said of a device, and whether someone was hurt by it. */
export function ReportCaseDialog(props: Omit<ComponentProps<typeof ReportDialog>, 'children'>) {
  return (
    <ReportDialog {...props}>
      <HarmQuestion>
        Say in your reason what can happen. A moderator can add a safety notice immediately.
      </HarmQuestion>
    </ReportDialog>
  );
}
