import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { rowsIn, writeEvidence } from '../runner/evidence.ts';
import { shareSolution } from '../solution.ts';
import { TIMEOUT_MS } from '../timeouts.ts';
import { openBrowser } from './browser.ts';
import { type Instance, openOwnSite, openSharedSite } from './shared-site.ts';

export const PASSWORD = 'a long walk by the sea';
/** Its bcrypt hash at the lowest cost, since most tests sign in without being about it. */
const PASSWORD_HASH = '$2b$04$Rttrt/YOKElrTFP5HEieme8/aSG/B2ydNypM2mjNLap1WAghBIZMe';

interface Mail {
  to: string;
  subject: string;
  html: string;
  text: string;
}

interface View {
  width?: number;
  /** Device pixels to one CSS pixel. */
  density?: number;
  javaScriptEnabled?: boolean;
  colorScheme?: 'light' | 'dark';
  /** Blocked by default: the requests of a service worker cannot be intercepted. */
  serviceWorkers?: 'allow' | 'block';
}

type Role = 'moderator' | 'admin';
type Row = Record<string, unknown>;
/** Its columns are what the test has asked for. */
// biome-ignore lint/suspicious/noExplicitAny: a row is compared with what the test expects of it
type AnyRow = any;

/** Resolves once the page receives changes in a channel, so that none is made before. */
export const hearing = (page: Page, channel: string) =>
  page.waitForEvent('websocket').then(
    (socket) =>
      new Promise<void>((resolve) => {
        socket.on('framereceived', ({ payload }) => {
          const text = payload.toString();
          if (text.includes(`realtime:${channel}`) && text.includes('Subscribed to PostgreSQL')) resolve();
        });
      }),
  );

/** The addresses that a page has asked for without an answer so far. */
const pending = new WeakMap<Page, Set<string>>();

/**
 * A site as it is after its first start, without demo content by default, and a browser. It is the one of this
 * process, unless the file names settings of its own: what earlier files did on it is undone.
 */
