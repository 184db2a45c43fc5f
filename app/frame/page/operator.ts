import { createContext, useRouteLoaderData } from 'react-router';

/** The organisation that runs this site, as configured. */
export interface Operator {
  /** Fits in the middle of a sentence. Undefined where it is not configured, as are the others. */
  name?: string | undefined;
  address?: string | undefined;
  companyNumber?: string | undefined;
  /** Number of the registration with the Information Commissioner's Office. */
  icoNumber?: string | undefined;
  supportEmail?: string | undefined;
  legalEmail?: string | undefined;
}

export const operatorContext = createContext<Operator>();

/** The site's operator; undefined where not even the root of the page could be loaded. */
export function useOperator(): Operator | undefined {
  return useRouteLoaderData<{ operator: Operator }>('root')?.operator;
}
