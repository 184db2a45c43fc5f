import { useId } from 'react';
import { Segmented } from '#app/ui/segmented.tsx';
import { chooseStatistics, useStatisticsAllowed } from './cookie-choice.ts';

/** Lets a visitor agree to page statistics and take it back, one as easily as the other. */
export function StatisticsChoice() {
  const allowed = useStatisticsAllowed();
  return (
    <div>
      <p className="mb-1.5 text-sm text-ink-3">
        Page statistics are off unless you agree. They keep a random number on this device.
      </p>
      <Segmented
        legend="Page statistics"
        name={useId()}
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
