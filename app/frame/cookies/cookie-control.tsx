import { useId } from 'react';
import { SegmentedControl } from '#app/ui/controls/segmented-control.tsx';
import { chooseStatistics, useSignalsOptOut, useStatisticsAllowed } from './cookie-choice.ts';

/** The choice about statistics within the text of the policy. */
export function CookieControl() {
  const allowed = useStatisticsAllowed();
  const refusedByBrowser = useSignalsOptOut();
  const name = useId();
  if (refusedByBrowser)
    return (
      <p>Your browser asks not to be tracked, so page statistics are off. There is nothing to choose.</p>
    );
  return (
    <div className="text-base">
      <p className="mb-2 font-bold">Page statistics on this device</p>
      <SegmentedControl
        legend="Page statistics"
        name={name}
        className="max-w-[300px]"
        value={allowed ? 'accept' : 'reject'}
        onChange={(choice) => chooseStatistics(choice === 'accept')}
        options={[
          { value: 'reject', label: 'Reject' },
          { value: 'accept', label: 'Accept' },
        ]}
      />
    </div>
  );
}
