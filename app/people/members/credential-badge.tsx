import { Link } from 'react-router';
import { classes } from '#app/ui/texts/classes.ts';
import { formatMonth } from '#app/ui/texts/dates.ts';
import type { ShownCredential } from './names.ts';

/** What a badge says of a member's registration, and the class of its sign; undefined where none is stated. */
export function shownCredential(member: ShownCredential | null): { text: string; sign: string } | undefined {
  if (member?.credential_level === 'checked' && member.credential_checked_on) {
    // The month stays on one line.
    const month = formatMonth(member.credential_checked_on).replace(' ', '\u00a0');
    const checked = [member.profession, member.credential_register, month].filter(Boolean);
    return { text: `Checked: ${checked.join(', ')}`, sign: 'icon-checked' };
  }
  return member?.credential_level ? { text: 'Self-declared', sign: 'icon-declared' } : undefined;
}

interface CredentialBadgeProps {
  member: ShownCredential | null;
  /** Followed by a link to what was checked and what was not. */
  explained?: boolean;
  className?: string;
}

/** Whether a member's registration was found in its public register, or is their own word. */
export function CredentialBadge({ member, explained = false, className }: CredentialBadgeProps) {
  const shown = shownCredential(member);
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
      {shown.text}
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
