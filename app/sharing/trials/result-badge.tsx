import { Badge } from '#app/ui/surfaces/badge.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { resultLabel, results } from './results.ts';

/** The result of a trial, the same wherever one is shown. */
export function ResultBadge({ result }: { result: string }) {
  const { tone, icon } = results.find(({ value }) => value === result) ?? {};
  return (
    <Badge tone={tone}>
      {icon && <span className={classes('icon', icon)} />}
      {resultLabel(result)}
    </Badge>
  );
}
