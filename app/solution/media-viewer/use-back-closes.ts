import { useEffect, useEffectEvent } from 'react';

/** Marks the history entry of a viewer, beside what the router keeps there. */
const isOfViewer = () => Boolean(history.state?.viewer);

const hideFromRouter = (event: PopStateEvent) => event.stopImmediatePropagation();

/**
 * Gives a viewer over the whole screen an entry of its own in the history, so that Back on a phone closes it and stays on
 * the page. The router hears of neither step, since the page below is the same before and after.
 */
export function useBackCloses(onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    history.pushState({ ...history.state, viewer: true }, '');
    const onBack = (event: PopStateEvent) => {
      hideFromRouter(event);
      close();
    };
    addEventListener('popstate', onBack, { capture: true });
    return () => {
      removeEventListener('popstate', onBack, { capture: true });
      // A viewer that was closed by its own button takes its entry along.
      if (!isOfViewer()) return;
      addEventListener('popstate', hideFromRouter, { capture: true, once: true });
      history.back();
    };
  }, []);
}
