import { safeLink } from '#app/ui/texts/links.ts';
import { z } from '#app/zod.ts';
import { currencies, type Fabrication } from './fabrication.ts';

/** The most parts and steps, which the form does not exceed. */
export const MAX_PARTS = 60;
export const MAX_STEPS = 50;
export const MAX_INSTRUCTION = 2000;
export const MAX_COMPONENT = 120;
export const MAX_PART_NUMBER = 80;
export const MAX_LINK = 500;
const MAX_TOOLS = 30;
const MAX_TOOL = 80;

const partFields = z.object({
  component: z.string(),
  maker: z.string(),
  partNumber: z.string(),
  quantity: z.string(),
  cost: z.string(),
  link: z.string(),
});
const stepFields = z.object({
  instruction: z.string(),
  /** The id of an upload of the form; empty for none. */
  picture: z.string(),
});
const fields = z.object({
  hours: z.string(),
  /** One a line. */
  tools: z.string(),
  currency: z.string(),
  parts: z.array(partFields),
  steps: z.array(stepFields),
});

/** What is typed on how a solution is made. */
export type FabricationForm = z.infer<typeof fields>;
export type PartForm = z.infer<typeof partFields>;
export type StepForm = z.infer<typeof stepFields>;

export const emptyPart: PartForm = {
  component: '',
  maker: '',
  partNumber: '',
  quantity: '1',
  cost: '',
  link: '',
};
export const emptyStep: StepForm = { instruction: '', picture: '' };
export const emptyFabrication: FabricationForm = { hours: '', tools: '', currency: '', parts: [], steps: [] };

/** Typed with a point or a comma. NaN for what is no number, null for nothing. */
function numberIn(typed: string): number | null {
  const text = typed.trim();
  if (text === '') return null;
  return /^\d{1,9}(?:[.,]\d{1,2})?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
}

const toolsIn = (typed: string) =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const isBlankPart = ({ quantity: _, ...texts }: PartForm) =>
  Object.values(texts).every((text) => text.trim() === '');
const isBlankStep = ({ instruction, picture }: StepForm) => instruction.trim() === '' && picture === '';

/** Whether nothing was entered: the submission then says so. */
export const isBlankFabrication = (typed: FabricationForm): boolean =>
  typed.hours.trim() === '' &&
  toolsIn(typed.tools).length === 0 &&
  typed.parts.every(isBlankPart) &&
  typed.steps.every(isBlankStep);

/** What is wrong, with the path of its field. */
function problemsOf(typed: FabricationForm): [path: (string | number)[], message: string][] {
  const { hours, tools, parts, steps } = typed;
  const problems: ReturnType<typeof problemsOf> = [];
  const time = numberIn(hours);
  if (time !== null && !(time >= 0.1 && time <= 10_000))
    problems.push([['hours'], 'Hours must be between 0.1 and 10,000']);
  const listed = toolsIn(tools);
  if (listed.length > MAX_TOOLS || listed.some((tool) => tool.length > MAX_TOOL))
    problems.push([['tools'], `Please list at most ${MAX_TOOLS} tools, each of 1 to ${MAX_TOOL} characters`]);
  parts.forEach((part, index) => {
    if (isBlankPart(part)) return;
    const refuse = (field: keyof PartForm, message: string) =>
      problems.push([['parts', index, field], message]);
    const quantity = numberIn(part.quantity);
    const cost = numberIn(part.cost);
    const link = part.link.trim();
    if (part.component.trim() === '') refuse('component', 'Please name the part');
    if (quantity === null || !(quantity > 0 && quantity <= 10_000))
      refuse('quantity', 'Enter more than 0 and at most 10,000');
    if (cost !== null && !(cost <= 1_000_000)) refuse('cost', 'Enter a cost such as 12.50');
    if (link !== '' && !/^https?:\/\/[^\s/]+\S*$/.test(link))
      refuse('link', 'A link must begin with https:// or http://');
    else if (link !== '' && !safeLink(link))
      refuse('link', 'A link must not contain a user name or invisible characters');
  });
  if (parts.some(({ cost }) => cost.trim() !== '') && !currencies.includes(typed.currency))
    problems.push([['currency'], 'Please choose the currency of the costs']);
  steps.forEach((step, index) => {
    if (!isBlankStep(step) && step.instruction.trim() === '')
      problems.push([['steps', index, 'instruction'], 'Please say what is done in this step']);
  });
  return problems;
}

export const fabricationSchema = fields.check(({ value, issues }) => {
  for (const [path, message] of problemsOf(value))
    issues.push({ code: 'custom', path, message, input: value });
});

/** As a draft keeps it. */
export const draftFabricationSchema = fields;

/**
 * How a solution is made, as `submit_solution` takes it; null for nothing.
 *
 * @param fileOf the stored file of an upload; undefined for one that is not part of the submission
 */
export const fabricationRow = (typed: FabricationForm, fileOf: (uploadId: string) => string | undefined) =>
  isBlankFabrication(typed)
    ? null
    : {
        hours: numberIn(typed.hours),
        tools: toolsIn(typed.tools),
        currency: typed.currency,
        parts: typed.parts
          .filter((one) => !isBlankPart(one))
          .map((one) => ({
            component: one.component,
            maker: one.maker,
            part_number: one.partNumber,
            quantity: numberIn(one.quantity),
            cost: numberIn(one.cost),
            link: one.link,
          })),
        steps: typed.steps
          .filter((one) => !isBlankStep(one))
          .map(({ instruction, picture }) => ({ instruction, media_url: fileOf(picture) ?? null })),
      };

/** What the form shows for a change on how a stored solution is made; its pictures have the ids of the media. */
export const typedFabrication = (stored: Fabrication | null): FabricationForm =>
  stored
    ? {
        hours: stored.hours === null ? '' : String(stored.hours),
        tools: stored.tools.join('\n'),
        currency: stored.currency ?? '',
        parts: stored.parts.map((one) => ({
          component: one.component,
          maker: one.maker ?? '',
          partNumber: one.part_number ?? '',
          quantity: String(one.quantity),
          cost: one.cost === null ? '' : String(one.cost),
          link: one.link ?? '',
        })),
        steps: stored.steps.map(({ instruction, media_id }) => ({ instruction, picture: media_id ?? '' })),
      }
    : emptyFabrication;
