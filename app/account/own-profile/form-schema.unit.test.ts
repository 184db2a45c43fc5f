import { describe, expect, it } from 'vitest';
import { profileSchema } from './form-schema.ts';

const messages = (result: { success: boolean; error?: { issues: { message: string }[] } | undefined }) =>
  result.error?.issues.map(({ message }) => message) ?? [];

describe('profile', () => {
  const good = {
    username: 'maren.okafor',
    full_name: 'Maren Okafor',
    profession: '',
    workplace: '',
    location: '',
    bio: '',
    bio_language: '',
    interests: [],
    declared: true,
  };

  it('needs a username and a name alone', () => {
    expect(profileSchema.safeParse(good).success).toBe(true);
    expect(messages(profileSchema.safeParse({ ...good, username: '  ', full_name: '' }))).toContain(
      'Please enter a username',
    );
  });

  it('takes no email address for a name', () => {
    expect(messages(profileSchema.safeParse({ ...good, full_name: 'maren@clinic.example' }))).toEqual([
      'Please enter your actual name, not an email address',
    ]);
  });

  it.each(['ab', '-maren', 'maren okafor', 'm'.repeat(31)])('refuses the username %s', (username) => {
    expect(profileSchema.safeParse({ ...good, username }).success).toBe(false);
  });
});
