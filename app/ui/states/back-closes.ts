import { type ToggleEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

/** An entry of the history: what the router keeps there, and how many covers its page had when it was made. */
interface Entry {
  idx?: number;
  key?: string;
  cover?: number;
}

/** What lies over the page, the last on top: each is closed by its function. */
const covers: (() => void)[] = [];

/** The entry as the browser last showed it, to be compared with the one that a step leads to. */
let entry: Entry = {};
/** Where a step that only closed a cover leads back to. */
let returnTo: string | undefined;

const shown = (): Entry => history.state ?? {};
const keyOf = ({ key = 'default' }: Entry) => key;
const depthOf = ({ cover = 0 }: Entry) => cover;

/**
 * Hears of each step through the history before the router does. The entry of a cover stays when the cover is closed by
 * itself, since going back could not be undone where a page follows; it is passed over here, in both directions.
 */
function onStep(event: PopStateEvent) {
  const left = entry;
  entry = shown();
  if (returnTo !== undefined) {
    if (returnTo === keyOf(entry)) event.stopImmediatePropagation();
    returnTo = undefined;
    return;
  }
  const isSamePage = left.idx === entry.idx;
  const step = isSamePage ? depthOf(entry) - depthOf(left) : (entry.idx ?? 0) - (left.idx ?? 0);
  const cover = covers.at(-1);
  if (step < 0 && cover) {
    event.stopImmediatePropagation();
    // The page's address has changed below the cover, as by a filter in its drawer, and is kept.
    if (keyOf(left) !== keyOf(entry)) {
      returnTo = keyOf(left);
      history.go(1);
    }
    cover();
  } else if (isSamePage && step !== 0) {
    event.stopImmediatePropagation();
    history.go(Math.sign(step));
  }
}

/** Follows the history for all that covers a page; once in every page. */
export function CoverHistory() {
  const location = useLocation();
  useEffect(() => {
    addEventListener('popstate', onStep, { capture: true });
    return () => removeEventListener('popstate', onStep, { capture: true });
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the router has changed the history with its location
  useEffect(() => {
    const now = shown();
    // A page that takes the place of a cover's entry still has the covered page before it.
    if (now.idx === entry.idx && depthOf(entry) > 0 && depthOf(now) === 0)
      history.replaceState({ ...now, cover: entry.cover }, '');
    entry = shown();
  }, [location]);
  return null;
}

/**
 * Gives what covers the page an entry of its own in the history, so that Back on a phone closes it and stays on the page.
 * The router hears of neither step, since the page below is the same before and after.
 */
export function useBackCloses(onBack: () => void, isOpen = true): void {
  const close = useEffectEvent(onBack);
  const { key } = useLocation();
  // A Back that is held up until the reader has answered whether to leave has changed the address already; an entry
  // made now would cut off the way back to the page.
  const isHeldUp = useEffectEvent(() => keyOf(shown()) !== key);
  // As soon as it is seen: a Back before the next effects would leave the page.
  useLayoutEffect(() => {
    if (!isOpen || isHeldUp()) return;
    const cover = () => close();
    covers.push(cover);
    if (depthOf(shown()) < covers.length) history.pushState({ ...history.state, cover: covers.length }, '');
    entry = shown();
    return () => void covers.splice(covers.indexOf(cover), 1);
  }, [isOpen]);
}

/**
 * The props of a popover that covers the page as a dialog does: Back closes it, the focus goes into it, and nothing else can be
 * reached until then. In a window where its content stands beside the page, it never opens.
 */
export function useModalPopover<Popover extends HTMLElement>() {
  const ref = useRef<Popover>(null);
  const [isOpen, setIsOpen] = useState(false);
  const held = useRef<HTMLElement[]>([]);
  useBackCloses(() => ref.current?.hidePopover(), isOpen);
  useEffect(() => () => release(held.current), []);
  // Comes before it is seen, and before the browser gives the focus back to the button, which can be reached again by then.
  const onBeforeToggle = ({ target, currentTarget, newState }: ToggleEvent<Popover>) => {
    // React passes on what unfolds within it too.
    if (target !== currentTarget) return;
    setIsOpen(newState === 'open');
    if (newState === 'closed') release(held.current);
  };
  const onToggle = ({ target, currentTarget, newState }: ToggleEvent<Popover>) => {
    if (target !== currentTarget || newState !== 'open') return;
    currentTarget.focus();
    held.current = besides(currentTarget);
    for (const one of held.current) one.inert = true;
  };
  const asDialog = isOpen ? ({ role: 'dialog', 'aria-modal': true } as const) : {};
  // It keeps the focus until the browser gives that back.
  return { ref, tabIndex: -1, onBeforeToggle, onToggle, ...asDialog };
}

function release(held: HTMLElement[]): void {
  for (const one of held.splice(0)) one.inert = false;
}

/** What lies beside a part of the page, beside what that is in, and so on; but for what says messages. */
function besides(part: Element): HTMLElement[] {
  const { parentElement: parent } = part;
  if (!parent || part === document.body) return [];
  const siblings = [...parent.children].filter(
    (one): one is HTMLElement =>
      one instanceof HTMLElement && one !== part && !one.inert && !one.matches('[aria-live], [role=status]'),
  );
  return [...siblings, ...besides(parent)];
}
