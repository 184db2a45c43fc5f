/** An element and its ancestors, innermost first, each with its position among its siblings. */
type Trail = readonly { element: Element; index: number }[];

const CONTROLS =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary';
const FOCUSABLE = `${CONTROLS}, [tabindex]`;
const LAYERS = '[role=dialog], [role=alertdialog], [role=menu], [data-sonner-toaster]';
const ITEMS = 'li, tr, article';
const LISTS = 'ul, ol, tbody';
const PARTS = `section, aside, fieldset, [role=tabpanel], main, ${LAYERS}`;

/** The focused element, or the last one if it has left the page. */
let trail: Trail = [];
/** The element focused before a dialog, a menu or the toasts took the focus. */
const openers = new WeakMap<Element, Trail>();

function trailOf(element: Element): Trail {
  const ancestors: { element: Element; index: number }[] = [];
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
    ancestors.push({ element: at, index: [...(at.parentElement?.children ?? [])].indexOf(at) });
    if (at.matches(LAYERS)) {
      const isInside = trail.some(({ element }) => element === at);
      const opener = (isInside && openers.get(at)) || trail;
      openers.set(at, opener);
      return [...ancestors, ...opener];
    }
  }
  return ancestors;
}

/** Gives an element the focus if it can have it, and brings it into view. */
function focused(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement)) return false;
  if (!element.matches(FOCUSABLE)) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  if (document.activeElement !== element) return false;
  // A page that has changed as a whole begins at its top, or where its reader has left it.
  if (!element.matches('h1, main')) element.scrollIntoView({ block: 'nearest' });
  return true;
}

const withinItem = (item: Element) => focused(item.querySelector(CONTROLS)) || focused(item);

const withHeading = (part: Element) =>
  focused(part.querySelector('h1') ?? part.querySelector('h2, h3, legend'));

/**
 * Returns the focus to its origin, or else to the element now in that place: the next item, the list's
 * heading.
 */
function restore(): void {
  const from = trail;
  for (const [depth, { element }] of from.entries()) {
    if (!element.isConnected) continue;
    const inner = from[depth - 1];
    if (!inner || inner.element.matches(LAYERS)) {
      if (focused(element)) return;
      continue;
    }
    if (!inner.element.isConnected) {
      const next = element.children[Math.min(inner.index, element.children.length - 1)];
      if (next && (element.matches(LISTS) ? withinItem(next) : next.matches(CONTROLS) && focused(next)))
        return;
    }
    if (element.matches(ITEMS) ? withinItem(element) : element.matches(PARTS) && withHeading(element)) return;
  }
  const main = document.querySelector('main');
  if (!focused(main?.querySelector('h1'))) focused(main);
}

/**
 * Keeps the focus from being lost: when the focused element leaves the page, because a dialog closes, a row
 * is deleted or a form has been sent, the focus returns to the element that opened the dialog, or else to the
 * next sensible place. Browsers leave it on the body then, and the dialog library returns it only to a
 * trigger that stays beside the dialog, which none does here: a dialog is in the page, and often loaded, only
 * while it is open.
 *
 * @returns ends it
 */
export function keepFocus(): () => void {
  const controller = new AbortController();
  const on = { capture: true, signal: controller.signal };
  // The page can be used before its scripts run.
  if (document.activeElement) follow(document.activeElement);
  document.addEventListener('focusin', ({ target }) => target instanceof Element && follow(target), on);
  // Safari gives a pressed button no focus.
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      const pressed = target instanceof Element && target.closest(FOCUSABLE);
      if (pressed) follow(pressed);
    },
    on,
  );
  // A press outside of every control removes the focus on purpose; outside of a dialog it closes that.
  document.addEventListener(
    'focusout',
    ({ target, relatedTarget }) => {
      if (relatedTarget || !(target instanceof Element) || target.closest(LAYERS)) return;
      setTimeout(() => {
        if (trail[0]?.element === target && target.isConnected && document.activeElement === document.body)
          trail = [];
      });
    },
    on,
  );
  const removals = new MutationObserver(() => {
    const [last] = trail;
    const holder = document.activeElement;
    if (last && !last.element.isConnected && (!holder || holder === document.body)) restore();
  });
  removals.observe(document, { childList: true, subtree: true });
  return () => {
    controller.abort();
    removals.disconnect();
  };
}

function follow(element: Element): void {
  if (element !== document.body) trail = trailOf(element);
}
