import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { freePort, run, start } from '../operation/site.ts';
import { launchBrowser } from './browser.ts';

export const PASSWORD = 'a long walk by the sea';

interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** A site of its own, started as an operator starts it, without demo content unless asked for, and a browser. */
export function openSite(options: { demo?: boolean; settings?: Record<string, string> } = {}) {
  let directory: string;
  let browser: Browser;
  let settings: Record<string, string>;
  let stop: () => Promise<unknown>;
  let output: () => string;
  let service: SupabaseClient;
  let keys: Record<string, string>;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'limb-commons-e2e-'));
    chmodSync(directory, 0o711);
    if (!options.demo) writeFileSync(join(directory, 'demo-content'), '');
    settings = { DATA_DIR: directory, PORT: await freePort(), ...options.settings };
    const site = await start(settings);
    output = site.output;
    stop = () => {
      site.process.kill('SIGTERM');
      return site.exited;
    };
    const status = run('status', settings);
    await status.exited;
    keys = Object.fromEntries(
      status
        .output()
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s)),
    );
    service = createClient(keys.API_URL ?? '', keys.SERVICE_ROLE_KEY ?? '', {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await stop?.();
    rmSync(directory, { recursive: true, force: true });
  });

  return {
    url: () => keys.API_URL ?? '',
    key: (name: 'ANON_KEY' | 'SERVICE_ROLE_KEY' | 'DB_URL') => keys[name] ?? '',
    service: () => service,
    /** What the server has written. */
    log: () => output(),
    /** A person's browser: nobody is signed in and nothing is stored. Errors of the page end the test. */
    async person(
      view: { width?: number; javaScriptEnabled?: boolean; colorScheme?: 'light' | 'dark' } = {},
    ): Promise<Page> {
      const context = await browser.newContext({
        baseURL: keys.API_URL ?? '',
        viewport: { width: view.width ?? 1280, height: 900 },
        javaScriptEnabled: view.javaScriptEnabled ?? true,
        colorScheme: view.colorScheme ?? 'light',
        reducedMotion: 'reduce',
      });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      page.on('pageerror', (error) => {
        throw error;
      });
      return page;
    },
    /** The newest mail to an address, from the captured mailbox. */
    async mailTo(address: string): Promise<Mail> {
      for (;;) {
        const mails: Mail[] = await (await fetch(`${keys.API_URL}/mail/messages.json`)).json();
        const mail = mails.find(({ to }) => to === address);
        if (mail) return mail;
      }
    },
    /** A member who has confirmed and completed everything, made behind the scenes. */
    async member(name: string, role?: 'moderator' | 'admin'): Promise<{ id: string; email: string }> {
      const email = `${name.toLowerCase()}@clinic.example`;
      const { data, error } = await service.auth.admin.createUser({
        email,
        password: PASSWORD,
        email_confirm: true,
        user_metadata: { declaration_version: '2026-11-01' },
      });
      if (error) throw error;
      await service
        .from('profiles')
        .update({ username: name.toLowerCase(), full_name: `${name} Test`, profession: 'Prosthetist' })
        .eq('id', data.user.id);
      if (role) await run('grant', settings, [email, role]).exited;
      return { id: data.user.id, email };
    },
  };
}

export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  if (!page.url().endsWith('/auth')) await page.goto('/auth');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Welcome back!').waitFor();
}

/** The questions that a moderator answers before they approve. */
export async function tickAll(page: Page): Promise<void> {
  for (const box of await page.getByRole('group', { name: 'Before approval' }).getByRole('checkbox').all())
    await box.check();
}
