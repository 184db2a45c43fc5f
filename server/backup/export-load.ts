import { createReadStream, openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type pg from 'pg';
import { isLoopback } from '#backend/config-auth.ts';
import { BackupError } from './encryption.ts';
import { type ExportContents, type ExportedObject, exportedFile } from './export.ts';
import { connect } from './tables.ts';

/** A hosted Supabase project, and the site that is to run on it. */
export interface Project {
  url: string;
  anonKey: string;
  serviceRoleKey: string;
  /** Its owner's connection. */
  databaseUrl: string;
  /** The site's address, to which links in mails should lead. */
  siteUrl: string;
}

const withoutSession = { auth: { persistSession: false, autoRefreshToken: false } };

/**
 * Brings an export into a project: rows, unless they are there, and files, which replace those of the same name. So it
 * may be repeated when it was interrupted.
 *
 * @param progress receives each step in words
 * @throws BackupError when the project has other accounts, or refuses something
 */
export async function loadExport(
  folder: string,
  project: Project,
  progress: (step: string) => void,
): Promise<void> {
  const { rows } = await contentsOf(folder);
  await withDatabase(project, async (client) => {
    const { rows: found } = await client.query<{ accounts: string }>(
      'select count(*) as accounts from auth.users',
    );
    const accounts = Number(found[0]?.accounts);
    if (accounts > 0 && accounts === rows['auth.users']) return progress('The rows are there already.');
    try {
      await runStatements(client, join(folder, 'data.sql'));
    } catch (cause) {
      // Nothing is left of a transaction that failed.
      throw new BackupError(`The rows were refused: ${cause instanceof Error ? cause.message : cause}`);
    }
    progress('The rows are there.');
  });
  const service = createClient(project.url, project.serviceRoleKey, withoutSession);
  progress(`${await upload(folder, service)} files are there.`);
}

/**
 * Compares a project with an export: the rows of every table, every file by name and size, the bytes of one; and signs a
 * member in by a link, as mails carry it, and out again.
 *
 * @param progress receives each result in words
 * @throws BackupError naming the first difference
 */
export async function checkExport(
  folder: string,
  project: Project,
  progress: (step: string) => void,
): Promise<void> {
  const { rows, files } = await contentsOf(folder);
  await withDatabase(project, async (client) => {
    for (const [table, expected] of Object.entries(rows)) {
      const { rows: found } = await client.query<{ n: string }>(`select count(*) as n from ${table}`);
      if (Number(found[0]?.n) !== expected)
        throw new BackupError(`${table} has ${found[0]?.n} rows instead of ${expected}.`);
    }
    const all = Object.values(rows).reduce((sum, n) => sum + n, 0);
    progress(`${all} rows in ${Object.keys(rows).length} tables, as exported.`);

    const service = createClient(project.url, project.serviceRoleKey, withoutSession);
    await compareFiles(folder, client, service);
    progress(`${files} files, as exported.`);
    progress(await signOneIn(client, project, service));
  });
}

const contentsOf = async (folder: string): Promise<ExportContents> =>
  JSON.parse(await readFile(join(folder, 'contents.json'), 'utf8'));

async function exportedObjects(folder: string): Promise<ExportedObject[]> {
  const lines = (await readFile(join(folder, 'objects.jsonl'), 'utf8')).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

async function withDatabase<T>(project: Project, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const url = new URL(project.databaseUrl);
  // Encrypted, as the project's own tools connect: its certificate is of an authority that no system knows.
  if (!isLoopback(url) && !url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'no-verify');
  const client = await connect(url.href);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Runs an export's statements one by one, without holding them all. */
async function runStatements(client: pg.Client, path: string): Promise<void> {
  let rest = '';
  for await (const piece of createReadStream(path, 'utf8')) {
    rest += piece;
    // Only a line that ends a statement ends with a semicolon.
    const end = rest.lastIndexOf(';\n');
    if (end === -1) continue;
    for (const statement of rest.slice(0, end).split(';\n')) await client.query(statement);
    rest = rest.slice(end + 2);
  }
}

async function upload(folder: string, service: SupabaseClient): Promise<number> {
  const objects = await exportedObjects(folder);
  for (const { bucket, name, metadata } of objects) {
    const file = await openAsBlob(exportedFile(folder, bucket, name), { type: metadata.mimetype });
    const { error } = await service.storage.from(bucket).upload(name, file, {
      upsert: true,
      cacheControl: /max-age=(\d+)/.exec(metadata.cacheControl ?? '')?.[1],
    });
    if (error) throw new BackupError(`${bucket}/${name} could not be uploaded: ${error.message}`);
  }
  return objects.length;
}

async function compareFiles(folder: string, client: pg.Client, service: SupabaseClient): Promise<void> {
  const { rows } = await client.query<{ path: string; size: string }>(
    "select bucket_id || '/' || name as path, metadata ->> 'size' as size from storage.objects",
  );
  const stored = new Map(rows.map(({ path, size }) => [path, Number(size)]));
  const objects = await exportedObjects(folder);
  for (const { bucket, name, metadata } of objects) {
    const size = stored.get(`${bucket}/${name}`);
    if (size === undefined) throw new BackupError(`The file ${bucket}/${name} is missing.`);
    if (size !== metadata.size)
      throw new BackupError(`The file ${bucket}/${name} has ${size} bytes instead of ${metadata.size}.`);
  }
  const [one] = objects;
  if (!one) return;
  const { data, error } = await service.storage.from(one.bucket).download(one.name);
  if (error) throw new BackupError(`The file ${one.bucket}/${one.name} cannot be read: ${error.message}`);
  const bytes = await readFile(exportedFile(folder, one.bucket, one.name));
  if (!bytes.equals(Buffer.from(await data.arrayBuffer())))
    throw new BackupError(`The file ${one.bucket}/${one.name} has other bytes.`);
}

/** @returns what came of it, in words */
async function signOneIn(client: pg.Client, project: Project, service: SupabaseClient): Promise<string> {
  const { rows } = await client.query<{ id: string; email: string }>(
    `select id, email from auth.users where email_confirmed_at is not null and coalesce(banned_until <= now(), true)
       and not is_sso_user and deleted_at is null order by created_at limit 1`,
  );
  const [member] = rows;
  if (!member) return 'There is no member yet who could be signed in.';
  const failed = (what: string, error: { message: string } | null) =>
    new BackupError(`A member could not be signed in: ${what}${error ? `: ${error.message}` : ''}.`);
  const { data: link, error: noLink } = await service.auth.admin.generateLink({
    type: 'magiclink',
    email: member.email,
    options: { redirectTo: new URL('/auth', project.siteUrl).href },
  });
  if (noLink) throw failed('the project makes no link', noLink);
  const leadsTo = link.properties.redirect_to;
  if (URL.parse(leadsTo)?.origin !== new URL(project.siteUrl).origin)
    throw new BackupError(
      `Links in mails lead to ${leadsTo} instead of ${project.siteUrl}. Run "supabase config push" with SITE_URL set.`,
    );
  const visitor = createClient(project.url, project.anonKey, withoutSession);
  const { error: refused } = await visitor.auth.verifyOtp({
    type: 'magiclink',
    token_hash: link.properties.hashed_token,
  });
  if (refused) throw failed('the link is refused', refused);
  const { data, error } = await visitor.from('profiles').select('id').eq('id', member.id);
  await visitor.auth.signOut({ scope: 'local' });
  if (error || data.length !== 1) throw failed('their profile is not shown', error);
  return 'A member was signed in by a link, which leads to this site, and out again.';
}
