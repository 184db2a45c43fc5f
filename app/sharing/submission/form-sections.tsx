import { Circle, CircleAlert, CircleCheck, Loader } from 'lucide-react';
import { Fragment, useEffect, useRef } from 'react';
import type { FieldErrors } from 'react-hook-form';
import type { Upload } from '#app/sharing/media-upload/upload-queue.ts';
import { isBlankFabrication } from '#app/solution/fabrication/form-schema.ts';
import { type SolutionForm, solutionSchema } from '#app/solution/solutions/form-schema.ts';
import { solutionSections } from '#app/solution/solutions/value-lists.ts';

export const sectionIds = {
  solution: 'section-solution',
  classification: 'section-classification',
  materials: 'section-materials',
  outcomes: 'section-outcomes',
  media: 'section-media',
  build: 'section-build',
  consent: 'section-consent',
};

type Name = keyof typeof sectionIds;

const sections: { name: Name; label: string; note?: string; fields: (keyof SolutionForm)[] }[] = [
  { name: 'media', label: 'Media', fields: [] },
  { name: 'solution', label: 'The solution', fields: ['title', 'description'] },
  {
    name: 'classification',
    label: 'Classification',
    fields: ['functionInMind', 'amputationLevel', 'prosthesisType', 'costRange', 'ageGroup'],
  },
  { name: 'materials', label: 'Materials and tags', fields: ['materials', 'customTags'] },
  {
    name: 'outcomes',
    label: 'Outcomes',
    note: 'optional',
    fields: [...solutionSections.map(({ field }) => field), 'outcomes'],
  },
  { name: 'build', label: 'Building it', note: 'optional', fields: ['fabrication'] },
  { name: 'consent', label: 'Consent', fields: ['consent'] },
];

/** The steps of the form on a small screen, with the fields that each has to leave in order. */
export const steps: { title: string; fields: (keyof SolutionForm)[] }[] = [
  { title: 'Show it', fields: ['title', 'description'] },
  {
    title: 'Classify it',
    fields: [
      'functionInMind',
      'amputationLevel',
      'prosthesisType',
      'costRange',
      'ageGroup',
      'customTags',
      'basedOn',
      ...solutionSections.map(({ field }) => field),
      'outcomes',
      'fabrication',
    ],
  },
  { title: 'Consent and send', fields: ['changeNote', 'audience', 'licence', 'consent'] },
];

/** The first step that has a field to be filled in still, or the last. */
export function firstOpenStep(values: SolutionForm): number {
  const isOpen = (name: keyof SolutionForm) => !solutionSchema.shape[name].safeParse(values[name]).success;
  const first = steps.findIndex(({ fields }) => fields.some(isOpen));
  return first < 0 ? steps.length - 1 : first;
}

const looks = {
  problem: { icon: CircleAlert, tone: 'text-red-ink', says: 'has a problem' },
  done: { icon: CircleCheck, tone: 'text-ok-ink', says: 'done' },
  busy: { icon: Loader, tone: 'text-ink-2', says: 'uploading' },
  open: { icon: Circle, tone: 'text-ink-3', says: 'incomplete' },
  empty: { icon: Circle, tone: 'text-ink-3', says: 'empty' },
};

const hasContent = (value: SolutionForm[keyof SolutionForm]) =>
  typeof value === 'object' && !Array.isArray(value)
    ? !isBlankFabrication(value)
    : typeof value === 'boolean'
      ? value
      : value.length > 0;

interface FormSectionsProps {
  values: SolutionForm;
  errors: FieldErrors<SolutionForm>;
  moving: boolean;
  media: readonly Upload[];
}

/** The form's contents, with the progress of each section. */
export function FormSections({ values, errors, moving, media }: FormSectionsProps) {
  const stateOf = ({ name, fields }: (typeof sections)[number]): keyof typeof looks => {
    if (name === 'media') {
      if (media.some(({ state }) => state === 'failed')) return 'problem';
      return moving ? 'busy' : media.some(({ state }) => state === 'ready') ? 'done' : 'empty';
    }
    if (fields.some((field) => errors[field])) return 'problem';
    if (!fields.every((field) => solutionSchema.shape[field].safeParse(values[field]).success)) return 'open';
    return fields.some((field) => hasContent(values[field])) ? 'done' : 'empty';
  };
  return (
    <nav aria-label="Sections of the form" className="hidden lg:block">
      <ol className="sticky top-(--below-header)">
        {sections.map((section) => {
          const appearance = looks[stateOf(section)];
          return (
            <li key={section.name}>
              <a
                href={`#${sectionIds[section.name]}`}
                className="flex min-h-10 items-center gap-2 rounded-sm text-ink-2 hover:text-ink hover:underline"
              >
                <appearance.icon
                  className={`size-5 shrink-0 ${appearance.tone}`}
                  strokeWidth={1.75}
                  aria-hidden
                />
                <span>
                  {section.label}
                  {section.note && <span className="text-sm text-ink-3"> {section.note}</span>}
                  <span className="sr-only">, {appearance.says}</span>
                </span>
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

const required = [
  { field: 'title', label: 'Title' },
  { field: 'description', label: 'Description' },
  { field: 'functionInMind', label: 'Function in mind' },
  { field: 'amputationLevel', label: 'Amputation level' },
  { field: 'prosthesisType', label: 'Prosthesis type' },
  { field: 'costRange', label: 'Cost range' },
  { field: 'ageGroup', label: 'Age group' },
  { field: 'consent', label: 'Consent' },
] as const satisfies { field: keyof SolutionForm; label: string }[];

/** What is still needed before the form can be submitted, as links to the fields. */
export function MissingAnswers({ values }: { values: SolutionForm }) {
  const missing = required.filter(
    ({ field }) => !solutionSchema.shape[field].safeParse(values[field]).success,
  );
  if (missing.length === 0) return null;
  return (
    <p className="mb-4 text-ink-2">
      Still needed:{' '}
      {missing.map(({ field, label }, index) => (
        <Fragment key={field}>
          {index > 0 && ', '}
          <a href={`#${field}`} className="reach link">
            {label}
          </a>
        </Fragment>
      ))}
    </p>
  );
}

/** The heading of a step, which takes the focus when the step changes. */
export function StepTitle({ step }: { step: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    heading.current?.focus({ preventScroll: true });
  }, [step]);
  return (
    <h2
      ref={heading}
      tabIndex={-1}
      className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 text-xl outline-none"
    >
      {`${steps[step]?.title} `}
      <span className="text-sm font-normal text-ink-2">
        Step {step + 1} of {steps.length}
      </span>
    </h2>
  );
}

/** The heading that a link to the section leads to. */
export function SectionTitle({ id, children }: { id: string; children: React.ReactNode }) {
  return (
    <h2 id={id} tabIndex={-1} className="scroll-mt-24 text-xl outline-none">
      {children}
    </h2>
  );
}

/** The heading of a section that is folded. */
export const SectionName = ({ children }: { children: string }) => (
  <h2 className="inline font-bold lg:text-xl">{children}</h2>
);
