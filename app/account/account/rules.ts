/** The rules and choices of an account and its profile that are needed without a form; `form-schema.ts` has the rest. */

/** Set by the specification; the server may require more and then says so. */
export const MIN_PASSWORD_LENGTH = 6;

/** The wording that new members declare; a new wording needs a new version. */
export const DECLARATION_VERSION = '2026-11-01';

/** The requirement every member meets; its wording has the version `DECLARATION_VERSION`. */
export const declarationText = 'I am 18 or over and a qualified healthcare or prosthetics professional.';

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
