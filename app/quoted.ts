/** A value for a filter that stands inside another (`or`), whatever signs are in it. */
export const quoted = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;
