import { useId } from 'react';
import { SegmentedControl } from '#app/ui/controls/segmented-control.tsx';
import { setTheme, useTheme } from './theme.ts';

const options = [
  { value: 'light', label: 'Light', className: 'with-icon icon-sun before:size-4' },
  { value: 'dark', label: 'Dark', className: 'with-icon icon-moon before:size-4' },
  { value: 'system', label: 'System', className: 'with-icon icon-monitor before:size-4' },
] as const;

/** The choice between a light page, a dark one, and the one that the device prefers. */
export function ThemeSwitch({ legend = 'Theme' }: { legend?: string }) {
  return (
    <SegmentedControl
      legend={legend}
      name={useId()}
      value={useTheme()}
      onChange={setTheme}
      className="max-w-[300px]"
      options={options}
    />
  );
}
