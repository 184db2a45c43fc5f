import { Ban, User } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'react-router';
import type { Author } from '#app/frame/members/names.ts';
import { Menu, MenuItem } from '#app/ui/controls/menu.tsx';
import { correspondent } from './reply.ts';

interface ConversationMenuProps {
  /** The button that was pressed, and is the menu's from now on. */
  trigger: ReactElement;
  other: Author;
  isBlocked: boolean;
  onBlock: () => void;
}

/** What a member can do about the person they write with: see their profile, or block them. */
export function ConversationMenu({ trigger, other, isBlocked, onBlock }: ConversationMenuProps) {
  return (
    <Menu trigger={trigger} defaultOpen>
      {other.username && (
        <MenuItem asChild>
          <Link to={`/members/${other.username}`}>
            <User aria-hidden />
            View profile
          </Link>
        </MenuItem>
      )}
      {!isBlocked && (
        <MenuItem onSelect={onBlock}>
          <Ban aria-hidden />
          <span className="min-w-0 max-w-72 wrap-anywhere">Block {correspondent(other)}</span>
        </MenuItem>
      )}
    </Menu>
  );
}
