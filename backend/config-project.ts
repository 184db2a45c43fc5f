import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import { authSettings, providerButtons, unsetIn, withEnvironment } from './config-auth.ts';
import { milliseconds } from './duration.ts';

/** A setting that cannot be used; the message is a sentence for the operator, or one a line. */
export class ConfigError extends Error {}

const seconds = z.string().transform((text, context) => {
  const duration = milliseconds(text);
  if (duration !== undefined) return duration / 1000;
  context.addIssue({ code: 'custom', message: 'must be a time such as "60s" or "24h"' });
  return z.NEVER;
});

/** A size such as 50MiB, 20mb or 1048576, in bytes. */
export const byteSize = z.union([z.number().int().nonnegative(), z.string()]).transform((value, context) => {
  if (typeof value === 'number') return value;
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?$/i.exec(value.trim());
  if (!match) {
    context.addIssue({ code: 'custom', message: 'must be a size such as 50MiB or 20mb' });
    return z.NEVER;
  }
  const power = 'kmgt'.indexOf((match[2] ?? '').toLowerCase() || ' ') + 1;
  return Math.floor(Number(match[1]) * (match[3] ? 1024 : 1000) ** power);
});

/** `enable_signup` is the name of this setting up to version 3 of the Supabase tools. */
const enabledByEitherName = (settings: unknown) => {
  if (settings === null || typeof settings !== 'object' || !('enable_signup' in settings)) return settings;
  const { enable_signup, ...rest } = settings;
  return { enabled: enable_signup, ...rest };
};

const count = (otherwise: number) => z.number().int().min(0).default(otherwise);
const flag = (otherwise: boolean) => z.boolean().default(otherwise);

const email = z.object({
  /** The text is that of a file, or built in. */
  subject: z.string().optional(),
  content_path: z.string().optional(),
});

/** Names and defaults are those of the Supabase tools, so that the settings of any project can be read. */
const projectSchema = z.object({
  api: z
    .object({
      schemas: z.array(z.string()).min(1).default(['public']),
      extra_search_path: z.array(z.string()).default(['public', 'extensions']),
      max_rows: count(1000),
    })
    .prefault({}),
  auth: z
    .object({
      jwt_expiry: z.number().int().min(60).max(604_800).default(3600),
      /** Where people return to; the site's own address when it is blank. */
      site_url: z.union([z.literal(''), z.url()]).default(''),
      enable_signup: flag(true),
      minimum_password_length: z.number().int().min(1).default(6),
      password_requirements: z
        .enum(['', 'letters_digits', 'lower_upper_letters_digits', 'lower_upper_letters_digits_symbols'])
        .default(''),
      refresh_token_reuse_interval: count(10),
      additional_redirect_urls: z.array(z.string()).default([]),
      email: z.preprocess(
        enabledByEitherName,
        z
          .object({
            enabled: flag(true),
            enable_confirmations: flag(false),
            double_confirm_changes: flag(true),
            secure_password_change: flag(false),
            max_frequency: seconds.prefault('1s'),
            otp_length: z.number().int().min(6).max(10).default(6),
            otp_expiry: count(3600),
            smtp: z
              .object({
                admin_email: z.string().default('no-reply@localhost'),
                sender_name: z.string().default('No reply'),
              })
              .prefault({}),
            /** A function of the database that gives templates more variables, as `schema.name`. */
            variables: z
              .string()
              .regex(/^(\w+\.\w+)?$/, 'must be schema.name')
              .default(''),
            /** A module in this folder whose default export makes of these what the templates name. */
            variables_path: z.string().optional(),
            template: z.record(z.string(), email).default({}),
            notification: z.record(z.string(), email.extend({ enabled: flag(false) })).default({}),
          })
          .prefault({}),
      ),
      sms: z.preprocess(
        enabledByEitherName,
        z
          .object({
            enabled: flag(false),
            enable_confirmations: flag(false),
            template: z.string().default('Your code is {{ .Code }}'),
            max_frequency: seconds.prefault('5s'),
            // A number without its plus, and the code that is accepted for it; no message is sent there.
            test_otp: z.record(z.string().regex(/^[1-9]\d{1,14}$/), z.string()).optional(),
          })
          .prefault({}),
      ),
      mfa: z
        .object({
          max_enrolled_factors: z.number().int().min(1).default(10),
          totp: z.object({ enroll_enabled: flag(false), verify_enabled: flag(false) }).prefault({}),
          web_authn: z.object({ enroll_enabled: flag(false), verify_enabled: flag(false) }).prefault({}),
        })
        .prefault({}),
      sessions: z
        .object({ timebox: seconds.optional(), inactivity_timeout: seconds.optional() })
        .prefault({}),
      rate_limit: z
        .object({
          email_sent: count(2),
          sms_sent: count(30),
          sign_in_sign_ups: count(30),
          token_verifications: count(30),
          token_refresh: count(150),
        })
        .prefault({}),
      hook: z
        .object({
          before_user_created: z
            .object({
              enabled: flag(false),
              uri: z
                .string()
                .regex(/^pg-functions:\/\/postgres\/\w+\/\w+$/, 'must name a function of the database')
                .default('pg-functions://postgres/public/before_user_created'),
            })
            .prefault({}),
        })
        .prefault({}),
      ...authSettings,
    })
    .prefault({}),
  storage: z.object({ file_size_limit: byteSize.prefault('50MiB') }).prefault({}),
  functions: z.record(z.string(), z.object({ enabled: flag(true), verify_jwt: flag(true) })).default({}),
});

