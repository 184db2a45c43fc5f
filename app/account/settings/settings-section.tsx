import type { ReactNode } from 'react';
import { Region } from '#app/ui/states/region.tsx';
import { classes } from '#app/ui/texts/classes.ts';

interface SettingsSectionProps {
  /** The end of the address that leads to it. */
  id: string;
  title: string;
  hint?: string;
  isDanger?: boolean;
  /** Whether it stands with others in one card, which is drawn around it. */
  isPart?: boolean;
  children: ReactNode;
}

/** One subject of the settings; an error in it leaves the others usable. */
export function SettingsSection({
  id,
  title,
  hint,
  isDanger = false,
  isPart = false,
  children,
}: SettingsSectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={classes(
        'scroll-mt-24 px-5 py-6 md:px-7 md:py-7',
        !isPart && 'rounded-md border bg-surface',
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
