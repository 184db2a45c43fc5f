import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { freePort, type Run, run, start } from './site.ts';

const ours = resolve(import.meta.dirname, '../../supabase');
const directory = temporaryFolder('workdir');
let site: Run;
let settings: Record<string, string>;

/** A folder for other tests against the services; see docs/protocol.md. */
beforeAll(async () => {
  const supabase = join(directory, 'supabase');
  mkdirSync(join(supabase, 'functions/greet'), { recursive: true });
  mkdirSync(join(supabase, 'migrations'));
  cpSync(join(ours, 'templates'), join(supabase, 'templates'), { recursive: true });
  writeFileSync(
    join(supabase, 'config.toml'),
    readFileSync(join(ours, 'config.toml'), 'utf8')
      .replace('schemas = ["public"]', 'schemas = ["public", "personal"]')
      .replace('enable_confirmations = true', 'enable_confirmations = false')
      .replace('enable_anonymous_sign_ins = false', 'enable_anonymous_sign_ins = true')
      // A function of our migrations.
      .replace('before_user_created]\nenabled = true', 'before_user_created]\nenabled = false')
      .replace(/sign_in_sign_ups = \d+/, 'sign_in_sign_ups = 100000'),
  );
  writeFileSync(
    join(supabase, 'migrations/20260101000000_things.sql'),
    `create table public.things (id int primary key, name text);
     grant select, insert on public.things to anon, authenticated;
     create schema personal; grant usage on schema personal to anon, authenticated;
     create table personal.things (id int primary key); grant select on personal.things to anon, authenticated;
     alter publication supabase_realtime add table public.things;
     create policy "Members may listen" on realtime.messages for select to authenticated
       using (realtime.topic() = 'room' and extension = 'broadcast');
     create policy "Members may speak" on realtime.messages for insert to authenticated with check (extension = 'broadcast');
     alter role authenticator set pgrst.db_tx_end = 'commit-allow-override';
     alter role anon set statement_timeout = '5s';`,
  );
  writeFileSync(
    join(supabase, 'functions/greet/index.ts'),
    'export default async (request: Request) => Response.json({ hello: await request.text() });\n',
  );
  settings = {
    DATA_DIR: join(directory, 'data'),
    PORT: await freePort(),
    SUPABASE_WORKDIR: directory,
    JWT_SECRET: 'a secret that other tests know as well',
  };
  site = await start(settings);
});

afterAll(async () => {
  site.process.kill('SIGINT');
  await site.exited;
});

describe('a folder of someone else', () => {
  it('brings its own settings, tables and functions, and no content of ours', async () => {
    const status = run('status', settings);
    await status.exited;
    const values = Object.fromEntries(
      status
        .output()
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s, 2)),
    );
    expect(Object.keys(values)).toEqual(
      expect.arrayContaining(['API_URL', 'ANON_KEY', 'SERVICE_ROLE_KEY', 'JWT_SECRET', 'DB_URL', 'MAIL_URL']),
    );
    expect(values.JWT_SECRET).toBe(settings.JWT_SECRET);

    const client = createClient(values.API_URL, values.ANON_KEY, { auth: { persistSession: false } });
    const signedUp = await client.auth.signUp({
      email: 'somebody@example.org',
      password: 'a long enough one',
    });
    expect(signedUp.data.session?.access_token).toBeTruthy();
    expect((await client.auth.getClaims()).data?.claims.email).toBe('somebody@example.org');
    // What is not served stops no start, and is refused where it is used.
    const anonymous = await createClient(values.API_URL, values.ANON_KEY, {
      auth: { persistSession: false },
    }).auth.signInAnonymously();
    expect(anonymous.error).toMatchObject({ status: 422, code: 'anonymous_provider_disabled' });
    expect(site.output()).toContain('auth.enable_anonymous_sign_ins');
    expect((await client.schema('personal').from('things').select()).data).toEqual([]);
    expect((await client.functions.invoke('greet', { body: 'you' })).data).toEqual({ hello: 'you' });
    expect((await client.from('solutions').select()).error?.code).toBe('PGRST205');

    // As the setting that a migration gave to the role says.
    const tried = await client.from('things').insert({ id: 7 }).select().rollback().single();
    expect(tried.data).toEqual({ id: 7, name: null });
    expect((await client.from('things').select()).data).toEqual([]);

    const insertedRow = new Promise((resolve, reject) => {
      client
        .channel('things', { config: { postgres_changes_options: { wait: true } } })
        .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'things' }, ({ new: row }) =>
          resolve(row),
        )
        .subscribe((state) => {
          if (state === 'SUBSCRIBED')
            client.from('things').insert({ id: 1, name: 'first' }).throwOnError().then(undefined, reject);
        });
    });
    expect(await insertedRow).toEqual({ id: 1, name: 'first' });
    // Broadcast is not served, whatever policies there are for it.
    const refused = await new Promise((resolve) => {
      client
        .channel('room', { config: { private: true } })
        .subscribe((state, error) => state === 'CHANNEL_ERROR' && resolve(error?.message));
    });
    expect(refused).toContain('You do not have permissions to read from this Channel topic: room');
    await client.realtime.disconnect();

    // Without any key, as the local stack of Supabase allows.
    const keyless = await fetch(`${values.API_URL}/rest/v1/things?select=name`);
    expect(await keyless.json()).toEqual([{ name: 'first' }]);
  });
});
