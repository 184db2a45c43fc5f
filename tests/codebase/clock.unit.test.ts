import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/**
 * Places that mean the time of day, because the time they compare with comes from elsewhere: a token, a row,
 * a file, a person.
 */
const TIME_OF_DAY: Record<string, string> = {
  'backend/auth/admin/users.ts': 'until when someone is banned',
  'backend/auth/mfa/challenge.ts': 'when a challenge ends, as the client is told',
  'backend/auth/mfa/verify.ts': 'the time that a code of an authenticator is made of',
  'backend/auth/saml/assertion.ts': 'when an assertion ends, as its maker says',
  'backend/auth/sessions/sessions.ts': 'when a token was issued',
  'backend/auth/web3/token.ts': 'when a message was signed, as it says',
  'backend/auth/email/user.ts': 'how old a session’s row is',
  'server/backup/continuous/archiving.ts': 'until when everything is archived',
  'server/backup/schedule.ts': 'how old the last backup is, perhaps of another process',
  'server/backup/retention.ts': 'how old a file is',
  'backend/revoked-sessions.ts': 'when a session ended, as its row says',
  'backend/crypto/tokens.ts': 'when a token ends, as it says',
  'server/health/metrics.ts': 'how old the last backup is',
  'server/health/uptime.ts': 'which minute it is',
  'backend/realtime/channel.ts': 'when a token ends, as it says',
  'backend/rest/token.ts': 'when a token was issued, as it says',
  'backend/crypto/secrets.ts': 'when a key was made, as a file says',
  'backend/storage/files.ts': 'how old a file is',
  'backend/storage/download.ts': 'when an address ends, as its token says',
  'backend/storage/signing.ts': 'when a token ends',
  'media/workers.ts': 'how old a file is',
  'supabase/functions/process-avatar-upload/index.ts': 'a name',
};

it('a span of time is measured by the clock that is never set', () => {
  const used = globSync(['{backend,server,media,supabase/functions}/**/*.ts'], {
    cwd: root,
  })
    .filter((path) => !path.endsWith('.test.ts'))
    .filter((path) => /\bDate\.now\(\)/.test(readFileSync(join(root, path), 'utf8')));
  expect(used.toSorted()).toEqual(Object.keys(TIME_OF_DAY).toSorted());
});
