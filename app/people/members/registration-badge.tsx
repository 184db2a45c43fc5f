import { Link } from 'react-router';
import { classes } from '#app/ui/texts/classes.ts';
import { formatMonth } from '#app/ui/texts/dates.ts';
import type { ShownRegistration } from './names.ts';

/** What a badge says of a member's registration, and the class of its sign; undefined where none is stated. */
export function shownRegistration(
  member: ShownRegistration | null,
): { text: string; sign: string } | undefined {
  if (member?.registration_level === 'checked' && member.registration_checked_on) {
    // The month stays on one line.
    const month = formatMonth(member.registration_checked_on).replace(' ', '\u00a0');
    const checked = [member.profession, member.registration_register, month].filter(Boolean);
    return { text: `Checked: ${checked.join(', ')}`, sign: 'icon-checked' };
  }
  return member?.registration_level ? { text: 'Self-declared', sign: 'icon-declared' } : undefined;
}

interface RegistrationBadgeProps {
  member: ShownRegistration | null;
  /** Followed by a link to what was checked and what was not. */
  explained?: boolean;
  className?: string;
}

/** Whether a member's registration was found in its public register, or is their own word. */
export function RegistrationBadge({ member, explained = false, className }: RegistrationBadgeProps) {
  const shown = shownRegistration(member);
  if (!shown) return null;
  const badge = (
    <span
      className={classes(
        'badge min-h-6 px-2 wrap-anywhere',
        shown.sign === 'icon-checked' ? 'bg-ok-soft text-ok-ink' : 'bg-transparent px-0 text-ink-3',
      )}
    >
      <span className={classes('icon', shown.sign)} />
      <span className="sr-only">Registration: </span>
      {explained || !member?.registration_register || shown.sign !== 'icon-checked' ? (
        shown.text
      ) : (
        <>
          {/* What was checked stands beside the name already, where space is short. */}
          <span aria-hidden>Checked: {member.registration_register}</span>
          <span className="sr-only">{shown.text}</span>
        </>
      )}
    </span>
  );
  if (!explained) return badge;
  return (
    <p className={classes('flex flex-wrap items-center gap-x-3 gap-y-1', className)}>
      {badge}
      <Link to="/about#registration-checks" className="link reach text-sm">
        What this means
      </Link>
    </p>
  );
}
