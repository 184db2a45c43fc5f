import { classes } from './classes.ts';

/** A grey stand-in for what is still loading; give it the size of what it stands for. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classes('animate-pulse rounded-md bg-chip', className)} />;
}
