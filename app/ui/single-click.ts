import type { MouseEvent } from 'react';

/**
 * Acts on the first click of a double click alone: after a decision the next case can already stand where the
 * second one falls.
 */
export const singleClick = (act: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) act();
};
