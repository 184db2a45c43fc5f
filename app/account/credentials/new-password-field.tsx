import { type ComponentProps, useEffect, useState } from 'react';
import { Field } from '#app/ui/controls/field.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { PasswordInput } from './password-input.tsx';
import { MIN_PASSWORD_LENGTH } from './rules.ts';

const strengthLabels = ['Very easy to guess', 'Easy to guess', 'Could be stronger', 'Good', 'Strong'];

interface NewPasswordFieldProps extends ComponentProps<'input'> {
  label: string;
  error: string | undefined;
  /** What is in the field. */
  typed: string;
}

/** A field for a new password, with a hint how easily it would be guessed. */
export function NewPasswordField({ label, error, typed, ...input }: NewPasswordFieldProps) {
  const [score, setScore] = useState<number>();
  useEffect(() => {
    let cancelled = false;
    // Loaded when typing begins, since the library's lists of common passwords are large.
    const rate = async () => {
      const { strengthOf } = await import('./password-strength.ts');
      if (!cancelled) setScore(strengthOf(typed));
    };
    // Without the library there is no hint; the next letter tries again.
    if (typed) rate().catch(() => undefined);
    else setScore(undefined);
    return () => {
      cancelled = true;
    };
  }, [typed]);
  return (
    <Field label={label} hint={`At least ${MIN_PASSWORD_LENGTH} characters`} error={error}>
      <PasswordInput {...input} autoComplete="new-password" />
      {typed && (
        <div aria-hidden className="mt-2 flex gap-1">
          {[0, 1, 2, 3].map((step) => (
            <span
              key={step}
              className={classes(
                'h-1 flex-1 rounded-full transition-colors',
                score !== undefined && step < Math.max(1, score)
                  ? score < 2
                    ? 'bg-red'
                    : score < 3
                      ? 'bg-amber'
                      : 'bg-ok'
                  : 'bg-sunken',
              )}
            />
          ))}
        </div>
      )}
      {/* Its line is there before it, so that nothing below moves from under the pointer. */}
      <p className={classes('mt-1 text-sm text-ink-2', typed ? 'min-h-5' : 'hidden')} aria-live="polite">
        {score !== undefined && strengthLabels[score]}
      </p>
    </Field>
  );
}
