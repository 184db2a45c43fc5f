import { Badge } from '#app/ui/surfaces/badge.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { markOf } from './safety-notice-kinds.ts';

interface SafetyMarkProps {
  kind: string | null | undefined;
  className?: string;
}

/** The first line wherever a solution is named of which readers are warned; nothing where they are not. */
export function SafetyMark({ kind, className }: SafetyMarkProps) {
  const mark = markOf(kind);
  if (!mark) return null;
  return (
    <Badge
      tone={mark.tone}
      lang="en-GB"
      dir="ltr"
      className={classes('with-icon w-fit font-bold no-underline before:size-4', mark.icon, className)}
    >
      <span className="sr-only">Safety notice: </span>
      {mark.badge}
    </Badge>
  );
}
