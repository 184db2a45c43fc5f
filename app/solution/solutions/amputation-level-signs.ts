/**
 * The sign of each amputation level: one polyline for the arm and one for the leg, cut where the limb ends (the
 * remaining part, then the missing part), and the class that draws it, made by `npm run generate`. A sign is always
 * beside the level's name.
 */
export const levelSigns: Record<string, { className: string; there: string; missing: string }> = {
  'Transradial (Below Elbow)': {
    className: 'level-transradial',
    there: 'M4.2 3l3.4 9.2 2.6 2',
    missing: 'M14.7 16.9l5.5 3.5',
  },
  'Transtibial (Below Knee)': {
    className: 'level-transtibial',
    there: 'M11 2.8l1.4 8.2-.6 2.2',
    missing: 'M11 18l-.6 2.9 6.6.5',
  },
  'Transfemoral (Above Knee)': {
    className: 'level-transfemoral',
    there: 'M11 2.8l.6 3.4',
    missing: 'M12.3 11l-2 9.8 6.6.6',
  },
  'Transhumeral (Above Elbow)': {
    className: 'level-transhumeral',
    there: 'M4.4 3l1.8 5',
    missing: 'M8 12.5l12 7.9',
  },
  'Partial Foot': {
    className: 'level-partial',
    there: 'M10 2.8l1.4 8-2.2 9.6 1.2.4',
    missing: 'M16.6 21.3h.4',
  },
  'Full Limb': {
    className: 'level-full',
    there: 'M9.4 2.8h6',
    missing: 'M12.2 8.4l.6 2.6-2 9.8 6.4.6',
  },
};
