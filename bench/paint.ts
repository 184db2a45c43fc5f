import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { chromium } from 'playwright-core';
import type { Database } from '#app/database.types.ts';
import { runningInstance } from '../server/running-instance.mjs';
import { findBrowser } from '../tests/e2e/find-browser.ts';
import { median } from './parts/runner.ts';
import { startSite } from './parts/start.ts';

// The first view of each kind of page, with the demo content, on a phone with a slow line (processor × 4, 150 ms,
// 1.6 Mbit/s), beside a page of text alone; then the same for a signed-in moderator. Each view has a browser context of its
// own, so that nothing is cached at first, and a part that is fetched and then imported counts once, as for a reader.
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** No round begins later, in ms since the start; a round takes three quarters of a minute on two busy cores. */
const LAST_START_MS = 150_000;
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const FLOOR = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Text</title><style>body{font:16px/24px sans-serif;margin:16px}</style>
<h1>A page of text</h1>${'<p>Nothing is loaded with this page: no style sheet, no font, no script and no picture.</p>'.repeat(12)}`;

type Subject = [name: string, url: string, stored?: Record<string, string>];

interface View {
  /** Milliseconds until the largest paint of the first view. */
  paint: number;
  /** Milliseconds by which long tasks exceeded 50, from the first paint on. */
  blocked: number;
  /** Bytes on the line. */
  document: number;
  scripts: number;
  all: number;
  elements: number;
}

const dataDir = mkdtempSync(join(tmpdir(), 'limb-commons-paint-'));
const site = await startSite(dataDir);
const floor = createServer((_request, response) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(FLOOR),
).listen(43122, '127.0.0.1');
const browser = await chromium.launch(await findBrowser());

/** Makes a moderator, and gives their session as the client library keeps it in the browser. */
async function signIn(): Promise<Record<string, string>> {
  const { anonKey = '', serviceRoleKey = '' } = runningInstance(dataDir) ?? {};
  const options = { auth: { persistSession: false } };
  const service = createClient<Database>(site.url, serviceRoleKey, options);
  const person = { email: 'reader@clinic.example', password: 'a long walk by the sea' };
  const { data, error } = await service.auth.admin.createUser({
    ...person,
    email_confirm: true,
    user_metadata: { declaration_version: '2026-11-01' },
  });
  if (error) throw error;
  const profile = { username: 'reader', full_name: 'Rea Der', profession: 'Prosthetist' };
  await service.from('profiles').update(profile).eq('id', data.user.id).throwOnError();
  await service.from('user_roles').insert({ user_id: data.user.id, role: 'moderator' }).throwOnError();
  const signedIn = await createClient(site.url, anonKey, options).auth.signInWithPassword(person);
  if (signedIn.error) throw signedIn.error;
  return { 'sb-127-auth-token': JSON.stringify(signedIn.data.session) };
}

/**
 * @param stored what the browser remembers of earlier visits
 * @param isPhone whether it is a phone on a slow line; otherwise the view only has the site keep what it makes once
 */
async function view(url: string, stored: Record<string, string> = {}, isPhone = true): Promise<View> {
  const context = await browser.newContext(PHONE);
  await context.addInitScript((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
  }, stored);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  if (isPhone) {
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: (1.6 * 1024 * 1024) / 8,
      uploadThroughput: (750 * 1024) / 8,
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  }
  const kinds = new Map<string, string>();
  const bytes = { Document: 0, Script: 0, all: 0 };
  // Scripts that the site loads later are fetched before they are imported.
  session.on('Network.responseReceived', ({ requestId, type, response: { mimeType } }) =>
    kinds.set(requestId, mimeType.endsWith('javascript') ? 'Script' : type),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    bytes.all += encodedDataLength;
    if (kind === 'Document' || kind === 'Script') bytes[kind] += encodedDataLength;
  });
  await page.addInitScript(`
    window.seen = { paint: 0, blocked: 0, first: 0 };
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.paint = entry.startTime; })
      .observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (entry.name === 'first-contentful-paint') seen.first = entry.startTime; })
      .observe({ type: 'paint', buffered: true });
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.blocked += Math.max(0, entry.duration - 50); })
      .observe({ type: 'longtask', buffered: true });
  `);
  await page.goto(url, { waitUntil: 'networkidle' });
  const seen = (await page.evaluate(
    '({ ...seen, elements: document.querySelectorAll("*").length })',
  )) as Pick<View, 'paint' | 'blocked' | 'elements'>;
  await context.close();
  return { ...seen, document: bytes.Document, scripts: bytes.Script, all: bytes.all };
}

try {
  const links = async (path: string, pattern: RegExp) =>
    pattern.exec(await (await fetch(site.url + path)).text())?.[0] ?? '';
  const pages = [
    ['a page of text', 'http://127.0.0.1:43122/'],
    ['home', `${site.url}/`],
    ['browse', `${site.url}/browse`],
    ['a solution', site.url + (await links('/browse', /\/solutions\/[0-9a-f-]{36}/))],
    ['forum', `${site.url}/forum`],
    ['a topic', site.url + (await links('/forum', /\/forum\/[0-9a-f-]{36}/))],
  ] satisfies Subject[];
  const session = await signIn();
  const subjects: Subject[] = [
    ...pages,
    ...pages.slice(1).map(([name, url]): Subject => [`${name}, signed in`, url, session]),
    ...['messages', 'upload', 'settings', 'admin'].map(
      (name): Subject => [`${name}, signed in`, `${site.url}/${name}`, session],
    ),
  ];
  const views = subjects.map((): View[] => []);
  for (const [, url, stored] of subjects) await view(url, stored, false);
  let round = 0;
  for (; round < ROUNDS && (round === 0 || performance.now() < LAST_START_MS); round++)
    for (const [index, [, url, stored]] of subjects.entries()) views[index]?.push(await view(url, stored));
  console.log(`Medians of ${round} rounds`);
  const kilobytes = (figure: number) => `${(figure / 1024).toFixed(0)} KB`.padStart(8);
  console.log(
    'First view             largest paint  of text   blocked  document   scripts  in all  elements',
  );
  for (const [index, [name]] of subjects.entries()) {
    const own = views[index] ?? [];
    const middle = (key: keyof View) => median(own.map((one) => one[key]));
    const ratio = median(own.map(({ paint }, round) => paint / (views[0]?.[round]?.paint ?? Number.NaN)));
    console.log(
      `${name.padEnd(22)} ${middle('paint').toFixed(0).padStart(10)} ms ${ratio.toFixed(2).padStart(7)}x ${middle('blocked').toFixed(0).padStart(7)} ms ${kilobytes(middle('document'))} ${kilobytes(middle('scripts'))} ${kilobytes(middle('all'))} ${String(middle('elements')).padStart(8)}`,
    );
  }
} finally {
  await browser.close();
  floor.close();
  await site.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
