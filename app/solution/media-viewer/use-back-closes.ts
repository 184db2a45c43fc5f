import { useEffect, useEffectEvent } from 'react';

/** Marks the history entry of a viewer, beside what the router keeps there. */
const isOfViewer = () => Boolean(history.state?.viewer);

/**
 * Gives a viewer over the whole screen an entry of its own in the history, so that Back on a phone closes it and stays on
 * the page. The router hears of neither step, since the page below is the same before and after.
 *
 * @returns what the viewer's own button calls: it goes back too, and the viewer closes once its entry is gone, so that
 *   what is pressed next begins from the page
 */
export function useBackCloses(onClose: () => void): () => void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    history.pushState({ ...history.state, viewer: true }, '');
    const onBack = (event: PopStateEvent) => {
      event.stopImmediatePropagation();
      close();
    };
    addEventListener('popstate', onBack, { capture: true });
    return () => {
      removeEventListener('popstate', onBack, { capture: true });
      // A viewer that went with its page leaves an entry like any other.
      if (isOfViewer()) history.replaceState({ ...history.state, viewer: undefined }, '');
    };
  }, []);
  return () => (isOfViewer() ? history.back() : onClose());
}
