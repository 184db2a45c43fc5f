import { useEffect, useEffectEvent, useRef } from 'react';
import { isSessionEnded } from '#app/errors.ts';
import { useSession } from '#app/session.ts';

/**
 * Sends a form again that was refused because the session had ended, as soon as its member has signed in again over the page.
 *
 * @returns is told why the form was refused
 */
export function useSendAgain(send: () => unknown): (error: unknown) => void {
  const isEnded = useSession()?.ended;
  const isWaiting = useRef(false);
  const wasEnded = useRef(false);
  const goOn = useEffectEvent(() => {
    if (isWaiting.current) void send();
    isWaiting.current = false;
  });
  useEffect(() => {
    if (wasEnded.current && isEnded === false) goOn();
    wasEnded.current = isEnded === true;
  }, [isEnded]);
  return (error) => {
    isWaiting.current = isSessionEnded(error);
  };
}
