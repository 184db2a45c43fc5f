import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'limb-commons-config-'));
  mkdirSync(join(root, 'supabase'));
});
afterEach(() => rmSync(root, { recursive: true }));

const ours = readFileSync(resolve(import.meta.dirname, '../supabase/config.toml'), 'utf8');

function read(more: string, environment: Record<string, string> = {}) {
  writeFileSync(join(root, 'supabase/config.toml'), `${ours}\n${more}`);
  return readConfig(root, environment).auth;
}

describe('ways to sign in that others vouch for', () => {
  it('are off as we ship it', () => {
    const auth = read('');
    expect(Object.values(auth.external).filter(({ enabled }) => enabled)).toEqual([]);
    expect(auth.web3).toEqual({ ethereum: { enabled: false }, solana: { enabled: false } });
    expect([auth.saml.enabled, auth.captcha.enabled]).toEqual([false, false]);
  });

  it('take secrets from the environment', () => {
    const { external } = read(
      `[auth.external.keycloak]
       enabled = true
       client_id = "the-site"
       secret = "env(KEYCLOAK_SECRET)"
       url = "https://id.example.org/realms/limbs"`,
      { KEYCLOAK_SECRET: 'a secret', GOOGLE_CLIENT_ID: 'google-id' },
    );
    expect(external.keycloak).toEqual({
      enabled: true,
      client_id: 'the-site',
      secret: 'a secret',
      url: 'https://id.example.org/realms/limbs',
      redirect_uri: '',
      skip_nonce_check: false,
      email_optional: false,
    });
    expect(external.google).toMatchObject({
      enabled: false,
      client_id: 'google-id',
      secret: '',
      url: 'https://accounts.google.com',
    });
  });

  it.each([
    [
      '[auth.external.github]\nenabled = true\nclient_id = "x"',
      'needs url, the address of its OpenID Connect issuer',
    ],
    ['[auth.external.keycloak]\nenabled = true\nurl = "https://id.example.org"', 'needs client_id'],
    [
      '[auth.external.keycloak]\nenabled = true\nclient_id = "x"\nurl = "http://id.example.org"',
      'needs an https url',
    ],
    [
      '[auth.external.email]\nenabled = true\nclient_id = "x"\nurl = "https://id.example.org"',
      'is not a name that a provider can have',
    ],
  ])('are refused when they cannot work: %s', (more, message) => {
    expect(() => read(more)).toThrow(ConfigError);
    expect(() => read(more)).toThrow(message);
  });

  it('may do without TLS on this machine alone', () => {
    const more =
      '[auth.external.keycloak]\nenabled = true\nclient_id = "x"\nurl = "http://127.0.0.1:8080/realms/a"';
    expect(read(more).external.keycloak?.enabled).toBe(true);
  });
});

it('a captcha without its secret, or without the key that pages show it with, is refused', () => {
  const on = ours
    .replace('provider = "turnstile"', 'provider = "hcaptcha"')
    .replace(/(\[auth\.captcha\]\nenabled = )false/, '$1true');
  const settings = (environment: Record<string, string>) => {
    writeFileSync(join(root, 'supabase/config.toml'), on);
    return readConfig(root, environment);
  };
  expect(() => settings({})).toThrow('supabase/config.toml: auth.captcha needs secret');
  const secret = { CAPTCHA_SECRET: 'a secret' };
  expect(() => settings(secret)).toThrow('CAPTCHA_SITE_KEY is needed');
  expect(settings({ ...secret, CAPTCHA_SITE_KEY: 'a key' }).captchaWidget).toEqual({
    provider: 'hcaptcha',
    siteKey: 'a key',
  });
});
