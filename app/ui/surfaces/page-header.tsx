import type { ReactNode } from 'react';
import { classes } from '#app/ui/texts/classes.ts';

/** A page's title and what it is for, with a picture beside them where there is room. */
export function PageHeader({
  title,
  lead,
  picture,
  children,
  action,
}: {
  title: string;
  lead: ReactNode;
  picture?: ReactNode;
  children?: ReactNode;
  /** What can be done on the page. */
  action?: ReactNode;
}) {
  return (
    <header
      className={classes(
        'grid grid-cols-1 items-center gap-x-8 gap-y-6 lg:gap-x-16',
        picture !== undefined &&
          'md:grid-cols-[minmax(0,1fr)_minmax(0,320px)] lg:grid-cols-[minmax(0,1fr)_minmax(0,480px)]',
      )}
    >
      <div className="max-w-[66ch]">
        <h1 className="text-2xl md:text-3xl">{title}</h1>
        {children}
        <p className="mt-4 text-prose text-ink-2">{lead}</p>
        {action && <div className="mt-6 print:hidden">{action}</div>}
      </div>
      {picture}
    </header>
  );
}

/** A drawing that goes with a page's text. */
export function Drawing({ src, alt = '', part }: { src: string; alt?: string; part?: string }) {
  return (
    <img
      src={part ? `${src}#svgView(viewBox(${part}))` : src}
      alt={alt}
      width={960}
      height={540}
      className="picture aspect-video w-full rounded-md object-cover print:hidden"
    />
  );
}
