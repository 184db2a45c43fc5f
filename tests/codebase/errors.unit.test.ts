import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { functionMessage, messageOf } from '../../app/errors.ts';
import { z } from '../../app/zod.ts';

const FALLBACK = 'Failed to save';
const shown = (error: unknown) => messageOf(error, FALLBACK);

/** The client library over a server that answers everything with one response, or cannot be reached. */
const clientOf = (answer: () => Promise<Response>) =>
  createClient('http://site.example', 'key', {
    global: { fetch: answer },
    auth: { persistSession: false, autoRefreshToken: false },
  });

const badGateway = () =>
  Promise.resolve(
    new Response('<html><body>bad gateway</body></html>', {
      status: 502,
      headers: { 'content-type': 'text/html' },
    }),
  );

async function errorsOf(answer: () => Promise<Response>) {
  const db = clientOf(answer);
  const file = db.storage.from('solution-media');
  return {
    table: (await db.from('comments').insert({})).error,
    auth: (await db.auth.signInWithPassword({ email: 'a@example.org', password: 'x' })).error,
    storage: (await file.remove(['a'])).error,
    function: (await db.functions.invoke('seed-demo-data')).error,
  };
}

test('a lost connection is named as one, whichever service was asked', async () => {
  const errors = await errorsOf(() => Promise.reject(new TypeError('Failed to fetch')));
  for (const [service, error] of Object.entries(errors)) {
    expect(error, service).not.toBeNull();
    expect(await functionMessage(error, FALLBACK), service).toMatch(/^The site can’t be reached/);
  }
});

test("a proxy's page in the place of an answer is never shown", async () => {
  for (const [service, error] of Object.entries(await errorsOf(badGateway)))
    expect(await functionMessage(error, FALLBACK), service).toMatch(/^The site is busy/);
});

test('the rule in the name of a constraint is shown', () => {
  const message =
    'new row for relation "comments" violates check constraint "Comment must be at most 2000 characters"';
  expect(shown({ code: '23514', message })).toBe('Comment must be at most 2000 characters');
  const ofAReference =
    'insert or update on table "member_registrations" violates foreign key constraint "Please choose a register from the list"';
  expect(shown({ code: '23503', message: ofAReference })).toBe('Please choose a register from the list');
  expect(shown({ code: '23503', message: 'violates foreign key constraint "comments_user_id_fkey"' })).toBe(
    FALLBACK,
  );
});

test.each([
  ['PT429', 'You can post again in 2 minutes'],
  ['42501', 'This member does not accept messages'],
  ['23514', 'Choose at least one picture'],
  ['', 'This username is already taken'],
])('a sentence written for the reader is shown (%s)', (code, message) => {
  expect(shown({ code, message })).toBe(message);
});

test.each([
  ['42501', 'permission denied for function decide_solution', 'You don’t have permission to do this.'],
  [
    '42501',
    'new row violates row-level security policy for table "posts"',
    'You don’t have permission to do this.',
  ],
  ['PGRST303', 'JWT expired', 'Your session has ended. Please sign in again.'],
  ['PGRST301', 'JWT claims are not valid', 'Your session has ended. Please sign in again.'],
  ['23505', 'duplicate key value violates unique constraint "profiles_username_key"', FALLBACK],
  ['22P02', 'invalid input syntax for type uuid: "x"', FALLBACK],
  ['PGRST204', "Could not find the 'x' column of 'y' in the schema cache", FALLBACK],
  ['invalid_credentials', 'Invalid login credentials', 'The email or password is incorrect.'],
  ['unexpected_failure', 'Database error saving new user', FALLBACK],
])('a technical text is not (%s: %s)', (code, message, expected) => {
  expect(shown({ code, message })).toBe(expected);
});

test('an error of the code itself is not shown either', () => {
  expect(shown(new TypeError("Cannot read properties of undefined (reading 'id')"))).toBe(FALLBACK);
  expect(shown(new DOMException('The quota has been exceeded.', 'QuotaExceededError'))).toBe(FALLBACK);
  expect(shown(z.safeParse(z.string(), 1).error)).toBe(FALLBACK);
});

test('a fault can be found by its request', () => {
  const fault = { code: 'unexpected_failure', message: 'Internal Server Error', request_id: 'r-1' };
  expect(messageOf(fault, '')).toBe('If you contact us, quote r-1.');
});
