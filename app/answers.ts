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

// The library would compile its checks, which the content policy forbids.
config({ jitless: true });

/** What `readAnswer` of errors.ts builds schemas of and checks answers with; loaded with the first answer. */
export const z = { array, boolean, nullable, number, object, oneOf, record, safeParse, string, tuple };
