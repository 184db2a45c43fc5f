import { Ellipsis, type LucideIcon } from 'lucide-react';
import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '#app/ui/controls/button.tsx';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { Menu, MenuItem } from '#app/ui/controls/menu.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { ClaimNotice } from './claim-notice.tsx';
import type { Checklist } from './data.ts';
import { useClaim } from './use-claim.ts';

/** What a moderator can do with a case. */
interface Act {
  label: string;
  icon: LucideIcon;
  /** What is being done, for example "Approving", while it is. */
  busy?: string | false | undefined;
  /** Whether it takes something away. */
  isRed?: boolean;
  onPress: (checklist: Checklist) => void;
}

interface DecisionBarProps {
  kind: string;
  id: string;
  /** What is ticked before the first of the acts, by the keys that are stored with it. */
  points?: Readonly<Record<string, string>> | undefined;
  /** What the acts do, where their labels do not say it. */
  hint?: ReactNode;
  primary: Act;
  second: Act | undefined;
  /** Rare ones, in a menu. */
  more?: Act[];
}

/**
 * The decision on a case of any kind, always at the foot of the screen: what is checked, then the acts. On a small screen what is
 * checked stands at the end of the case, so that the bar covers little of it; on a very low one the bar stands there as well.
 */
export function DecisionBar({ kind, id, points = {}, hint, primary, second, more = [] }: DecisionBarProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [isIncomplete, setIncomplete] = useState(false);
  const whole = useRef<HTMLElement>(null);
  const acts = useRef<HTMLDivElement>(null);
  const errorId = useId();
  const claim = useClaim(kind, id);
  useRoomFor(whole, acts);
  const keys = Object.keys(points);
  const missing = keys.filter((key) => !ticked.has(key));
  const checklist = Object.fromEntries(keys.map((key) => [key, ticked.has(key)]));
  const isRefused = isIncomplete && missing.length > 0;
  const decide = () => {
    if (missing.length === 0) return primary.onPress(checklist);
    setIncomplete(true);
    whole.current?.querySelector<HTMLInputElement>('input:not(:checked)')?.focus();
  };
  return (
    <section
      ref={whole}
      aria-label="Decision"
      data-decision
      className="border-t bg-surface max-lg:contents lg:tall:fixed lg:tall:inset-x-0 lg:tall:bottom-0 lg:tall:z-20 print:hidden"
    >
      <div className="page flex flex-wrap items-center gap-x-6 gap-y-2 py-3 max-lg:contents">
        {claim && <ClaimNotice claim={claim} className="basis-full max-lg:mt-8" />}
        {keys.length > 0 && (
          <fieldset
            aria-describedby={isRefused ? errorId : undefined}
            className="min-w-0 flex-1 max-lg:mt-8 max-lg:mb-4 max-lg:flex-none max-lg:rounded-md max-lg:border max-lg:bg-surface max-lg:px-5 max-lg:py-4 print:hidden"
          >
            <legend className="max-lg:float-start max-lg:text-lg max-lg:font-bold lg:sr-only">
              Before approval
            </legend>
            {isRefused && (
              <p id={errorId} role="alert" className="clear-both font-bold text-red-ink">
                Please complete the checklist before you approve
              </p>
            )}
            <div className="clear-both gap-x-6 max-lg:mt-2 max-lg:divide-y lg:grid lg:max-xl:grid-cols-2 xl:auto-cols-fr xl:grid-flow-col">
              {keys.map((key) => (
                <Checkbox
                  key={key}
                  checked={ticked.has(key)}
                  aria-invalid={(isIncomplete && !ticked.has(key)) || undefined}
                  onChange={({ target }) =>
                    setTicked(
                      (before) =>
                        new Set(target.checked ? [...before, key] : [...before].filter((one) => one !== key)),
                    )
                  }
                >
                  {points[key]}
                </Checkbox>
              ))}
            </div>
          </fieldset>
        )}
        {hint && (
          <p className="min-w-48 flex-1 text-sm text-ink-2 max-lg:mt-6 max-lg:mb-3 max-lg:flex-none">
            {hint}
          </p>
        )}
        <div
          ref={acts}
          className="flex flex-wrap justify-end gap-3 max-lg:-mx-4 max-lg:mt-auto max-lg:border-t max-lg:bg-surface max-lg:px-4 max-lg:py-2 max-lg:tall:sticky max-lg:tall:bottom-0 max-lg:tall:z-10 max-sm:gap-2 max-sm:*:grow max-sm:*:px-3 md:max-lg:-mx-6 md:max-lg:px-6 print:hidden max-sm:[&_svg]:hidden"
        >
          {more.length > 0 && (
            <Menu
              trigger={
                <Button className="max-sm:grow-0!">
                  <Ellipsis className="size-5 max-sm:block!" strokeWidth={1.75} aria-hidden />
                  <span className="max-sm:sr-only">More</span>
                </Button>
              }
            >
              {more.map(({ label, icon: Icon, isRed, onPress }) => (
                <MenuItem
                  key={label}
                  className={isRed ? 'text-red-ink' : ''}
                  onSelect={() => onPress(checklist)}
                >
                  <Icon aria-hidden />
                  {label}
                </MenuItem>
              ))}
            </Menu>
          )}
          {/* What destroys isn’t where the act before it was. */}
          {primary.isRed && <Choice act={primary} isFirst onPress={decide} />}
          {second && <Choice act={second} onPress={() => second.onPress(checklist)} />}
          {!primary.isRed && <Choice act={primary} isFirst onPress={decide} />}
        </div>
      </div>
    </section>
  );
}

interface ChoiceProps {
  act: Act;
  isFirst?: boolean;
  onPress: () => void;
}

function Choice({ act: { label, icon: Icon, busy, isRed = false }, isFirst = false, onPress }: ChoiceProps) {
  return (
    <Button
      variant={isFirst ? (isRed ? 'danger' : 'primary') : 'default'}
      className={classes(isRed && !isFirst && 'text-red-ink')}
      busy={busy}
      onClick={onPress}
    >
      <Icon className="size-5" strokeWidth={1.75} aria-hidden />
      {label}
    </Button>
  );
}

/** Stands in the place of the bar where another moderator has to decide. */
export const NoDecision = ({ children }: { children: ReactNode }) => (
  <p className="mt-8 rounded-md border bg-surface px-5 py-5 text-ink-2 print:hidden">{children}</p>
);

/** Tells the page how much of the foot of the screen the bar takes, so that it covers neither the focus nor a toast. */
function useRoomFor(whole: RefObject<HTMLElement | null>, acts: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const parts = [whole.current, acts.current].filter((part) => part !== null);
    const observer = new ResizeObserver(() => {
      const bar = parts.find((part) => ['fixed', 'sticky'].includes(getComputedStyle(part).position));
      style.setProperty('--decision-height', `${bar?.offsetHeight ?? 0}px`);
    });
    for (const part of parts) observer.observe(part);
    return () => {
      observer.disconnect();
      style.removeProperty('--decision-height');
    };
  }, [whole, acts]);
}
