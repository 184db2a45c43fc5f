/** The severities of a safety notice, and their names on the page and on cards. */
export const safetyKinds = {
  caution: {
    title: 'Use with caution.',
    badge: 'Caution',
    choice: 'Use with caution',
    hint: 'There is a known risk.',
    tone: 'amber',
  },
  recall: {
    title: 'Do not use.',
    badge: 'Do not use',
    choice: 'Do not use',
    hint: 'Risk of harm. Anyone who has built it should stop using it.',
    tone: 'red',
  },
} as const;
export type SafetyKind = keyof typeof safetyKinds;

/** Whether there is a notice, and of a kind that the page has words for. */
export const isSafetyKind = (kind: string | null | undefined): kind is SafetyKind =>
  kind != null && kind in safetyKinds;

export const MAX_NOTICE_LENGTH = 1000;

/** A title behind the warning that its readers have to read first, where they are warned. */
export const warnedTitle = (kind: string | null | undefined, title: string): string =>
  isSafetyKind(kind) ? `${safetyKinds[kind].choice}: ${title}` : title;
