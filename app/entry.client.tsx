import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { captureLinkAnswer } from './account/sign-in/link-answer.ts';
import { registerServiceWorker } from './frame/offline/register.ts';
import { startSession } from './session.ts';

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
