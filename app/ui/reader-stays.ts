/** A visitor who does nothing for this long is reading. */
const STAYS_MS = 5_000;
const ACTIONS = ['pointerdown', 'pointermove', 'keydown', 'scroll'] as const;

const staying = new Promise<void>((resolve) => {
  // On the server nothing waits; a member's page needs all its parts anyway.
  if (typeof document === 'undefined' || document.documentElement.hasAttribute('data-member'))
    return resolve();
  setTimeout(resolve, STAYS_MS);
  for (const action of ACTIONS)
    addEventListener(action, () => resolve(), { once: true, passive: true, capture: true });
});

/**
 * Settles at a visitor's first action, or when the page has been open for a while: one who leaves at once does
 * not load what only the page's later life needs.
 */
export const readerStays = (): Promise<void> => staying;
