import { type ComponentProps, useId } from 'react';
import { knownText } from '#app/ui/languages/known-text.ts';
import { classes } from '#app/ui/texts/classes.ts';
import { buttonClass } from './button.tsx';
import { useField } from './field.tsx';

/** A field of one line, in the direction of what is typed. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  const field = useField();
  // What is only shown or searched for may be empty.
  const isAnswer = !rest.readOnly && rest.type !== 'search';
  return (
    <input
      dir="auto"
      {...field}
      aria-required={isAnswer && field['aria-required']}
      {...rest}
      className={classes('input', 'min-h-11', className)}
    />
  );
}

/** For a code from a mail or an authenticator app, which phones and password managers fill in. */
export const CodeInput = (props: ComponentProps<'input'>) => (
  <Input
    inputMode="numeric"
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    {...props}
  />
);

/** A field of several lines, which the reader can make higher. */
export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      dir="auto"
      {...useField()}
      {...rest}
      rows={rows}
      className={classes('input', 'block resize-y py-2', className)}
    />
  );
}

/** The browser’s own list of options, drawn like the other fields. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={classes('relative block', className)}>
      <select {...useField()} {...rest} className={classes('input', 'min-h-11 appearance-none pe-10')}>
        {children}
      </select>
      <span className="pointer-events-none absolute top-3 end-3 icon icon-chevron-down text-ink-2" />
    </span>
  );
}

interface OptionsProps {
  /** The labels, by what the field is set to; labels alone are both. */
  of: Readonly<Record<string, string>> | readonly (string | { value: string; label: string })[];
  /** The label of the choice of nothing, which is the first where there is one. */
  none?: string;
}

/** The options of a `Select`. */
export function Options({ of, none }: OptionsProps) {
  const options = Array.isArray(of) ? of : Object.entries(of).map(([value, label]) => ({ value, label }));
  return (
    <>
      {none !== undefined && <option value="">{none}</option>}
      {options.map((option) => {
        const { value, label } =
          typeof option === 'string' ? { value: option, label: knownText(option) } : option;
        return (
          <option key={value} value={value}>
            {label}
          </option>
        );
      })}
    </>
  );
}

interface FileButtonProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  onChoose: (files: File[]) => void;
}

/** A button by which files of the device are chosen. */
export function FileButton({ id, onChoose, className, children, ...rest }: FileButtonProps) {
  const own = useId();
  return (
    <div className={classes('contents', className)}>
      <input
        {...rest}
        id={id ?? own}
        type="file"
        className="peer sr-only"
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])]);
          // Reset so that the same file can be chosen again.
          target.value = '';
        }}
      />
      <label
        htmlFor={id ?? own}
        className={buttonClass(
          'default',
          'normal',
          'peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus',
        )}
      >
        {children}
      </label>
    </div>
  );
}
