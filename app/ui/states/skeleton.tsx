import { classes } from '#app/ui/texts/classes.ts';

/** A grey placeholder for content that is still loading; give it that content's size. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classes('animate-pulse bg-chip [:where(&)]:rounded-md', className)} />;
}
