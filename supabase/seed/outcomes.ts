export interface DemoOutcome {
  measure: string;
  score_before?: number;
  score_after: number;
  people_before?: number;
  people: number;
  follow_up_weeks: number;
  device_before?: string;
}

/** Measured outcomes of demo solutions by their titles: most better, some within measurement error, one worse. */
export const demoOutcomes: Record<string, DemoOutcome[]> = {
  'Running blade set up for forest trails': [
    {
      measure: 'CHAMP',
      score_before: 24.5,
      score_after: 27,
      people: 1,
      follow_up_weeks: 20,
      device_before: 'Walking foot with a split toe',
    },
  ],
  'Printed hand a six-year-old puts on alone': [
    {
      measure: 'PUFI',
      score_before: 52,
      score_after: 71.5,
      people: 1,
      follow_up_weeks: 12,
      device_before: 'Passive hand',
    },
  ],
  'Fail-safe coupling for an osseointegrated femoral implant': [
    {
      measure: 'PLUS-M',
      score_before: 52.4,
      score_after: 51.6,
      people: 14,
      follow_up_weeks: 78,
      device_before: 'Rigid coupling',
    },
  ],
  'Myoelectric hand training with three everyday objects': [
    { measure: 'BBT', score_before: 11.4, score_after: 19.2, people: 10, follow_up_weeks: 2 },
    { measure: 'ACMC', score_before: 46.3, score_after: 57.8, people: 10, follow_up_weeks: 2 },
  ],
  'Forefoot filler that spares the plantar skin': [
    {
      measure: 'PEQ-RL',
      score_before: 58.3,
      score_after: 74.6,
      people_before: 24,
      people: 22,
      follow_up_weeks: 52,
      device_before: 'Flat insole with a foam block',
    },
  ],
  'Mud-proof microprocessor knee cover for farm work': [
    {
      measure: 'TUG',
      score_before: 12.6,
      score_after: 16.8,
      people: 1,
      follow_up_weeks: 6,
      device_before: 'The same knee without a cover',
    },
    { measure: 'PSFS', score_before: 3.3, score_after: 6.7, people: 1, follow_up_weeks: 6 },
  ],
  'Split-keel foot pressed from recycled carbon offcuts': [
    {
      measure: '6MWT',
      score_before: 271,
      score_after: 322,
      people: 31,
      follow_up_weeks: 8,
      device_before: 'Solid-ankle foot',
    },
    { measure: 'SCS', score_before: 7.1, score_after: 7.3, people: 31, follow_up_weeks: 8 },
  ],
  'Seal-ring liner routine for a short, conical limb': [
    {
      measure: 'SCS',
      score_before: 4,
      score_after: 8,
      people: 1,
      follow_up_weeks: 3,
      device_before: 'Suction socket with a belt',
    },
    { measure: 'TUG', score_before: 14.1, score_after: 12.9, people: 1, follow_up_weeks: 3 },
  ],
  'Full-leg prosthesis for a hip disarticulation, worn all day': [
    {
      measure: 'TUG',
      score_before: 41.5,
      score_after: 33.2,
      people: 1,
      follow_up_weeks: 16,
      device_before: 'Canadian hip prosthesis, 6.8 kg',
    },
    { measure: 'EQ VAS', score_after: 74, people: 1, follow_up_weeks: 16 },
  ],
  'Stairs with a bone-anchored prosthesis: a graded plan': [
    {
      measure: 'AMPPRO',
      score_before: 38.5,
      score_after: 40.2,
      people_before: 12,
      people: 11,
      follow_up_weeks: 6,
    },
    {
      measure: 'TUG',
      score_before: 13.4,
      score_after: 11.2,
      people_before: 12,
      people: 11,
      follow_up_weeks: 6,
    },
  ],
  'Heat-formed socket from drainage pipe, with a soft brim': [
    {
      measure: 'SCS',
      score_before: 4.2,
      score_after: 7.4,
      people: 14,
      follow_up_weeks: 6,
      device_before: 'Laminated socket, on average nine years old',
    },
    { measure: '2MWT', score_before: 98.4, score_after: 107.9, people: 14, follow_up_weeks: 6 },
  ],
  'Balance board game for the first week on a new leg': [
    { measure: '2MWT', score_before: 61.2, score_after: 99.5, people: 9, follow_up_weeks: 1 },
  ],
};
