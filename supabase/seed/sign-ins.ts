/** Password of every demo account; printed at start so that an evaluator can sign in. */
export const DEMO_PASSWORD = 'limb-commons-demo';

/** The accounts shown at start: one of each role. */
export const DEMO_SIGN_INS = {
  member: 'member@example.org',
  moderator: 'moderator@example.org',
  admin: 'admin@example.org',
};
