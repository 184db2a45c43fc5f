interface EarlyInput {
  now: string | boolean;
  /** The initial value in the HTML; a select has none. */
  before?: string;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

declare global {
  interface Window {
    /** Loads the code of a page that came without. */
    loadCode?: () => void;
    isCodeNeeded?: boolean;
    takeEarlyInput?: () => { typed: [Control, EarlyInput][]; pressed?: HTMLElement };
  }
}

/**
 * Runs before the first paint. Text typed before the page's scripts have arrived is kept, and so is the last
 * press or submission: it is neither lost nor handled by the browser alone, which would put a form into the
 * address. Buttons that open a popover need no script; a form that needs one has the method "dialog".
 */
export const captureEarlyInput = `(()=>{const typed=new Map;let pressed;const need=()=>{window.isCodeNeeded=true;window.loadCode?.()},type=({target:t})=>{need();typed.delete(t);if(t.type!=="file")typed.set(t,{now:t.type==="checkbox"||t.type==="radio"?t.checked:t.value,before:t.defaultValue})},press=e=>{const t=e.target,at=e.type==="click"?t.closest&&t.closest("button[type=button]:not([popovertarget])"):t.method==="dialog"&&t;if(at){e.preventDefault();e.stopImmediatePropagation();pressed=at;need()}},kinds=[["input",type],["click",press],["submit",press]];for(const[kind,keep]of kinds)addEventListener(kind,keep,true);window.takeEarlyInput=()=>{for(const[kind,keep]of kinds)removeEventListener(kind,keep,true);delete window.takeEarlyInput;return{typed:[...typed],pressed}}})();`;

/** Until the next frame has been drawn, when the page has finished the effects of its hydration. */
const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/**
 * Replays early typing and presses in the page, one after the other, once it is drawn for the signed-in
 * member.
 */
export async function replayEarlyInput(): Promise<void> {
  const { typed, pressed } = window.takeEarlyInput?.() ?? { typed: [] };
  addEventListener('click', keepPress, true);
  for (const [control, early] of typed) {
    // A part of the page that is not hydrated yet hydrates at its first event, and loses the state it shows.
    control.dispatchEvent(new Event('input', { bubbles: true }));
    await nextFrame();
    // A restored draft holds more.
    if (['', early.before ?? control.value, early.now].includes(control.value)) enter(control, early.now);
  }
  await nextFrame();
  if (pressed instanceof HTMLFormElement) {
    if (pressed.isConnected) pressed.requestSubmit();
  } else if (pressed) await pressOnceReady(pressed);
}

/** A button from the server has this attribute until the code of its part is there: React drops a press before. */
const WAITING = '[data-waiting]';

function keepPress(event: MouseEvent) {
  const button = event.target instanceof Element && event.target.closest<HTMLElement>(WAITING);
  if (!button) return;
  event.stopImmediatePropagation();
  void pressOnceReady(button);
}

async function pressOnceReady(button: HTMLElement) {
  while (button.isConnected && button.matches(WAITING)) await nextFrame();
  if (button.isConnected) press(button);
}

/** Presses a button as a person would: tabs and menus already answer before the button comes up again. */
function press(button: HTMLElement) {
  const options = { bubbles: true, cancelable: true };
  button.dispatchEvent(new PointerEvent('pointerdown', { ...options, pointerType: 'mouse' }));
  button.dispatchEvent(new MouseEvent('mousedown', options));
  button.click();
}

/**
 * Sets a control's state as a person would. React notices a change only when the last state it knows differs.
 */
function enter(control: Control, state: string | boolean) {
  if (typeof state === 'boolean') {
    (control as HTMLInputElement).checked = !state;
    control.click();
    return;
  }
  control.value = state ? '' : ' ';
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, state);
  control.dispatchEvent(
    new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }),
  );
}
