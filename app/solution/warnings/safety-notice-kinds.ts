/** The severities of a safety notice, and their names on the page and on cards. */
export const safetyKinds = {
  caution: {
    title: 'Use with caution.',
    badge: 'Caution',
    choice: 'Use with caution',
    hint: 'There is a known risk.',
    tone: 'amber',
    icon: 'icon-alert',
  },
  recall: {
    title: 'Do not use.',
    badge: 'Do not use',
    choice: 'Do not use',
    hint: 'Risk of harm. Anyone who has built it should stop using it.',
    tone: 'red',
    icon: 'icon-recall',
  },
} as const;
export type SafetyKind = keyof typeof safetyKinds;

/** Whether there is a notice, and of a kind that the page has words for. */
export const isSafetyKind = (kind: string | null | undefined): kind is SafetyKind =>
  kind != null && kind in safetyKinds;

/** The words and the sign of a notice by its kind; of one that has none those of a caution. */
export const noticeKind = (kind: string) => safetyKinds[isSafetyKind(kind) ? kind : 'caution'];

export const MAX_NOTICE_LENGTH = 1000;

/** What the mark of a solution says: of itself, or of one of its parts where nothing graver holds. */
const safetyMarks: Record<string, { tone: 'amber' | 'red'; icon: string; badge: string; choice: string }> = {
  ...safetyKinds,
  part_caution: {
    ...safetyKinds.caution,
    badge: 'Caution: a part',
    choice: 'Use a part of it with caution',
  },
  part_recall: { ...safetyKinds.recall, badge: 'Do not use a part', choice: 'Do not use a part of it' },
};

/** The mark of a solution; undefined where readers are not warned of it. */
export const markOf = (kind: string | null | undefined) =>
  kind != null && Object.hasOwn(safetyMarks, kind) ? safetyMarks[kind] : undefined;

/** A title behind the warning that its readers have to read first, where they are warned. */
export function warnedTitle(kind: string | null | undefined, title: string): string {
  const mark = markOf(kind);
  return mark ? `${mark.choice}: ${title}` : title;
}
