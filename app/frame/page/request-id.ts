import { createContext as createReactContext, useContext } from 'react';
import { createContext } from 'react-router';

/** The id of a page's request in the log, and the function that logs an error under it. */
export interface RequestReport {
  requestId: string;
  report: (error: unknown, what: string) => void;
}

export const reportContext = createContext<RequestReport>();

const RequestIdContext = createReactContext<string | undefined>(undefined);

export const RequestIdProvider = RequestIdContext.Provider;

/** Shown to readers so that they can quote it. Known on the server only. */
export const useRequestId = () => useContext(RequestIdContext);
