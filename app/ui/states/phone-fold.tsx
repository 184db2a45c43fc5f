import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { classes } from '#app/ui/texts/classes.ts';

interface PhoneFoldProps {
  /** What a press unfolds. */
  summary: ReactNode;
  className?: string;
  children: ReactNode;
}

/**
 * A part that is folded on phones, and lies open on wider screens and on paper. It unfolds when the page's address leads
 * into it, or to what it is the contents of.
 */
export function PhoneFold({ summary, className, children }: PhoneFoldProps) {
  const fold = useRef<HTMLDetailsElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    const target = hash && document.getElementById(hash.slice(1));
    const details = fold.current;
    if (!target || !details || details.open) return;
    if (!details.contains(target) && !target.contains(details)) return;
    details.open = true;
    target.scrollIntoView();
  }, [hash]);
  return (
    <details
      ref={fold}
      className={classes('md:details-content:[content-visibility:visible] open-on-paper', className)}
    >
      <summary className="disclosure border-y supports-[selector(::details-content)]:md:hidden print:hidden">
        {summary}
      </summary>
      {children}
    </details>
  );
}
