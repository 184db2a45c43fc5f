import { createContext, useContext } from 'react';

const NonceContext = createContext<string | undefined>(undefined);

export const NonceProvider = NonceContext.Provider;

/**
 * The nonce that lets the site's inline scripts run under the page's content security policy. Known on the
 * server only.
 */
export const useNonce = () => useContext(NonceContext);