export function openSite(
  options: { demo?: boolean; settings?: Record<string, string>; folder?: string } = {},
) {
  let browser: Browser;
  let instance: Instance;
  let stop: (() => Promise<unknown>) | undefined;
  let replace: (folder: string) => Promise<void>;
  let output: () => string;
  let service: SupabaseClient;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    const { demo = false, settings, folder } = options;
    const site = await (settings ? openOwnSite(demo, settings, folder) : openSharedSite(demo));
    const earlier = site.output().length;
    output = () => site.output().slice(earlier);
    instance = site.instance;
    service = createClient(instance.apiUrl, instance.serviceRoleKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    if (settings) stop = site.stop;
    replace = site.replace;
    browser = await openBrowser();
  });
  // Every page that is still open receives each change and sends requests for it.
  let lasting = 0;
  beforeEach(() => {
    lasting = contexts.length;
  });
  afterEach(async ({ task }) => {
    const pages = contexts.flatMap((context) => context.pages());
    // The message is what a log keeps of a run whose folder of evidence is gone.
    for (const error of task.result?.errors ?? [])
      error.message += (await Promise.all(pages.map(summaryOf))).join('');
    await writeEvidence(task, evidence);
    for (const context of contexts.splice(lasting)) await context.close();
  });
  afterAll(async () => {
    for (const context of contexts.splice(0)) await context.close();
    await stop?.();
  });

  async function evidence() {
    const seen: Record<string, string | Buffer> = {
      'site.log': output(),
      ...(await rowsIn(instance.databaseUrl)),
    };
    const pages = contexts.flatMap((context) => context.pages());
    for (const [number, page] of pages.entries()) {
      seen[`page-${number}.png`] = await page.screenshot({ timeout: TIMEOUT_MS });
      seen[`page-${number}.html`] = `<!-- ${page.url()} -->\n${await page.content()}`;
    }
    return seen;
  }

  /** A person's browser without a session or stored data. Errors of the page end the test. */
  async function person(view: View = {}): Promise<Page> {
    const context = await browser.newContext({
      baseURL: instance.apiUrl,
      viewport: { width: view.width ?? 1280, height: 900 },
      deviceScaleFactor: view.density ?? 1,
      javaScriptEnabled: view.javaScriptEnabled ?? true,
      colorScheme: view.colorScheme ?? 'light',
      reducedMotion: 'reduce',
      serviceWorkers: view.serviceWorkers ?? 'block',
    });
    contexts.push(context);
    const page = await context.newPage();
    const unanswered = new Set<string>();
    pending.set(page, unanswered);
    page.on('request', (request) => unanswered.add(request.url()));
    page.on('requestfinished', (request) => unanswered.delete(request.url()));
    page.on('requestfailed', (request) => unanswered.delete(request.url()));
    page.on('pageerror', (error) => {
      throw error;
    });
    return page;
  }

  const rows = (table: string, columns: string, match: Row = {}) =>
    service.from(table).select(columns).match(match).throwOnError();

  /** A member who has confirmed and completed everything, created without the interface. */
  async function member(name: string, role?: Role): Promise<{ id: string; email: string }> {
    const email = `${name.toLowerCase()}@clinic.example`;
    const { data, error } = await service.auth.admin.createUser({
      email,
      password_hash: PASSWORD_HASH,
      email_confirm: true,
      user_metadata: { declaration_version: '2026-11-01' },
    });
    if (error) throw error;
    const { id } = data.user;
    await service
      .from('profiles')
      .update({ username: name.toLowerCase(), full_name: `${name} Test`, profession: 'Prosthetist' })
      .eq('id', id)
      .throwOnError();
    if (role) await service.from('user_roles').insert({ user_id: id, role }).throwOnError();
    return { id, email };
  }

  /** A page of a visitor, or of the user with this address. */
  async function visit(path: string, { as, ...view }: View & { as?: string } = {}): Promise<Page> {
    const page = await person(view);
    if (as) await signIn(page, as);
    await page.goto(path);
    return page;
  }

  return {
    url: () => instance.apiUrl,
    instance: () => instance,
    service: () => service,
    /** Ends the site, which is this file's own, and starts what is in another folder in its place. */
    replace: (folder: string) => replace(folder),
    /** The server's output since the file began. */
    log: () => output(),
    person,
    /** The browser of a signed-in user. */
    async signedIn(email: string, view?: View): Promise<Page> {
      const page = await person(view);
      await signIn(page, email);
      return page;
    },
    /** The newest email to an address, from the captured mailbox. */
    mailTo(address: string): Promise<Mail> {
      return vi.waitUntil(async () => {
        const mails: Mail[] = await (await fetch(`${instance.apiUrl}/mail/messages.json`)).json();
        return mails.find(({ to }) => to === address);
      }, TIMEOUT_MS);
    },
    member,
    visit,
    /** The official client with a session of this member. */
    async client(email: string): Promise<SupabaseClient> {
      const client = createClient(instance.apiUrl, instance.anonKey, {
        auth: { persistSession: false, autoRefreshToken: false },
      });
      const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
      if (error) throw error;
      return client;
    },
    /** A solution that is public; returns its id. */
    publish: (user_id: string, title: string, changes?: Row): Promise<string> =>
      shareSolution(service, { user_id, title, status: 'approved', ...changes }),
    /** A new member with their browser, at a page when one is named. */
    async joins(name: string, { role, at, ...view }: View & { role?: Role; at?: string } = {}) {
      const { id, email } = await member(name, role);
      const page = await person(view);
      await signIn(page, email);
      if (at) await page.goto(at);
      return { id, email, page };
    },
    /** The rows that are so, as the service key reads them. */
    rows: async (table: string, columns: string, match?: Row): Promise<AnyRow[]> =>
      (await rows(table, columns, match)).data ?? [],
    /** The one row that is so. */
    row: async (table: string, columns: string, match?: Row): Promise<AnyRow> =>
      (await rows(table, columns, match).single()).data,
    /** One row or several, inserted without the interface; returns the id of the first where the table has one. */
    async insert(table: string, rows: Row | Row[]): Promise<string> {
      const { data } = await service.from(table).insert(rows).select().throwOnError();
      return String(data[0].id);
    },
    change: (table: string, match: Row, changes: Row) =>
      service.from(table).update(changes).match(match).throwOnError(),
    remove: (table: string, match: Row) => service.from(table).delete().match(match).throwOnError(),
  };
}

