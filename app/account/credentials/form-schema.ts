import { z } from '#app/zod.ts';
import { MIN_PASSWORD_LENGTH } from './rules.ts';

/** The library's own pattern, and top-level domains of other scripts. */
const EMAIL = /^(?!\.)(?!.*\.\.)[\w'+.-]*[\w+-]@(?:[a-z\d][a-z\d-]*\.)+(?:[a-z]{2,}|xn--[a-z\d-]+)$/i;

/** An address with its domain as mail servers know it: "anna@müller.example" is "anna@xn--mller-kva.example". */
function toAscii(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (at < 1 || /^[\x20-\x7e]*$/.test(domain)) return address;
  try {
    return `${address.slice(0, at)}@${new URL(`https://${domain}`).hostname}`;
  } catch {
    return address;
  }
}

const typedEmail = z.string().check(
  z.trim(),
  z.minLength(1, 'Please enter your email'),
  z.refine(
    (address) => /^[\x20-\x7e]*$/.test(address.slice(0, Math.max(0, address.lastIndexOf('@')))),
    'We can’t send email to addresses with accents or non-Latin letters before the @. Please use another address.',
  ),
);
const email = z.pipe(
  z.pipe(typedEmail, z.transform(toAscii)),
  z.email({ pattern: EMAIL, error: 'Please enter a valid email' }),
);
const password = z
  .string()
  .check(z.minLength(MIN_PASSWORD_LENGTH, `Password must be at least ${MIN_PASSWORD_LENGTH} characters`));

export const declarationSchema = z
  .boolean()
  .check(
    z.refine((accepted) => accepted, 'Please confirm that you are 18 or over and a healthcare professional'),
  );

export const signInSchema = z.object({
  email,
  password: z.string().check(z.minLength(1, 'Please enter your password')),
});

export const signUpSchema = z.object({
  email,
  password,
  declared: declarationSchema,
});

export const forgottenSchema = z.object({ email });

export const newPasswordSchema = z.object({ password, repeated: z.string() }).check(
  z.refine((form) => form.password === form.repeated, {
    path: ['repeated'],
    message: 'The passwords do not match',
  }),
);

export const changedPasswordSchema = z.object({
  current: z.string().check(z.minLength(1, 'Please enter your current password')),
  password,
});
