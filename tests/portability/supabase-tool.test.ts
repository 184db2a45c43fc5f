// @module-tag whole

import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startEmptyCluster } from '../cluster.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { CATALOGUE, catalogueOf } from './catalogue.ts';
import { makeEmptyProject } from './cluster.ts';
import { startManagementApi } from './management-api.ts';
import { installTool, runTool } from './supabase-tool.ts';

const home = temporaryFolder('tool');
// The tool keeps notes beside what it reads.
const workdir = join(home, 'site');
cpSync(resolve(import.meta.dirname, '../../supabase'), join(workdir, 'supabase'), { recursive: true });
const api = await startManagementApi();
const at = { api: api.url, home, workdir };
let program: string;

beforeAll(async () => {
  program = await installTool();
});
afterAll(() => api.close());

test('the official tool applies the migrations to an empty project, which is then the same as our own database', async () => {
  const cluster = await startEmptyCluster();
  try {
    const owner = await makeEmptyProject(cluster.url, cluster.password);
    await runTool(program, at, ['db', 'push', `--remote=${owner}`]);
    for (const sql of Object.values(CATALOGUE))
      expect(await catalogueOf(cluster.url, sql)).toEqual(await catalogueOf(inject('siteUrl') ?? '', sql));
    const applied = await catalogueOf(
      cluster.url,
      'select version as name from supabase_migrations.schema_migrations',
    );
    expect(Object.keys(applied)).toHaveLength(readdirSync(join(workdir, 'supabase/migrations')).length);
  } finally {
    await cluster.stop();
  }
});

test('the official tool takes over the settings without a complaint, and the address of the site with them', async () => {
  const said = await runTool(program, at, ['config', 'push'], { SITE_URL: 'https://limbs.example.org' });
  expect(said).not.toMatch(/warn|deprecated|not recognize|could not be encoded/i);
  expect(api.auth).toMatchObject({
    site_url: 'https://limbs.example.org',
    disable_signup: false,
    external_email_enabled: true,
    external_phone_enabled: false,
    mailer_autoconfirm: false,
    mailer_secure_email_change_enabled: true,
    // What the operator has set up there stays.
    smtp_host: 'smtp.example.org',
    smtp_pass: 'a digest',
  });
  const template = (name: string) => readFileSync(join(workdir, `supabase/templates/${name}.html`), 'utf8');
  for (const [setting, name] of [
    ['mailer_templates_confirmation_content', 'confirmation'],
    ['mailer_templates_recovery_content', 'recovery'],
    ['mailer_templates_password_changed_notification_content', 'password_changed_notification'],
  ] as const)
    expect(api.auth[setting]).toBe(template(name));
});

test('the official tool deploys no function, since the site serves them itself', async () => {
  const before = api.changes.length;
  const said = await runTool(program, at, ['functions', 'deploy', '--use-api']);
  for (const { name } of readdirSync(join(workdir, 'supabase/functions'), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory(),
  ))
    expect(said).toContain(`Skipping disabled Function: ${name}`);
  expect(api.changes).toHaveLength(before);
});
