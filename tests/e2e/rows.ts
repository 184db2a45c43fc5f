/** What a report of a trial has to say, but for the solution and its member. */
export const TRIAL = {
  version: 1,
  result: 'worked',
  amputation_level: 'Partial Foot',
  age_group: 'Adults',
  prosthesis_type: 'Passive',
};

/** A registration that a moderator has found in the register, but for its member. */
export const CHECKED_REGISTRATION = {
  register: 'HCPC',
  number: 'PO 12345',
  state: 'checked',
  decided_at: new Date(),
  checklist: { name: true, number: true, current: true },
};

/** An image of a solution whose files would lie in this public folder, but for the solution. */
export const imageIn = (folder: string) => {
  const at = (name: string) => `/storage/v1/object/public/solution-media/${folder}/${name}.webp`;
  return {
    media_url: at('full'),
    compressed_url: at('card'),
    thumbnail_url: at('thumb'),
    media_type: 'image',
    width: 640,
    height: 400,
  };
};

/** A measured outcome, but for its solution. */
export const OUTCOME = { position: 0, measure: 'TUG', score_before: 18.2, score_after: 12.4, people: 1 };
