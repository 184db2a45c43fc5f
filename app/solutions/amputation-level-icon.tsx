/**
 * One polyline for the arm and one for the leg, cut where the limb ends: the remaining part, then the missing
 * part.
 */
export const levelShapes: Record<string, [there: string, missing: string]> = {
  'Transradial (Below Elbow)': ['M4.2 3l3.4 9.2 2.6 2', 'M14.7 16.9l5.5 3.5'],
  'Transtibial (Below Knee)': ['M11 2.8l1.4 8.2-.6 2.2', 'M11 18l-.6 2.9 6.6.5'],
  'Transfemoral (Above Knee)': ['M11 2.8l.6 3.4', 'M12.3 11l-2 9.8 6.6.6'],
  'Transhumeral (Above Elbow)': ['M4.4 3l1.8 5', 'M8 12.5l12 7.9'],
  'Partial Foot': ['M10 2.8l1.4 8-2.2 9.6 1.2.4', 'M16.6 21.3h.4'],
  'Full Limb': ['M9.4 2.8h6', 'M12.2 8.4l.6 2.6-2 9.8 6.4.6'],
};

const symbolId = (level: string) => `level-${level.split(' ')[0]?.toLowerCase()}`;

/** The drawings themselves; once in the document. */
export function AmputationLevelSprite() {
  return (
    <svg className="hidden" aria-hidden="true">
      {Object.entries(levelShapes).map(([level, [there, missing]]) => (
        <symbol
          key={level}
          id={symbolId(level)}
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth="4"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          <path d={there} />
          <path d={missing} opacity=".3" />
        </symbol>
      ))}
    </svg>
  );
}

/** The sign of an amputation level; always beside its name. */
export function AmputationLevelIcon({ level, className }: { level: string; className?: string }) {
  return (
    <svg className={className ?? 'level-icon'} aria-hidden="true">
      <use href={`#${symbolId(level)}`} />
    </svg>
  );
}
