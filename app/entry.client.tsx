import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { registerServiceWorker } from './offline/register.ts';
import { startSession } from './session.ts';
import { captureLinkAnswer } from './sign-in/link-answer.ts';

captureLinkAnswer();
startSession();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});

registerServiceWorker();
