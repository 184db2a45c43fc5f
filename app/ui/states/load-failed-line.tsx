import { Button } from '#app/ui/controls/button.tsx';
import { classes } from '#app/ui/texts/classes.ts';

interface LoadFailedLineProps {
  title: string;
  onRetry: () => void;
  className?: string;
}

/** Stands in the place of a part of a page that could not be loaded. */
export function LoadFailedLine({ title, onRetry, className }: LoadFailedLineProps) {
  return (
    <div className={classes('flex flex-wrap items-center gap-4', className)}>
      <p className="text-ink-2">{title}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
