import { z } from '#app/zod.ts';
import { type CategoryName, categories } from './categories.ts';

const MAX_NAME_LENGTH = 200;
const MAX_URL_LENGTH = 500;
const MIN_DESCRIPTION_LENGTH = 10;
export const MAX_DESCRIPTION_LENGTH = 1000;

/** The database's rule: http or https, a host with a dot, no user name before it. */
const address =
  /^https?:\/\/[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.[a-z][a-z0-9-]*[a-z0-9](:[0-9]{1,5})?([/?#][^\s<>"]*)?$/i;

/** A suggestion with the specification's messages, in the order of the form: the first is shown in the toast. */
export const suggestionSchema = z.object({
  resource_name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Resource name is required'),
      z.maxLength(MAX_NAME_LENGTH, `Name must be less than ${MAX_NAME_LENGTH} characters`),
    ),
  resource_url: z
    .string()
    .check(
      z.trim(),
      z.regex(address, 'Please enter a valid URL'),
      z.maxLength(MAX_URL_LENGTH, `URL must be less than ${MAX_URL_LENGTH} characters`),
    ),
  description: z
    .string()
    .check(
      z.trim(),
      z.minLength(
        MIN_DESCRIPTION_LENGTH,
        `Description must be at least ${MIN_DESCRIPTION_LENGTH} characters`,
      ),
      z.maxLength(
        MAX_DESCRIPTION_LENGTH,
        `Description must be less than ${MAX_DESCRIPTION_LENGTH} characters`,
      ),
    ),
  category: z.custom<CategoryName>(
    (value) => categories.some(({ name }) => name === value),
    'Please select a category',
  ),
});

export type Suggestion = z.infer<typeof suggestionSchema>;
