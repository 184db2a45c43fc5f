import {
  array,
  boolean,
  config,
  nullable,
  number,
  object,
  enum as oneOf,
  record,
  safeParse,
  string,
  tuple,
} from 'zod/mini';

// The library would compile its checks, which the content security policy forbids.
config({ jitless: true });

/** The schema builders and the parser that `readAnswer` of errors.ts uses; loaded with the first answer. */
export const z = { array, boolean, nullable, number, object, oneOf, record, safeParse, string, tuple };
