import type { Kind } from '#app/frame/kinds/kind.ts';

export const setting = { acts: { setting_changed: 'Setting changed' } } satisfies Kind;
