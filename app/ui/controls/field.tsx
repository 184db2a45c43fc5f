import { createContext, type MouseEvent, type ReactNode, use, useId } from 'react';
import { classes } from '#app/ui/texts/classes.ts';

interface FieldControl {
  id?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean;
  'aria-required'?: true | undefined;
}

const FieldContext = createContext<FieldControl>({});

/** What links a control to the label, hint and error of the `Field` around it; nothing outside of one. */
export const useField = () => use(FieldContext);

interface FieldProps {
  label: ReactNode;
  /** The label says that it may stay empty; otherwise a screen reader says that it may not. */
  optional?: boolean | undefined;
  hint?: ReactNode;
  error?: string | undefined;
  /** Shown under the control, for example a count of characters. */
  note?: ReactNode;
  /** The control's id, when another element must link to it. */
  id?: string;
  className?: string;
  /** A control that links itself, as those of `input.tsx` do by `useField`. */
  children: ReactNode;
}

/** Label, hint and error around one control of `input.tsx`, linked to it for screen readers. */
export function Field({ label, optional, hint, error, note, id: givenId, className, children }: FieldProps) {
  const generatedId = useId();
  const id = givenId ?? generatedId;
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`, note && `${id}-note`]
    .filter(Boolean)
    .join(' ');
  const control = {
    id,
    'aria-describedby': describedBy || undefined,
    // Said also while it is false: a browser takes what is half typed for invalid before it was tried.
    'aria-invalid': Boolean(error),
    'aria-required': optional ? undefined : true,
  } as const;
  return (
    <div className={classes(error && '-ms-4 border-s-4 border-red ps-3', className)}>
      <label htmlFor={id} className="block font-bold">
        {label}
        {optional && <Optional />}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-ink-3">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <div className="mt-2">
        <FieldContext value={control}>{children}</FieldContext>
      </div>
      {note && (
        <p id={`${id}-note`} className="mt-1 text-sm text-ink-3">
          {note}
        </p>
      )}
    </div>
  );
}

/** Stands behind the name of what may stay empty. */
export const Optional = () => <span className="text-sm font-normal text-ink-3"> optional</span>;

/** What stands under a field of which some characters were typed. */
export const characterCount = (text: string, most: number) =>
  text.length > 0 && `${text.length.toLocaleString('en-GB')} of ${most.toLocaleString('en-GB')} characters`;

interface FieldGroupProps {
  legend: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  id: string;
  /** One of them has to be chosen, and only one can be. */
  radios?: boolean;
  className?: string;
  children: ReactNode;
}

/** Several checkboxes or radios that answer one question. */
export function FieldGroup({ legend, hint, error, id, radios, className, children }: FieldGroupProps) {
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      {...(radios && { role: 'radiogroup', 'aria-required': true, 'aria-invalid': Boolean(error) })}
      className={classes('outline-offset-8', error && '-ms-4 border-s-4 border-red ps-3', className)}
      aria-describedby={describedBy || undefined}
    >
      <legend className="font-bold">{legend}</legend>
      {hint && (
        <p id={`${id}-hint`} className="text-ink-3">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {children}
    </fieldset>
  );
}

function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1 flex items-start gap-2 font-bold text-red-ink">
      <span className="icon icon-failed on-first-line" />
      {children}
    </p>
  );
}

/** What a press alone changes; a slider is dragged, and a text takes the cursor. */
const PRESSED = 'button, label:has([type=checkbox], [type=radio])';

/**
 * Leaves the focus in its field while something else is pressed, for forms that check a field as it is left: the error that
 * appears then would move what is pressed from under the pointer, and the press would be lost.
 */
export function keepFieldOnPress(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest(PRESSED)) event.preventDefault();
}
