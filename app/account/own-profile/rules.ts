/** The rules and choices of a profile that are needed without a form; `form-schema.ts` has the rest. */

/** Whether a name is really an email address, which must not be shown publicly. */
export function looksLikeEmail(given: string): boolean {
  const name = given.normalize('NFKC');
  const at = name.indexOf('@', 1);
  return at > 0 && name.lastIndexOf('.', name.length - 2) > at + 1 && !/\s/.test(name);
}

export const invalidName = {
  title: 'Invalid Name',
  text: 'Please enter your actual name, not an email address',
};

export const interestOptions = [
  'Upper Limb Prosthetics',
  'Lower Limb Prosthetics',
  'Pediatric Prosthetics',
  'Sports Prosthetics',
  '3D Printing',
  'Advanced Materials',
  'Myoelectric Control',
  'Osseointegration',
  'Socket Design',
  'Gait Analysis',
  'Rehabilitation',
  'Research & Development',
] as const;

export const professions = [
  'Prosthetist',
  'Orthotist',
  'Rehabilitation Doctor',
  'Physiotherapist',
  'Occupational Therapist',
  'Podiatrist',
  'Prosthetic Technician',
  'Rehabilitation Engineer',
];
