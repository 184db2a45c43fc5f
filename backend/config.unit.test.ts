import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../tests/temporary-folder.ts';
import { readConfig } from './config.ts';
import { ConfigError } from './config-project.ts';

let root: string;
beforeEach(() => {
  root = temporaryFolder('config');
  mkdirSync(join(root, 'supabase'));
});

const ours = readFileSync(resolve(import.meta.dirname, '../supabase/config.toml'), 'utf8');

function settingsOf(config: string, environment: Record<string, string> = {}) {
  writeFileSync(join(root, 'supabase/config.toml'), config);
  return readConfig(root, environment, join(root, 'home/settings.toml'));
}
const read = (more: string, environment?: Record<string, string>) =>
  settingsOf(`${ours}\n${more}`, environment).auth;

describe('what is missing or wrong', () => {
  const refused = (environment: Record<string, string>, more = '') => {
    try {
      settingsOf(more, environment);
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    return undefined;
  };
  const named = (environment: Record<string, string>, more = '') =>
    refused(environment, more)
      ?.split('\n')
      .map((line) => line.split(' ')[0]);

  it('is named at once', () => {
    const phone = '[auth.sms]\nenabled = true\n[auth.captcha]\nenabled = true\nsecret = "x"';
    expect(named({ NODE_ENV: 'production' }, phone)).toEqual([
      'SITE_URL',
      'SMTP_URL',
      'SMS_GATEWAY_URL',
      'CAPTCHA_SITE_KEY',
    ]);
    expect(named({ PORT: 'http', JWT_SECRET: 'short' })).toEqual(['PORT', 'JWT_SECRET']);
    const all = { SITE_URL: 'https://limbs.example.org', SMTP_URL: 'smtp://mail.example.org' };
    expect(named({ NODE_ENV: 'production', ...all })).toBeUndefined();
    expect(named({})).toBeUndefined();
  });

  it('beside a Supabase project is what the instructions of an export name', () => {
    const settings = named({ NODE_ENV: 'production', SUPABASE_URL: 'https://project.example.org' });
    expect(settings).toEqual(['SITE_URL', 'SMTP_URL', 'SUPABASE_URL']);
    const readme = readFileSync(resolve(import.meta.dirname, '../server/backup/export-readme.ts'), 'utf8');
    for (const name of ['NODE_ENV', ...(settings ?? [])]) expect(readme).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

describe('the settings of any project', () => {
  it('can be empty, and are then those of the Supabase tools', () => {
    const { auth, api, storage, functions, unserved } = settingsOf('');
    expect(api).toEqual({ schemas: ['public'], extra_search_path: ['public', 'extensions'], max_rows: 1000 });
    expect(auth).toMatchObject({
      jwt_expiry: 3600,
      enable_signup: true,
      email: { enabled: true, enable_confirmations: false, max_frequency: 1, otp_expiry: 3600 },
      sms: { enabled: false, max_frequency: 5 },
      mfa: { max_enrolled_factors: 10, totp: { enroll_enabled: false } },
    });
    expect([storage.file_size_limit, functions, unserved]).toEqual([52_428_800, {}, []]);
    expect(auth.site_url).toBe('http://127.0.0.1:3000');
  });

  it('say where people return to, also by the environment', () => {
    const returning = (site_url: string, environment: Record<string, string> = {}) =>
      settingsOf(`[auth]\nsite_url = "${site_url}"`, environment).auth.site_url;
    expect(returning('https://app.example.org/')).toBe('https://app.example.org');
    expect(returning('env(SITE_URL)', { SITE_URL: 'https://limbs.example.org' })).toBe(
      'https://limbs.example.org',
    );
    expect(returning('env(SITE_URL)', { PORT: '8080' })).toBe('http://127.0.0.1:8080');
    expect(() => returning('nowhere')).toThrow('auth.site_url');
  });

  it.each(['enabled', 'enable_signup'])('open email and phone by %s', (name) => {
    const { auth } = settingsOf(`[auth.email]\n${name} = false\n[auth.sms]\n${name} = true`);
    expect([auth.email.enabled, auth.sms.enabled]).toEqual([false, true]);
    expect(() => settingsOf(`[auth.email]\n${name} = "no"`)).toThrow('auth.email.enabled');
  });

  it('name what is refused at use, instead of stopping the start', () => {
    const { unserved } = settingsOf(`
      [auth]
      enable_anonymous_sign_ins = true
      [auth.hook.custom_access_token]
      enabled = true
      uri = "pg-functions://postgres/public/hook"
      [auth.hook.send_sms]
      enabled = false
      [auth.external.github]
      enabled = true
      client_id = "x"
      [auth.oauth_server]
      enabled = true
      [storage.buckets.images]
      public = true
      [edge_runtime]
      policy = "per_worker"`);
    expect(unserved).toEqual([
      'auth.enable_anonymous_sign_ins',
      'auth.oauth_server.enabled',
      'auth.hook.custom_access_token.enabled',
      'auth.external.github',
      'storage.buckets',
    ]);
    writeFileSync(join(root, 'supabase/seed.sql'), 'select 1');
    expect(settingsOf('').unserved).toEqual(['db.seed']);
    expect(settingsOf('[db.seed]\nenabled = false').unserved).toEqual([]);
  });

  it('are joined with those that the tools do not know', () => {
    writeFileSync(
      join(root, 'supabase/embedded.toml'),
      '[auth.saml]\nenabled = true\n[functions.greet]\nenabled = true',
    );
    const { auth, functions } = settingsOf(
      '[auth]\njwt_expiry = 60\n[functions.greet]\nenabled = false\nverify_jwt = false',
    );
    expect([auth.saml.enabled, auth.jwt_expiry]).toEqual([true, 60]);
    expect(functions.greet).toEqual({ enabled: true, verify_jwt: false });
  });
});

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
      '[auth.external.clinic]\nenabled = true\nclient_id = "x"',
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

  it('have buttons with the name and the icon of the settings', () => {
    const provider = (more: string) =>
      `${ours}\n[auth.external.clinic]\nenabled = true\nclient_id = "x"\nurl = "https://id.example.org"\n${more}`;
    const buttons = (more: string) => settingsOf(provider(more)).providerButtons;
    expect(buttons('')).toEqual([{ id: 'clinic', name: 'Clinic', icon: null }]);
    writeFileSync(join(root, 'supabase/clinic.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    expect(buttons('name = "City Clinic"\nicon = "clinic.svg"')).toEqual([
      { id: 'clinic', name: 'City Clinic', icon: expect.stringMatching(/^data:image\/svg\+xml;base64,PHN2/) },
    ]);
    writeFileSync(join(root, 'supabase/page.svg'), '<html><svg></svg></html>');
    writeFileSync(join(root, 'supabase/large.svg'), `<svg>${' '.repeat(40_000)}</svg>`);
    for (const icon of [
      'absent.svg',
      'page.svg',
      'large.svg',
      '../supabase.svg',
      'https://cdn.example/a.svg',
    ])
      expect(() => buttons(`icon = "${icon}"`), icon).toThrow(
        'auth.external.clinic.icon must be an SVG or PNG file in the folder supabase or beside settings.toml, of at most 32 KB',
      );
    expect(() => buttons('name = " "')).toThrow('auth.external.clinic.name must not be blank');
    expect(() => buttons('icon = 1')).toThrow('auth.external.clinic.icon');
    expect(() => buttons('enabled_by = "x"\nskip_nonce_check = "no"')).toThrow('clinic.skip_nonce_check');
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
  const settings = (environment: Record<string, string>) => settingsOf(on, environment);
  expect(() => settings({})).toThrow('supabase/config.toml: auth.captcha needs secret');
  const secret = { CAPTCHA_SECRET: 'a secret' };
  expect(() => settings(secret)).toThrow('CAPTCHA_SITE_KEY is needed');
  expect(settings({ ...secret, CAPTCHA_SITE_KEY: 'a key' }).captchaWidget).toEqual({
    provider: 'hcaptcha',
    siteKey: 'a key',
  });
});

describe('the operator’s own settings', () => {
  const own = (text: string) => {
    mkdirSync(join(root, 'home'), { recursive: true });
    writeFileSync(join(root, 'home/settings.toml'), text);
  };
  const clinic = '[auth.external.clinic]\nenabled = true\nurl = "https://id.example.org"\n';

  it('are joined over those of the project, and need not be there', () => {
    const project = '[auth]\njwt_expiry = 60\nminimum_password_length = 8';
    writeFileSync(join(root, 'supabase/embedded.toml'), '[auth.saml]\nenabled = false');
    const { auth } = settingsOf(project);
    expect([auth.jwt_expiry, auth.saml.enabled]).toEqual([60, false]);
    own('[auth]\njwt_expiry = 120\n[auth.saml]\nenabled = true');
    const changed = settingsOf(project).auth;
    expect([changed.jwt_expiry, changed.minimum_password_length, changed.saml.enabled]).toEqual([
      120,
      8,
      true,
    ]);
    expect(readConfig(root, {}, null).auth.jwt_expiry).toBe(60);
  });

  it('bring providers with icons beside them, also by a link to where they are', () => {
    own(`${clinic}client_id = "env(CLINIC_ID)"\nicon = "clinic.svg"`);
    writeFileSync(join(root, 'home/clinic.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    settingsOf('', { CLINIC_ID: 'x' });
    symlinkSync(join(root, 'home/settings.toml'), join(root, 'settings.toml'));
    for (const path of ['home/settings.toml', 'settings.toml'])
      expect(readConfig(root, { CLINIC_ID: 'x' }, join(root, path)).providerButtons).toEqual([
        { id: 'clinic', name: 'Clinic', icon: expect.stringMatching(/^data:image/) },
      ]);
  });

  it('are refused by their name, with the variable that is not set', () => {
    own(`${clinic}client_id = "env(CLINIC_ID)"`);
    expect(() => settingsOf('')).toThrow(
      /^settings.toml: auth.external.clinic needs client_id, and CLINIC_ID is not set$/,
    );
    own('[auth.external.google]\nenabled = true');
    expect(() => settingsOf(ours)).toThrow(
      /^settings.toml: auth.external.google needs client_id, and GOOGLE_CLIENT_ID is not set$/,
    );
    own(`${clinic}client_id = "x"\nicon = "absent.svg"`);
    expect(() => settingsOf('')).toThrow(/^settings.toml: auth.external.clinic.icon must be/);
    own('[auth\n');
    expect(() => settingsOf('')).toThrow(/^settings.toml: line \d+ cannot be read/);
    own('');
    writeFileSync(join(root, 'supabase/embedded.toml'), '[auth.saml]\nenabled = "no"');
    expect(() => settingsOf('')).toThrow(/^supabase\/embedded.toml: auth.saml.enabled/);
    expect(() => settingsOf('[auth]\njwt_expiry = 1')).toThrow(/^supabase\/config.toml: auth.jwt_expiry/m);
  });
});
