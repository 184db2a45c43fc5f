import { expect, it } from 'vitest';
import { offeredProviders } from './providers.ts';

const google = { id: 'google', name: 'Google', icon: null };
const custom = { id: 'custom:nhs', name: 'NHS Care Identity', icon: null };

it('offers what the sign-in service has enabled, as the settings name it', () => {
  const external = {
    email: true,
    phone: true,
    anonymous_users: false,
    google: true,
    github: true,
    apple: false,
  };
  expect(offeredProviders(external, [custom, google])).toEqual([
    // A hosted project does not list its custom providers.
    custom,
    google,
    { id: 'github', name: 'Github', icon: null },
  ]);
  expect(offeredProviders({ google: false }, [google])).toEqual([]);
});
