import type { ReactNode } from 'react';
import { classes } from '#app/ui/texts/classes.ts';

interface SegmentedProps<Value extends string> {
  legend: string;
  name: string;
  options: readonly { value: Value; label: ReactNode; className?: string }[];
  value: Value;
  onChange: (value: Value) => void;
  /** The form it belongs to, when it lies outside of it. */
  form?: string;
  className?: string;
}

/** One of a few views of the same thing: native radios in a track. */
export function SegmentedControl<Value extends string>({
  legend,
  name,
  options,
  value,
  onChange,
  form,
  className,
}: SegmentedProps<Value>) {
  return (
    <fieldset className={classes('relative flex flex-wrap rounded-md bg-sunken p-1', className)}>
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={classes('segment', option.className)}>
          <input
            type="radio"
            name={name}
            form={form}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
