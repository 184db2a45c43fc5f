import { createContext as createReactContext, useContext } from 'react';
import { createContext } from 'react-router';

/** What a page's request is called in the log, and how to write there what went wrong. */
export interface RequestReport {
  requestId: string;
  report: (error: unknown, what: string) => void;
}

export const reportContext = createContext<RequestReport>();

const RequestIdContext = createReactContext<string | undefined>(undefined);

export const RequestIdProvider = RequestIdContext.Provider;

/** For a reader to quote. Known on the server only. */
export const useRequestId = () => useContext(RequestIdContext);
