/** A reader who does nothing for this long stays. */
const STAYS_MS = 5_000;
const ACTIONS = ['pointerdown', 'pointermove', 'keydown', 'scroll'] as const;

const staying = new Promise<void>((resolve) => {
  // On the server nothing waits.
  if (typeof document === 'undefined') return resolve();
  setTimeout(resolve, STAYS_MS);
  for (const action of ACTIONS)
    addEventListener(action, () => resolve(), { once: true, passive: true, capture: true });
});

/**
 * Settles at a reader's first action, or when the page has been open for a while: one who leaves at once does
 * not load what only the page's later life needs.
 */
export const readerStays = (): Promise<void> => staying;
