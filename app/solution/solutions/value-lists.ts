import { abbreviations } from '#app/solution/outcomes/abbreviations.ts';
import { knownText, knownTexts } from '#app/ui/languages/known-text.ts';
import { languageName, languages } from '#app/ui/languages/languages.ts';

/** The value lists of a solution's facets, in the order in which they are shown. */
export const amputationLevels = [
  'Transradial (Below Elbow)',
  'Transtibial (Below Knee)',
  'Transfemoral (Above Knee)',
  'Transhumeral (Above Elbow)',
  'Partial Foot',
  'Full Limb',
] as const;

/** The limb that a level of amputation is of; either one for a full limb. */
export const limbOf: Partial<Record<string, 'lower' | 'upper'>> = {
  'Transradial (Below Elbow)': 'upper',
  'Transtibial (Below Knee)': 'lower',
  'Transfemoral (Above Knee)': 'lower',
  'Transhumeral (Above Elbow)': 'upper',
  'Partial Foot': 'lower',
};

export const functionalCapabilities = [
  'Grasping & Gripping',
  'Fine Motor Tasks',
  'Walking',
  'Running',
  'Climbing Stairs',
  'Weight-Bearing Activities',
  'Writing & Drawing',
  'Typing',
  'Playing Instruments',
  'Sports & Athletics',
  'Daily Living Activities',
  'Heavy Lifting',
  'Precision Work',
  'Balance & Stability',
] as const;

export const materials = [
  'Carbon Fiber',
  'Silicone',
  'Titanium',
  '3D-Printed PLA',
  'Gel Liners',
  'Custom Alloys',
  'Thermoplastic',
  'Aluminum',
] as const;

export const prosthesisTypes = [
  'Myoelectric',
  'Body-Powered',
  'Passive',
  'Hybrid',
  'Osseointegrated',
] as const;

/** The optional texts of a solution: the table's column, the form's field, and the words on the page and in the form. */
export const solutionSections = [
  {
    column: 'durability_testing',
    field: 'durabilityTesting',
    title: 'Durability & Testing',
    label: 'Durability testing',
    hint: 'Loads, cycles, distance or months of use',
  },
  {
    column: 'patient_outcomes',
    field: 'patientOutcomes',
    title: 'Patient Outcomes',
    label: 'Patient outcomes',
    hint: 'What changed for the wearer, and how you measured it',
  },
  {
    column: 'challenges_overcome',
    field: 'challengesOvercome',
    title: 'Challenges Overcome',
    label: 'Challenges overcome',
    hint: undefined,
  },
] as const;

type Section = (typeof solutionSections)[number];

type Columns<Sections extends readonly unknown[]> = Sections extends readonly [infer First, ...infer Rest]
  ? First extends { column: infer Column extends string }
    ? `,${Column}${Columns<Rest>}`
    : never
  : '';

/** The columns of the optional texts for a query, each after a comma. */
export const sectionColumns = solutionSections.map(({ column }) => `,${column}`).join('') as Columns<
  typeof solutionSections
>;

/** One value for each optional text, by the name of its column or of its field. */
export const bySection = <Key extends 'column' | 'field', Value>(
  key: Key,
  give: (section: Section) => Value,
) =>
  Object.fromEntries(solutionSections.map((section) => [section[key], give(section)])) as Record<
    Section[Key],
    Value
  >;

/** The facts by which solutions are found, in the order in which readers see them: the table's column, and its name on the page. */
export const solutionFacts = [
  { column: 'amputation_level', label: 'Amputation Level' },
  { column: 'occupation', label: 'Target Occupation' },
  { column: 'age_group', label: 'Age Group' },
  { column: 'prosthesis_type', label: 'Prosthesis Type' },
  { column: 'cost_range', label: 'Cost Range' },
  { column: 'materials', label: 'Materials Used' },
  { column: 'custom_tags', label: 'Tags' },
] as const;

/** The facts that a solution states, each with its values as they are stored and with the words for them. */
export const factsOf = (
  solution: Record<(typeof solutionFacts)[number]['column'], string | readonly string[]>,
) =>
  solutionFacts
    .map((fact) => {
      const stored = solution[fact.column];
      // Several age groups are stored in one text.
      const values = typeof stored === 'string' ? stored.split(', ') : stored;
      const isWritten = fact.column === 'custom_tags';
      return { ...fact, values, text: isWritten ? values.join(', ') : knownTexts(values) };
    })
    .filter(({ text }) => text);

export const ageGroups = ['Children', 'Adults'] as const;

export const costRanges = ['Low-cost (<$500)', 'Mid-range ($500-$5000)', 'High-end (>$5000)'] as const;

/** The groups of the filter panel by the name the database gives their counts. No value is in two groups. */
export const facetGroups = [
  { key: 'amputation_level', label: 'Amputation Level', values: amputationLevels },
  { key: 'occupation', label: 'Functional Capabilities', values: functionalCapabilities },
  { key: 'prosthesis_type', label: 'Prosthesis Type', values: prosthesisTypes },
  { key: 'age_group', label: 'Age Group', values: ageGroups },
  { key: 'cost_range', label: 'Cost Range', values: costRanges },
  { key: 'materials', label: 'Materials Used', values: materials },
  {
    key: 'evidence',
    label: 'Evidence',
    values: [
      'Has outcomes',
      'Better by more than error',
      'Has build files',
      'Checked author',
      'Tried by others',
      'Asked again',
    ],
  },
  { key: 'measure', label: 'Outcome measure', values: abbreviations },
  { key: 'language', label: 'Language', values: languages.map((tag) => `language:${tag}`) },
] as const;

/** A value of a facet group as readers see it. */
export const facetLabel = (value: string): string =>
  value.startsWith('language:') ? languageName(value.slice('language:'.length)) : knownText(value);

/** Who can see a published solution, each audience within the one before; the database's, with the words of the site. */
export const audiences = [
  { value: 'public', label: 'Everyone' },
  { value: 'members', label: 'Members' },
  { value: 'checked', label: 'Checked professionals' },
] as const;

export type Audience = (typeof audiences)[number]['value'];

/** The audience in the words that readers see; an unknown one stands for itself. */
export const audienceLabel = (audience: string): string =>
  audiences.find(({ value }) => value === audience)?.label ?? audience;
