import { describe, expect, it } from 'vitest';
import { forgottenSchema, newPasswordSchema, signUpSchema } from './form-schema.ts';

const messages = (result: { success: boolean; error?: { issues: { message: string }[] } | undefined }) =>
  result.error?.issues.map(({ message }) => message) ?? [];

describe('sign-up', () => {
  const good = { email: ' maren@clinic.example ', password: '123456', declared: true };

  it('takes six characters and trims the address', () => {
    expect(signUpSchema.parse(good).email).toBe('maren@clinic.example');
  });

  it.each([
    [{ ...good, email: '' }, 'Please enter your email'],
    [{ ...good, email: 'maren' }, 'Please enter a valid email'],
    [{ ...good, password: '12345' }, 'Password must be at least 6 characters'],
    [{ ...good, declared: false }, 'Please confirm that you are 18 or over and a healthcare professional'],
  ])('refuses %j', (form, message) => {
    expect(messages(signUpSchema.safeParse(form))).toEqual([message]);
  });

  it('asks for the new password twice', () => {
    expect(messages(newPasswordSchema.safeParse({ password: 'abcdef', repeated: 'abcdeg' }))).toEqual([
      'The passwords do not match',
    ]);
  });

  it.each([
    [' anna@clinic.example ', 'anna@clinic.example'],
    ['anna@müller.example', 'anna@xn--mller-kva.example'],
    ['anna@例え.テスト', 'anna@xn--r8jz45g.xn--zckzah'],
  ])('takes the address %s as %s', (typed, stored) => {
    expect(forgottenSchema.parse({ email: typed })).toEqual({ email: stored });
  });

  it('says clearly which addresses cannot get email', () => {
    expect(forgottenSchema.safeParse({ email: 'änna@clinic.example' }).error?.issues[0]?.message).toContain(
      'before the @',
    );
    expect(forgottenSchema.safeParse({ email: 'anna@' }).error?.issues[0]?.message).toBe(
      'Please enter a valid email',
    );
  });
});
