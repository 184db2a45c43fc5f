import type { ReactNode } from 'react';
import { Region } from '#app/ui/region.tsx';

/** A heading beside its section, or above it where there is no room. */
export function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="grid gap-x-12 gap-y-4 border-t py-8 md:grid-cols-[200px_minmax(0,1fr)]"
    >
      <h2 className="text-lg font-title">{title}</h2>
      <div>
        <Region>{children}</Region>
      </div>
    </section>
  );
}
