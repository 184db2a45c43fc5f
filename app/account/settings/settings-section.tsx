import type { ReactNode } from 'react';
import { Region } from '#app/ui/states/region.tsx';
import { classes } from '#app/ui/texts/classes.ts';

interface SettingsSectionProps {
  /** The end of the address that leads to it. */
  id: string;
  title: string;
  hint?: string;
  isDanger?: boolean;
  children: ReactNode;
}

/** One subject of the settings; an error in it leaves the others usable. */
export function SettingsSection({ id, title, hint, isDanger = false, children }: SettingsSectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={classes(
        'scroll-mt-24 rounded-md border bg-surface px-5 py-6 md:px-7 md:py-7',
        isDanger && 'border-red',
      )}
    >
      <h2 id={`${id}-title`} className="text-xl">
        {title}
      </h2>
      {hint && <p className="mt-1 max-w-[66ch] text-ink-2">{hint}</p>}
      <div className="mt-5">
        <Region>{children}</Region>
      </div>
    </section>
  );
}
