import { useEffect, useState } from 'react';

export interface PageSection {
  /** The id of its element. */
  id: string;
  label: string;
  count?: number;
}

/** The sections of the page in a bar that stays in sight, with the one marked that is being read. */
export function SectionLinks({ sections }: { sections: readonly PageSection[] }) {
  const [current, setCurrent] = useState(sections[0]?.id);
  const ids = sections.map(({ id }) => id).join(' ');
  useEffect(() => {
    // A line across the upper part of the screen, which one section at a time crosses.
    const observer = new IntersectionObserver(
      (entries) => {
        const crossing = entries.find(({ isIntersecting }) => isIntersecting);
        if (crossing) setCurrent(crossing.target.id);
      },
      { rootMargin: '-30% 0px -69% 0px' },
    );
    for (const id of ids.split(' ')) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [ids]);
  return (
    <nav
      aria-label="On this page"
      data-section-links
      className="sticky top-(--header) z-20 -mx-4 flex gap-1 self-start overflow-x-auto border-b bg-bg px-4 md:mx-0 md:px-0 print:hidden"
    >
      {sections.map(({ id, label, count }) => (
        <a
          key={id}
          href={`#${id}`}
          aria-current={id === current ? 'true' : undefined}
          className="-mb-px flex h-12 shrink-0 items-center gap-2 border-b-[3px] border-transparent px-2 font-medium whitespace-nowrap text-ink-2 -outline-offset-3 hover:text-ink aria-[current]:border-accent aria-[current]:text-ink md:px-4"
        >
          {label}
          {count ? <span className="font-normal">{count}</span> : null}
        </a>
      ))}
    </nav>
  );
}
