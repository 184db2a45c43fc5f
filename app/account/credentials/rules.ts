/** The rules of an account that are needed without a form; `form-schema.ts` has the rest. */

/** Set by the specification; the server may require more and then says so. */
export const MIN_PASSWORD_LENGTH = 6;

/** The wording that new members declare; a new wording needs a new version. */
export const DECLARATION_VERSION = '2026-11-01';

/** The requirement every member meets; its wording has the version `DECLARATION_VERSION`. */
export const declarationText = 'I am 18 or over and a qualified healthcare or prosthetics professional.';
