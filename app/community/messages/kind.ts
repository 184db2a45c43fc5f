import type { Kind } from '#app/frame/kinds/kind.ts';

/** A moderator opens a reported message on purpose, and that is recorded. */
export const message = { reported: { kind: 'message', name: 'Private message' } } satisfies Kind;
