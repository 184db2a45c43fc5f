import { createContext, useContext } from 'react';

const NonceContext = createContext<string | undefined>(undefined);

export const NonceProvider = NonceContext.Provider;

/** What lets an inline script of ours run under the page's security policy. Known on the server only. */
export const useNonce = () => useContext(NonceContext);
