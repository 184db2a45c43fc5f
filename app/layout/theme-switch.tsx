import { Monitor, Moon, Sun } from 'lucide-react';
import { useId } from 'react';
import { SegmentedControl } from '#app/ui/segmented-control.tsx';
import { setTheme, useTheme } from './theme.ts';

const options = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'system', label: 'System', icon: Monitor },
] as const;

export function ThemeSwitch() {
  return (
    <SegmentedControl
      legend="Theme"
      name={useId()}
      value={useTheme()}
      onChange={setTheme}
      className="max-w-[300px]"
      options={options.map(({ value, label, icon: Icon }) => ({
        value,
        label: (
          <>
            <Icon className="size-4" strokeWidth={2} aria-hidden />
            {label}
          </>
        ),
      }))}
    />
  );
}