/** Settings that this backend does not implement, and the value at which nothing is missing. */
const NOT_IMPLEMENTED: Record<string, boolean> = {
  'auth.enable_anonymous_sign_ins': false,
  'auth.enable_refresh_token_rotation': true,
  'auth.oauth_server.enabled': false,
  'auth.mfa.phone.enroll_enabled': false,
  ...Object.fromEntries(
    ['firebase', 'auth0', 'aws_cognito', 'clerk', 'workos'].map((name) => [
      `auth.third_party.${name}.enabled`,
      false,
    ]),
  ),
  ...Object.fromEntries(
    [
      'custom_access_token',
      'mfa_verification_attempt',
      'password_verification_attempt',
      'send_email',
      'send_sms',
    ].map((name) => [`auth.hook.${name}.enabled`, false]),
  ),
};

const isSection = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);

/** What is in `path`, names separated by dots or a list of them; undefined where a section is missing. */
const settingAt = (settings: unknown, path: string | string[]): unknown =>
  (typeof path === 'string' ? path.split('.') : path).reduce<unknown>(
    (section, name) => (isSection(section) ? section[name] : undefined),
    settings,
  );

/** Both files in one; sections are joined, and any other value of the second replaces that of the first. */
function joined(first: Record<string, unknown>, second: Record<string, unknown>): Record<string, unknown> {
  const result = { ...first };
  for (const [name, value] of Object.entries(second)) {
    const before = result[name];
    result[name] = isSection(before) && isSection(value) ? joined(before, value) : value;
  }
  return result;
}

const CONFIG = 'supabase/config.toml';
const EMBEDDED = 'supabase/embedded.toml';
/** The operator's own file. It lies in the folder of data and `.env`, where no newer version replaces it. */
export const OWN_SETTINGS = 'settings.toml';

/** A file of settings, by the name that refusals give it. */
interface SettingsFile {
  name: string;
  settings: Record<string, unknown>;
}

/** @throws ConfigError when the file is there and cannot be read */
function readSettings(name: string, path: string): SettingsFile {
  try {
    return { name, settings: parse(readFileSync(path, 'utf8')) };
  } catch (error) {
    if (error instanceof TomlError)
      throw new ConfigError(
        `${name}: line ${error.line} cannot be read, ${error.message.split('\n')[0]?.replace('Invalid TOML document: ', '')}`,
      );
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && name !== CONFIG) return { name, settings: {} };
    throw new ConfigError(`${name}: ${path} cannot be read (${code})`);
  }
}

/** The file that decides a setting: the last one that has it or, where none has, the section around it. */
function fileOf(files: SettingsFile[], path: string[]): string {
  for (let length = path.length; length > 0; length--) {
    const names = path.slice(0, length);
    const file = files.findLast(({ settings }) => settingAt(settings, names) !== undefined);
    if (file) return file.name;
  }
  return CONFIG;
}

/**
 * The settings of a project: `supabase/config.toml`, which the Supabase tools read as well; over it
 * `supabase/embedded.toml`, if there is one, with those that only this backend knows; and over both the operator's own.
 *
 * @param root the folder that holds `supabase`
 * @param own the operator's file, which need not be there; null where none is read
 * @returns the settings, and the names of those that ask for something this backend refuses
 * @throws ConfigError naming the file, the setting and its fault
 */
export function readProject(root: string, environment: NodeJS.ProcessEnv, own: string | null) {
  const files = [CONFIG, EMBEDDED].map((name) => readSettings(name, resolve(root, name)));
  if (own) files.push(readSettings(OWN_SETTINGS, own));
  const written = files.reduce<Record<string, unknown>>((all, { settings }) => joined(all, settings), {});
  const settings = withEnvironment(written, environment);
  const project = validated(projectSchema.safeParse(settings), ({ path, message }) => {
    const names = path.map(String);
    const unset = unsetIn(settingAt(written, names), message, environment);
    const why =
      unset.length > 0 ? `, and ${unset.join(' and ')} ${unset.length > 1 ? 'are' : 'is'} not set` : '';
    return `${fileOf(files, names)}: ${names.join('.')} ${message}${why}`;
  });
  const unserved = Object.entries(NOT_IMPLEMENTED)
    .filter(([path, implemented]) => settingAt(settings, path) === !implemented)
    .map(([path]) => path);
  for (const [name, { enabled, url }] of Object.entries(project.auth.external))
    if (enabled && !url) unserved.push(`auth.external.${name}`);
  for (const path of ['auth.signing_keys_path', 'storage.buckets'])
    if (settingAt(settings, path) !== undefined) unserved.push(path);
  if (settingAt(settings, 'db.seed.enabled') !== false && existsSync(resolve(root, 'supabase/seed.sql')))
    unserved.push('db.seed');
  const icons = [resolve(root, 'supabase')];
  // The file may be a link to where an operator keeps settings, and icons with them.
  if (own && existsSync(own)) icons.unshift(dirname(realpathSync(own)));
  const buttons = providerButtons(icons, project.auth.external, (path, fault) => {
    throw new ConfigError(`${fileOf(files, path)}: ${path.join('.')} ${fault}`);
  });
  return { project, unserved, buttons };
}

/**
 * @param sentence says what is wrong, with the name of the setting
 * @throws ConfigError with a line for each fault
 */
export function validated<T>(
  result: z.ZodSafeParseResult<T>,
  sentence: (fault: z.core.$ZodIssue) => string,
): T {
  if (result.success) return result.data;
  throw new ConfigError(result.error.issues.map(sentence).join('\n'));
}
