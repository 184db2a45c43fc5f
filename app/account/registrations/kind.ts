import { IdCard } from 'lucide-react';
import type { Kind } from '#app/frame/kinds/kind.ts';

export const registration = {
  waiting: {
    kind: 'registration',
    name: 'Registration',
    icon: IdCard,
    section: ['registrations', 'Registrations'],
    count: (count) => (count === 1 ? '1 registration' : `${count} registrations`),
    oldest: 'the oldest registration',
    failed: 'Failed to load registrations',
    empty: 'No registrations to review',
    review: async () => (await import('./registration-review.tsx')).RegistrationReview,
  },
  acts: {
    registration_checked: 'Registration checked',
    registration_declined: 'Registration declined',
    register_added: 'Register added',
    register_changed: 'Register changed',
  },
} satisfies Kind;
