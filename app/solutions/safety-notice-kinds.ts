/** The severities of a safety notice, and their names on the page and on cards. */
export const safetyKinds = {
  caution: {
    title: 'Use with caution.',
    badge: 'Caution',
    choice: 'Use with caution',
    hint: 'There is something to look out for.',
    tone: 'amber',
  },
  recall: {
    title: 'Do not use.',
    badge: 'Do not use',
    choice: 'Do not use',
    hint: 'Somebody could be harmed. Whoever has built it should stop.',
    tone: 'red',
  },
} as const;
export type SafetyKind = keyof typeof safetyKinds;

export const isSafetyKind = (kind: string | null | undefined): kind is SafetyKind =>
  kind != null && kind in safetyKinds;

export const MAX_NOTICE_LENGTH = 1000;
