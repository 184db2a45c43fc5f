import { DropdownMenu } from 'radix-ui';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { useBackCloses } from '#app/ui/states/back-closes.ts';
import { classes } from '#app/ui/texts/classes.ts';

interface MenuProps {
  trigger: ReactNode;
  /** For one that is drawn when its trigger has been pressed. */
  defaultOpen?: boolean;
  /** Comes from below on phones, for one with many entries. */
  isSheet?: boolean;
  children: ReactNode;
}

/** A menu that opens under its trigger. */
export function Menu({ trigger, defaultOpen = false, isSheet = false, children }: MenuProps) {
  const [isOpen, setIsOpen] = useState(defaultOpen);
  useBackCloses(() => setIsOpen(false), isOpen);
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={setIsOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        sideOffset={8}
        collisionPadding={8}
        // A mouse that opens a sheet is let go over the entry that has come up below it, which must not be chosen.
        onPointerUpCapture={isSheet ? (event) => event.stopPropagation() : undefined}
        className={classes(
          'z-50 min-w-60 animate-enter overflow-y-auto overscroll-contain border bg-raised shadow-menu',
          isSheet
            ? 'menu-sheet md:max-h-(--radix-dropdown-menu-content-available-height) md:rounded-md md:p-2'
            : 'max-h-(--radix-dropdown-menu-content-available-height) rounded-md p-2',
        )}
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

/** An entry; with `asChild` a link takes its place. */
export function MenuItem({ className, ...rest }: ComponentProps<typeof DropdownMenu.Item>) {
  return (
    <DropdownMenu.Item
      {...rest}
      className={classes(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-3 outline-none data-highlighted:bg-chip lg:min-h-10 [&_svg]:size-5 [&_svg]:stroke-[1.75] [&_svg]:text-ink-2',
        className,
      )}
    />
  );
}

/** A line between two groups of entries. */
export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-2 h-px bg-line" />;
}

/** Entries that belong together, under a small heading. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <DropdownMenu.Group aria-labelledby={id}>
      <DropdownMenu.Label id={id} className="px-3 py-2 text-sm text-ink-3">
        {label}
      </DropdownMenu.Label>
      {children}
    </DropdownMenu.Group>
  );
}
