import { createContext, useRouteLoaderData } from 'react-router';

/** Who runs this site, as its operator configured it. */
export interface Operator {
  /** Fits in the middle of a sentence. */
  name: string;
  address?: string | undefined;
  companyNumber?: string | undefined;
  /** Of the registration with the Information Commissioner's Office. */
  icoNumber?: string | undefined;
  supportEmail: string;
  legalEmail: string;
}

export const operatorContext = createContext<Operator>();

/** Who runs this site; undefined where not even the root of the page could be loaded. */
export function useOperator(): Operator | undefined {
  return useRouteLoaderData<{ operator: Operator }>('root')?.operator;
}
