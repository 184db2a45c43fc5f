import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '#app/ui/controls/button.tsx';
import { useBackCloses } from '#app/ui/states/back-closes.ts';
import { classes } from '#app/ui/texts/classes.ts';

const FIELDS =
  ':is(input:not([type=hidden], [readonly]), select, textarea, [contenteditable=true]):not(:disabled)';
/** What does not destroy: that is drawn in red, filled or as red words. */
const SAFE = ':is(a[href], button, summary):not(:disabled, .button-danger, .text-red-ink)';

/** Where a dialog begins: in its first field, or else at what destroys nothing, so that Enter never ends anything unread. */
function beginIn(content: HTMLElement) {
  const field = content.querySelector<HTMLInputElement>(FIELDS);
  // Of a choice the one that is made, which is where the keys begin.
  const chosen =
    field?.type === 'radio' &&
    content.querySelector<HTMLInputElement>(`[name="${CSS.escape(field.name)}"]:checked`);
  (chosen || field || content.querySelector<HTMLElement>(SAFE) || content).focus();
}

interface DialogProps {
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** The buttons of a dialog without an action that sends it, safe one first. */
  actions?: ReactNode;
  /** The button that sends the dialog, beside one that closes it; it does nothing while it is busy. */
  action?: {
    label: string;
    variant?: 'primary' | 'danger';
    disabled?: boolean;
    busy?: string | false | undefined;
  };
  /** For something to look at, which needs room. */
  wide?: boolean;
  /** Makes the dialog a form, which Enter in a field or a button of type `submit` sends; the first field that is wrong then gets the focus. */
  onSubmit?: () => void;
}

/** A dialog that is open as long as it is in the page; `onClose` takes it out. */
export function Dialog({
  onClose,
  title,
  description,
  children,
  action,
  actions,
  wide,
  onSubmit,
}: DialogProps) {
  useBackCloses(onClose);
  const buttons = action ? (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button
        type="submit"
        variant={action.variant ?? 'primary'}
        disabled={action.disabled}
        busy={action.busy}
      >
        {action.label}
      </Button>
    </>
  ) : (
    actions
  );
  const body = (
    <>
      {children}
      {buttons && (
        // They stay in reach however long the dialog is.
        <div className="sticky -bottom-6 -mx-5 mt-3 -mb-6 flex flex-wrap justify-end gap-3 bg-raised px-5 pt-3 pb-6 max-sm:gap-2 max-sm:[&>.button]:px-3 md:-bottom-7 md:-mx-8 md:-mb-7 md:px-8 md:pb-7">
          {buttons}
        </div>
      )}
    </>
  );
  return (
    <Primitive.Root open onOpenChange={(now) => now || onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Primitive.Content
          className={classes(
            'fixed inset-0 z-50 m-auto flex h-fit max-h-[calc(100dvh-32px)] max-w-[calc(100vw-32px)] animate-enter flex-col overflow-y-auto scroll-pb-24 rounded-md bg-raised px-5 py-6 shadow-dialog md:px-8 md:py-7',
            wide ? 'w-[960px]' : 'w-[560px]',
          )}
          aria-describedby={description ? undefined : ''}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) beginIn(event.currentTarget);
          }}
          onInteractOutside={(event) => {
            // Closing a toast must not close the dialog it is about.
            if (event.target instanceof Element && event.target.closest('[data-sonner-toaster]'))
              event.preventDefault();
          }}
        >
          <Primitive.Title className="pe-12 text-xl font-bold">{title}</Primitive.Title>
          {description && (
            <Primitive.Description className="mt-2 text-ink-2">{description}</Primitive.Description>
          )}
          {onSubmit ? (
            <form
              method="dialog"
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                // A form of the page around the dialog is not meant.
                event.stopPropagation();
                if (action?.busy) return;
                flushSync(onSubmit);
                const { currentTarget: form } = event;
                const invalid = form.querySelector<HTMLElement>('[aria-invalid=true]');
                if (!invalid?.contains(document.activeElement)) invalid?.focus();
              }}
            >
              {body}
            </form>
          ) : (
            body
          )}
          <Primitive.Close className="absolute top-3 end-3 flex size-11 items-center justify-center rounded-md hover:bg-chip md:top-5 md:end-5">
            <X className="size-5" strokeWidth={1.75} aria-hidden />
            <span className="sr-only">Close</span>
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
