import { themesIn } from '#app/ui/accent.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';

interface AccentFieldProps {
  value: string;
  error: string | undefined;
  onChange: (colour: string) => void;
}

/** The accent colour, written or picked, and what both themes make of it. */
export function AccentField({ value, error, onChange }: AccentFieldProps) {
  const written = value.trim().toLowerCase();
  const themes = themesIn(written);
  return (
    <div>
      <Field
        id="site-colour"
        label="Accent colour"
        optional
        hint="Pick one, or write it as # and six digits, such as #7b2d8b. We take its hue and set how bright it is, so that texts stay readable in both themes."
        error={error}
      >
        <span className="flex gap-2">
          <Input
            value={value}
            maxLength={7}
            onChange={(event) => onChange(event.target.value)}
            className="max-w-36"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <input
            type="color"
            aria-label="Pick a colour"
            value={/^#[\da-f]{6}$/.test(written) ? written : themes.light.accent}
            onChange={(event) => onChange(event.target.value)}
            className="size-11 rounded-md border border-line-2 bg-surface p-1"
          />
        </span>
      </Field>
      <dl className="mt-3 grid max-w-96 grid-cols-2 gap-2">
        {(['light', 'dark'] as const).map((theme) => {
          const colours = themes[theme];
          return (
            <div
              key={theme}
              className="rounded-md border p-3"
              style={{ background: colours.surface, color: colours.ink }}
            >
              <dt className="text-sm">{theme === 'light' ? 'Light theme' : 'Dark theme'}</dt>
              <dd className="mt-2 flex flex-wrap items-center gap-3">
                <span
                  className="rounded-md px-3 py-1 font-medium"
                  style={{ background: colours.accent, color: colours['on-accent'] }}
                >
                  Button
                </span>
                <span className="underline underline-offset-4" style={{ color: colours.accent }}>
                  Link
                </span>
              </dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}
