import { Badge } from '#app/ui/surfaces/badge.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { isSafetyKind, safetyKinds } from './safety-notice-kinds.ts';

interface SafetyMarkProps {
  kind: string | null | undefined;
  className?: string;
}

/** The first line wherever a solution is named of which readers are warned; nothing where they are not. */
export function SafetyMark({ kind, className }: SafetyMarkProps) {
  if (!isSafetyKind(kind)) return null;
  const { tone, badge } = safetyKinds[kind];
  return (
    <Badge
      tone={tone}
      lang="en-GB"
      dir="ltr"
      className={classes(
        'with-icon w-fit font-bold no-underline before:size-4',
        kind === 'recall' ? 'icon-recall' : 'icon-alert',
        className,
      )}
    >
      <span className="sr-only">Safety notice: </span>
      {badge}
    </Badge>
  );
}
