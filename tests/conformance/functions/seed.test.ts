// @module-tag whole

import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import { seedDemoData } from '../../../supabase/seed/seed.ts';
import { startTestBackend, type TestBackend } from '../../backend.ts';
import { demoRows } from '../../demo-rows.ts';
import { seededRandom } from '../../seeded-random.ts';
import { freshAddress, operator, PASSWORD, person, visitor } from '../auth/fixtures.ts';
import { ownBackend } from '../own-backend.ts';

const { backend, database } = await ownBackend();

describe('seed-demo-data', () => {
  const member = async (role?: 'moderator' | 'admin') => (await person(backend, database, role)).client;
  const statusFor = async (client: SupabaseClient) => {
    const { error } = await client.functions.invoke('seed-demo-data');
    return error ? error.context.status : 200;
  };
  const counts = async () => {
    const tables = [
      'profiles',
      'solutions',
      'solution_media',
      'comments',
      'likes',
      'forum_topics',
      'forum_posts',
      'resource_suggestions',
      'messages',
      'user_badges',
    ];
    return Promise.all(
      tables.map(async (table) => [
        table,
        (await operator(backend).from(table).select('*', { count: 'exact', head: true })).count,
      ]),
    );
  };

  it('is closed to visitors, members and moderators', async () => {
    expect(await statusFor(visitor(backend))).toBe(403);
    expect(await statusFor(await member())).toBe(403);
    expect(await statusFor(await member('moderator'))).toBe(403);
    expect(Object.fromEntries(await counts())).toMatchObject({ solutions: 0 });
  });

  it('is closed to an admin whose second step has not been taken', async () => {
    const admin = await member('admin');
    const { data } = await admin.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
    await database.query(`update auth.mfa_factors set status = 'verified' where id = $1`, [data?.id]);
    expect(await statusFor(admin)).toBe(403);
    expect(Object.fromEntries(await counts())).toMatchObject({ solutions: 0 });
  });

  it('adds everything once for an admin, however often it is asked', async () => {
    const admin = await member('admin');
    expect((await admin.functions.invoke('seed-demo-data')).data).toEqual({ solutions: 27 });
    const first = await counts();
    expect(Object.fromEntries(first)).toMatchObject({
      solutions: 27,
      forum_topics: 9,
      resource_suggestions: 3,
    });
    expect((await admin.functions.invoke('seed-demo-data')).data).toEqual({ solutions: 0 });
    expect(await counts()).toEqual(first);
  });
});

describe('demo content that is cut off', () => {
  /** Adds it until so many requests were made. @returns how many were made */
  const addUntil = async (backend: TestBackend, requests: number) => {
    let made = 0;
    const client = createClient(backend.url, backend.serviceRoleKey, {
      auth: { persistSession: false },
      global: {
        fetch: async (...request) => {
          if (made >= requests) throw new Error('cut off');
          made++;
          return fetch(...request);
        },
      },
    });
    await seedDemoData(client).catch((error: Error) => {
      if (made < requests) throw error;
    });
    return made;
  };

  it('is whole after the next start, wherever that was', async () => {
    const whole = await startTestBackend();
    const requests = await addUntil(whole, Number.POSITIVE_INFINITY);
    const expected = await demoRows(whole.databaseUrl);
    expect(await addUntil(whole, Number.POSITIVE_INFINITY)).toBeLessThan(requests / 2);
    expect(await demoRows(whole.databaseUrl)).toEqual(expected);
    await whole.stop();
    const random = seededRandom('demo');
    const backend = await startTestBackend();
    // What is there already takes few requests, so that each gets further than the one before, by and large.
    for (let time = 0; time < 8; time++) await addUntil(backend, random(Math.floor(requests / 3)) + 1);
    await addUntil(backend, Number.POSITIVE_INFINITY);
    const found = await demoRows(backend.databaseUrl);
    for (const [name, value] of Object.entries(expected)) expect([name, found[name]]).toEqual([name, value]);
    await backend.stop();
  });
});

describe('in production', () => {
  it('there is no demo content to be had, even for an admin', async () => {
    const backend = await startTestBackend({ NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1:9' });
    try {
      const email = freshAddress();
      const { data } = await operator(backend).auth.admin.createUser({
        email,
        password: PASSWORD,
        email_confirm: true,
      });
      await operator(backend).from('user_roles').insert({ user_id: data.user?.id, role: 'admin' });
      const admin = visitor(backend);
      await admin.auth.signInWithPassword({ email, password: PASSWORD });
      const { error } = await admin.functions.invoke('seed-demo-data');
      expect(error.context.status).toBe(404);
    } finally {
      await backend.stop();
    }
  });
});
