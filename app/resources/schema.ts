import { z } from '#app/zod.ts';
import { type CategoryName, categories } from './categories.ts';

const longestName = 200;
const longestUrl = 500;
const shortestDescription = 10;
export const longestDescription = 1000;

/** As the database has it: http or https, a host with a dot, no user name before it. */
const address =
  /^https?:\/\/[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.[a-z][a-z0-9-]*[a-z0-9](:[0-9]{1,5})?([/?#][^\s<>"]*)?$/i;

/** A suggestion with the specification's messages, in the order of the form: the first is shown in the toast. */
export const suggestionSchema = z.object({
  resource_name: z
    .string()
    .trim()
    .min(1, 'Resource name is required')
    .max(longestName, `Name must be less than ${longestName} characters`),
  resource_url: z
    .string()
    .trim()
    .regex(address, 'Please enter a valid URL')
    .max(longestUrl, `URL must be less than ${longestUrl} characters`),
  description: z
    .string()
    .trim()
    .min(shortestDescription, `Description must be at least ${shortestDescription} characters`)
    .max(longestDescription, `Description must be less than ${longestDescription} characters`),
  category: z.custom<CategoryName>(
    (value) => categories.some(({ name }) => name === value),
    'Please select a category',
  ),
});

export type Suggestion = z.infer<typeof suggestionSchema>;
