import { useSyncExternalStore } from 'react';

/** From here on a list and what is chosen in it stand side by side; the `lg` of the styles. */
const TWO_PANES = '(min-width: 64rem)';

function subscribe(onChange: () => void) {
  const query = matchMedia(TWO_PANES);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** Whether the screen has room for two panes; not before hydration. */
export const useWide = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(TWO_PANES).matches,
    () => false,
  );
