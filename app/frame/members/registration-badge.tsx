import { Link } from 'react-router';
import { classes } from '#app/ui/texts/classes.ts';
import { formatMonth } from '#app/ui/texts/dates.ts';
import type { ShownRegistration } from './names.ts';

/**
 * What a badge says of a member's registration, beside their profession or by itself, and the class of its sign; undefined
 * where none is stated.
 */
export function shownRegistration(
  member: ShownRegistration | null,
): { text: string; brief: string; sign: string } | undefined {
  if (member?.registration_level === 'checked' && member.registration_checked_on) {
    const month = formatMonth(member.registration_checked_on);
    const checked = [member.profession, member.registration_register, month].filter(Boolean);
    const text = `Checked: ${checked.join(', ')}`;
    const brief = member.registration_register ? `Checked: ${member.registration_register}` : text;
    return { text, brief, sign: 'icon-checked' };
  }
  const text = 'Self-declared';
  return member?.registration_level ? { text, brief: text, sign: 'icon-declared' } : undefined;
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
      {shown.sign !== 'icon-checked' && <span className="sr-only">Registration: </span>}
      {explained || shown.brief === shown.text ? (
        shown.text
      ) : (
        <>
          <span aria-hidden>{shown.brief}</span>
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
