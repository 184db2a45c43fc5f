import { type ComponentProps, useState } from 'react';
import { ReportDialog } from '#app/frame/members/report-dialog.tsx';
import { HarmQuestion } from './harm-question.tsx';

/** Asks why the reader reports what is said of a device, and whether someone was hurt by it. */
export function ReportCaseDialog(
  props: Omit<ComponentProps<typeof ReportDialog>, 'children' | 'tellsOfHarm'>,
) {
  const [tellsOfHarm, setTellsOfHarm] = useState(false);
  return (
    <ReportDialog {...props} tellsOfHarm={tellsOfHarm}>
      <HarmQuestion onAnswer={setTellsOfHarm}>
        Describe what happened above. A moderator can add a safety notice straight away.
      </HarmQuestion>
    </ReportDialog>
  );
}