/** One line about a page at the end of a test that failed: where it is, what it says and what it still waits for. */
async function summaryOf(page: Page): Promise<string> {
  const said = await page
    .locator('main')
    .textContent({ timeout: 2000 })
    .catch((error: Error) => error.message);
  const unanswered = [...(pending.get(page) ?? [])].join(', ') || 'nothing';
  return `\n  ${page.url()} waits for ${unanswered}, and says: ${said?.replace(/\s+/g, ' ').slice(0, 300)}`;
}

/** Signs in with the form, which leads back to the page that required it. */
export async function signInByForm(page: Page, email: string, password = PASSWORD): Promise<void> {
  if (!page.url().endsWith('/auth')) await page.goto('/auth');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  // The toast of an earlier member can still be shown beside it.
  await page.getByText('Welcome back!').last().waitFor();
  // The page that it leads to takes the focus, which closes a menu that is open by then; until it comes, the title of this
  // one may have it, whose form is drawn again for the member.
  await page
    .locator('h1:focus')
    .filter({ hasNotText: /^Sign in$/ })
    .waitFor();
}

/** Gives the browser a session of this person's, as the client library stores one; the next page shows it. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/robots.txt');
  await page.evaluate(async (body) => {
    const response = await fetch('/auth/v1/token?grant_type=password', { method: 'POST', body });
    if (!response.ok) throw new Error(await response.text());
    localStorage.setItem(`sb-${location.hostname.split('.')[0]}-auth-token`, await response.text());
  }, JSON.stringify({ email, password }));
}

/** Opens the link of an email, and presses the button of the page to which it leads. */
export async function pressInMail(page: Page, link: string, button: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: button }).click();
}

/** The questions that a moderator answers before they approve. */
export async function tickAll(page: Page): Promise<void> {
  const boxes = page.getByRole('group', { name: 'Before approval' }).getByRole('checkbox');
  await boxes.first().waitFor();
  for (const box of await boxes.all()) await box.check();
}

/** The page's scripts arrive only when the returned function is called, as on a slow connection. */
export async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Waits until the page's scripts handle presses: before, links and forms work as without scripts. */
export const waitForHydration = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => !('takeEarlyInput' in window));

/** Keeps changes from the page's next document, so that it reads only on request. */
export const blockRealtime = (page: Page): Promise<void> =>
  page.routeWebSocket(
    (url) => url.pathname.startsWith('/realtime/'),
    () => undefined,
  );

/**
 * Until the returned function is called, requests to these addresses are answered by the test. The interception stays
 * afterwards, since a request under way while Playwright removes one may never be answered.
 */
export async function intercept(
  page: Page,
  addresses: Parameters<Page['route']>[0],
  respond: (route: Route) => unknown,
): Promise<() => void> {
  let isOver = false;
  await page.route(addresses, (route) => (isOver ? route.fallback() : respond(route)));
  return () => {
    isOver = true;
  };
}

/** Until the returned function is called, the server responds to these requests with an error. */
export const refuse = (page: Page, path: string, method: string): Promise<() => void> =>
  intercept(
    page,
    (url) => url.pathname.endsWith(path),
    (route) =>
      route.request().method() === method
        ? route.fulfill({ status: 500, json: { code: 'XX000', message: 'Out of order' } })
        : route.fallback(),
  );
