import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import pg from 'pg';
import { startTestBackend, type TestBackend } from '../../backend.ts';

export const ADA = '11111111-1111-4111-8111-111111111111';
export const BEN = '22222222-2222-4222-8222-222222222222';

/** Buckets of every kind, and policies that give each member a separate folder. */
const SCHEMA = `
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('open', 'open', true, null, null),
  ('closed', 'closed', false, null, null),
  ('small', 'small', false, 1000, null),
  ('pictures', 'pictures', true, null, array['image/png', 'image/webp', 'video/*']);
create policy "Members read their folder" on storage.objects for select to authenticated
  using (bucket_id in ('open', 'closed', 'small', 'pictures') and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "Members write their folder" on storage.objects for insert to authenticated
  with check (bucket_id in ('open', 'closed', 'small', 'pictures') and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "Members change their folder" on storage.objects for update to authenticated
  using ((storage.foldername(name))[1] = (select auth.uid())::text)
  with check ((storage.foldername(name))[1] = (select auth.uid())::text);
create policy "Members clear their folder" on storage.objects for delete to authenticated
  using ((storage.foldername(name))[1] = (select auth.uid())::text);
create policy "Anybody drops into the box" on storage.objects for insert to anon
  with check (bucket_id = 'closed' and (storage.foldername(name))[1] = 'box');
`;

export interface StorageFixture {
  backend: TestBackend;
  anon: SupabaseClient;
  ada: SupabaseClient;
  ben: SupabaseClient;
  service: SupabaseClient;
  sql: pg.Client;
  /** A token of this person's. */
  token(id: string): Promise<string>;
  /** Sends a request with the service key. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Files on disk, finished or not. */
  files(): string[];
  stop(): Promise<void>;
}

export async function openStorage(environment: Record<string, string> = {}): Promise<StorageFixture> {
  const backend = await startTestBackend(environment);
  const sql = new pg.Client({ connectionString: backend.databaseUrl });
  await sql.connect();
  await sql.query(`set role postgres; ${SCHEMA}; reset role`);
  const { jwtSecret } = JSON.parse(readFileSync(join(backend.dataDir, 'secrets.json'), 'utf8')) as {
    jwtSecret: string;
  };
  const token = (sub: string) =>
    new SignJWT({ role: 'authenticated', sub })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(jwtSecret));
  const member = (sub: string) =>
    createClient(backend.url, backend.anonKey, { accessToken: () => token(sub) });
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  return {
    backend,
    sql,
    anon: createClient(backend.url, backend.anonKey, options),
    service: createClient(backend.url, backend.serviceRoleKey, options),
    ada: member(ADA),
    token,
    ben: member(BEN),
    send: (path, init = {}) =>
      fetch(`${backend.url}/storage/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${backend.serviceRoleKey}`, ...init.headers },
      }),
    files: () =>
      readdirSync(join(backend.dataDir, 'files'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name),
    async stop() {
      await sql.end();
      await backend.stop();
    },
  };
}
