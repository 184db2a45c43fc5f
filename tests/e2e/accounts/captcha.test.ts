// @module-tag whole

import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../every-page/page-checks.ts';
import { intercept, openSite, PASSWORD } from '../site.ts';
import { open, press, sendSignIn, toSignUp } from '../steps.ts';
import { settingsWith } from './settings.ts';

/** The provider's script: a separate frame whose button solves the challenge, as both providers have it. */
const api = (provider: string, origin: string) => `
  (() => {
    const widgets = new Map();
    let count = 0;
    const begin = (id) => {
      const { container } = widgets.get(id);
      container.innerHTML = '<iframe title="Challenge" width="300" height="65" src="${origin}/frame?' + id + '"></iframe>';
    };
    addEventListener('message', async ({ origin, data }) => {
      if (origin !== '${origin}') return;
      const answer = await fetch('${origin}/solved', { method: 'POST' });
      const widget = widgets.get(data);
      if (!widget) return;
      widget.callback(await answer.text());
      widget.container.textContent = 'Challenge solved';
    });
    window.${provider} = {
      render: (container, { callback, sitekey }) => {
        if (sitekey !== 'the site key') throw new Error('another site key');
        const id = String(++count);
        widgets.set(id, { container, callback });
        begin(id);
        return id;
      },
      reset: begin,
      remove: (id) => { widgets.get(id).container.innerHTML = ''; widgets.delete(id); },
    };
    window[new URL(document.currentScript.src).searchParams.get('onload')]();
  })();`;
const FRAME = `<button onclick="parent.postMessage(location.search.slice(1), '*')">I am a person</button>`;

/** A stand-in of the provider; each token is valid once. */
function openProvider(provider: string) {
  const solved = new Set<string>();
  const server: Server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin());
    let sent = '';
    for await (const chunk of request) sent += chunk;
    response.setHeader('access-control-allow-origin', '*');
    if (pathname === '/api.js')
      response.setHeader('content-type', 'text/javascript').end(api(provider, origin()));
    else if (pathname === '/frame') response.setHeader('content-type', 'text/html').end(FRAME);
    else if (pathname === '/solved') {
      const token = randomUUID();
      solved.add(token);
      response.end(token);
    } else
      response.end(
        JSON.stringify({ success: solved.delete(`${new URLSearchParams(sent).get('response')}`) }),
      );
  });
  const origin = () => {
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  };
  /** As when a challenge was solved too long ago. */
  const clearSolved = () => solved.clear();
  return { server, origin, clearSolved };
}

/** Solves the challenge and waits until the widget shows it, as a person does before continuing. */
async function solve(page: Page) {
  await page.frameLocator('iframe[title="Challenge"]').getByRole('button', { name: 'I am a person' }).click();
  await page.getByText('Challenge solved').waitFor();
}

describe.each(['turnstile', 'hcaptcha'] as const)('a captcha of %s', async (provider) => {
  const standIn = openProvider(provider);
  await new Promise<void>((listening) => standIn.server.listen(0, '127.0.0.1', listening));
  const workdir = settingsWith(
    '[auth.captcha]\nenabled = false\nprovider = "turnstile"',
    `[auth.captcha]\nenabled = true\nurl = "${standIn.origin()}/siteverify"\nprovider = "${provider}"`,
  );
  const site = openSite({
    settings: { SUPABASE_WORKDIR: workdir, CAPTCHA_SITE_KEY: 'the site key', CAPTCHA_SECRET: 'the secret' },
  });
  afterAll(() => void standIn.server.close());
  beforeAll(() => site.member('Ada'));
  /** A browser that comes by way of the first page, and the requests its content security policy refused. */
  const visitor = async () => {
    const page = await site.person({ width: 360 });
    const requests: string[] = [];
    const refused: string[] = [];
    page.on(
      'request',
      (request) => void (request.url().startsWith(standIn.origin()) && requests.push(request.url())),
    );
    page.on(
      'console',
      (line) => void (/Content Security Policy/.test(line.text()) && refused.push(line.text())),
    );
    await page.goto('/about');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(requests).toEqual([]);
    await page.goto('/auth');
    return { page, refused };
  };

  it('is asked for at each sign-in, and a new one after a refusal', async () => {
    const { page, refused } = await visitor();
    await page.getByLabel('Email').fill('ada@clinic.example');
    await page.getByLabel('Password', { exact: true }).fill('not this one');
    const submit = page.getByRole('button', { name: 'Sign In', exact: true });
    await page.frameLocator('iframe[title="Challenge"]').getByRole('button').waitFor();
    await submit.click();
    await page.getByText('Please complete the check.').waitFor();
    await expectAccessible(page, 'sign-in with a captcha');
    await solve(page);
    await page.getByText('Please complete the check.').waitFor({ state: 'detached' });
    standIn.clearSolved();
    await submit.click();
    await page.getByText('The check that you’re a person didn’t succeed.').first().waitFor();
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('not this one');
    await solve(page);
    await submit.click();
    await page.getByText('The email or password is incorrect.').first().waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    // The earlier token was valid once.
    await submit.click();
    await page.getByText('Please complete the check.').waitFor();
    await solve(page);
    await page.getByText('Please complete the check.').waitFor({ state: 'detached' });
    await submit.click();
    await page.getByText('Welcome back!').first().waitFor();
    expect(refused).toEqual([]);
  });

  it('lets someone sign up, have the mail again, and ask for a new password', async () => {
    const { page } = await visitor();
    await toSignUp(page);
    await page.getByLabel('Email').fill('grace@clinic.example');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('checkbox').check();
    await solve(page);
    await press(page, 'Create account');
    await page.getByText('Account created!').first().waitFor();
    expect((await site.mailTo('grace@clinic.example')).subject).toBe('Confirm your email');
    await page.getByRole('heading', { name: 'Confirm your email' }).waitFor();
    await page.getByRole('button', { name: 'Back to sign in' }).click();
    await page.getByLabel('Email').fill('grace@clinic.example');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await solve(page);
    await press(page, /^Sign In$/);
    await press(page, 'Send it again', 'Please complete the check.');

    await press(page, 'Back to sign in');
    await press(page, 'Forgot password?');
    // Both forms have the field; this one comes by a change of address.
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await page.getByLabel('Email').fill('ada@clinic.example');
    await solve(page);
    await press(page, 'Send reset link');
    await page.getByText('Reset email sent!').first().waitFor();
    expect((await site.mailTo('ada@clinic.example')).subject).toBe('Reset your password');
  });

  it('that cannot be loaded says so, and comes at the next try', async () => {
    const page = await site.person();
    const restore = await intercept(page, `${standIn.origin()}/**`, (route) => route.abort());
    await open(page, '/auth', 'The check could not be loaded.');
    await expectAccessible(page, 'sign-in whose captcha did not come');
    restore();
    await press(page, 'Try again');
    await solve(page);
    await sendSignIn(page, 'ada@clinic.example');
    await page.getByText('Welcome back!').first().waitFor();
  });
});
