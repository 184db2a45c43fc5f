import { declarationSchema } from '#app/account/credentials/form-schema.ts';
import { z } from '#app/zod.ts';
import { invalidName, looksLikeEmail } from './rules.ts';

const optional = (most: number, tooLong: string) => z.string().check(z.trim(), z.maxLength(most, tooLong));

export const profileSchema = z.object({
  username: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Please enter a username'),
      z.regex(
        /^[A-Za-z0-9][A-Za-z0-9._-]{1,28}[A-Za-z0-9]$/,
        'Use 3–30 letters, numbers, full stops, hyphens or underscores',
      ),
    ),
  full_name: z.string().check(
    z.trim(),
    z.minLength(1, 'Please enter your full name'),
    z.maxLength(120, 'Full name must be 1 to 120 characters'),
    z.refine((name) => !looksLikeEmail(name), invalidName.text),
  ),
  profession: optional(120, 'Profession must be at most 120 characters'),
  workplace: optional(160, 'Workplace must be at most 160 characters'),
  location: optional(120, 'Location must be at most 120 characters'),
  bio: optional(2000, 'Bio must be at most 2000 characters'),
  bio_language: z.string(),
  interests: z.array(z.string()),
  declared: declarationSchema,
});

export type ProfileForm = z.infer<typeof profileSchema>;
