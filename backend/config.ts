import { resolve } from 'node:path';
import { z } from 'zod';
import { ENGLISH, languageRefusal } from '../texts/language.ts';
import { byteSize, ConfigError, OWN_SETTINGS, readProject, validated } from './config-project.ts';
import { type Kind, MAX_HELD } from './http/held.ts';

const blankIsUnset = (value: unknown) => (value === '' ? undefined : value);
const url = z.preprocess(blankIsUnset, z.url().optional());
const text = z.preprocess(blankIsUnset, z.string().optional());
const email = z.preprocess(blankIsUnset, z.email().optional());

const environmentSchema = z.object({
  NODE_ENV: text,
  HOST: z.preprocess(blankIsUnset, z.string().default('127.0.0.1')),
  PORT: z.preprocess(blankIsUnset, z.coerce.number().int().min(0).max(65535).default(3000)),
  SITE_URL: url,
  DATA_DIR: z.preprocess(blankIsUnset, z.string().default('./data')),
  STORAGE_TOTAL_LIMIT: z.preprocess(blankIsUnset, byteSize.optional()),
  STORAGE_QUOTA: z.preprocess(blankIsUnset, byteSize.default(1024 ** 3)),
  DATABASE_URL: url,
  S3_ENDPOINT: z.preprocess(blankIsUnset, z.url({ protocol: /^https?$/ }).optional()),
  S3_REGION: z.preprocess(blankIsUnset, z.string().default('us-east-1')),
  S3_BUCKET: z.preprocess(
    blankIsUnset,
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/, 'must be the name of a bucket, such as my-files')
      .optional(),
  ),
  S3_PREFIX: z.preprocess(
    blankIsUnset,
    z
      .string()
      .regex(/^\w[\w.-]*(\/\w[\w.-]*)*\/?$/, 'must be a folder in the bucket, such as sites/limbs')
      .default(''),
  ),
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  SUPABASE_WORKDIR: text,
  SMTP_URL: url,
  MAIL_FROM: text,
  SMS_GATEWAY_URL: url,
  SMS_GATEWAY_TOKEN: text,
  CAPTCHA_SITE_KEY: text,
  JWT_SECRET: z.preprocess(blankIsUnset, z.string().min(32, 'must be at least 32 characters').optional()),
  SUPABASE_URL: url,
  SUPABASE_ANON_KEY: text,
  SUPABASE_SERVICE_ROLE_KEY: text,
  SUPABASE_DB_URL: url,
  OPERATOR_NAME: text,
  OPERATOR_ADDRESS: text,
  OPERATOR_COMPANY_NUMBER: text,
  OPERATOR_ICO_NUMBER: text,
  SUPPORT_EMAIL: email,
  LEGAL_EMAIL: email,
  BACKUP_DIR: text,
  BACKUP_COPY: z.preprocess(
    blankIsUnset,
    z
      .string()
      .regex(/^s3:\/\/[a-z0-9][a-z0-9._-]{1,61}[a-z0-9](\/\w[\w.-]*)*\/?$/, 'must be s3://BUCKET/FOLDER')
      .optional(),
  ),
  BACKUP_EVERY: z.preprocess(blankIsUnset, z.coerce.number().min(0).max(720).default(24)),
  BACKUP_KEEP: z.preprocess(blankIsUnset, z.coerce.number().int().min(1).default(14)),
  BACKUP_KEY: z.preprocess(blankIsUnset, z.string().min(16, 'must be at least 16 characters').optional()),
  INTERFACE_LANGUAGE: z.preprocess(blankIsUnset, z.string().default(ENGLISH)),
  FIELD_PACK_EVERY: z.preprocess(blankIsUnset, z.coerce.number().min(0).max(720).default(24)),
  METRICS_TOKEN: z.preprocess(blankIsUnset, z.string().min(16, 'must be at least 16 characters').optional()),
  LOG_LEVEL: z.preprocess(blankIsUnset, z.enum(['debug', 'info', 'warn', 'error']).optional()),
  TRUST_PROXY: z.preprocess(blankIsUnset, z.enum(['true', 'false']).default('false')),
});

/** The names of all settings that are read from the environment. */
export const SETTINGS = Object.keys(environmentSchema.shape);

export type Config = Readonly<ReturnType<typeof readConfig>>;

/**
 * Reads the environment, `supabase/config.toml`, `supabase/embedded.toml` and the operator's own `settings.toml`; no other module
 * does. Folders of data and backups are relative to the working folder.
 *
 * @param home the folder that holds `supabase`, unless SUPABASE_WORKDIR names another, as for Supabase's
 * own tools
 * @param own the operator's file, which need not be there; null where none is read
 * @throws ConfigError naming each setting that is missing or wrong and its fault, one a line
 */
export function readConfig(
  home: string,
  environment: NodeJS.ProcessEnv = process.env,
  own: string | null = resolve(OWN_SETTINGS),
) {
  const env = validated(
    environmentSchema.safeParse(environment),
    ({ path, message }) => `${path.join('.')} ${message}`,
  );
  const root = resolve(home, env.SUPABASE_WORKDIR ?? '');
  const { project, unserved, buttons } = readProject(root, environment, own);
  const production = env.NODE_ENV === 'production';
  const { captcha, sms } = project.auth;
  const missing = [
    languageRefusal(env.INTERFACE_LANGUAGE),
    production && !env.SITE_URL && 'SITE_URL is needed in production; links in mails carry it',
    // Beside a Supabase project as well, which sends no mail but that of its sign-in.
    production && !env.SMTP_URL && 'SMTP_URL is needed in production; without it no mail reaches a member',
    production &&
      sms.enabled &&
      !env.SMS_GATEWAY_URL &&
      !env.SUPABASE_URL &&
      'SMS_GATEWAY_URL is needed in production while auth.sms lets people sign in by phone',
    captcha.enabled &&
      !env.CAPTCHA_SITE_KEY &&
      'CAPTCHA_SITE_KEY is needed while auth.captcha asks for a captcha, or no one could solve it',
    env.SUPABASE_URL &&
      !(env.SUPABASE_ANON_KEY && env.SUPABASE_SERVICE_ROLE_KEY) &&
      'SUPABASE_URL needs SUPABASE_ANON_KEY and SUPABASE_SERVICE_ROLE_KEY',
    env.S3_BUCKET &&
      !(env.S3_ACCESS_KEY_ID && env.S3_SECRET_ACCESS_KEY) &&
      'S3_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
    !env.S3_BUCKET &&
      !env.BACKUP_COPY &&
      (env.S3_ENDPOINT || env.S3_PREFIX || env.S3_ACCESS_KEY_ID || env.S3_SECRET_ACCESS_KEY) &&
      'S3_BUCKET is needed beside the other S3 settings; without it files are on the disk of DATA_DIR',
    env.BACKUP_COPY &&
      !(env.BACKUP_DIR && env.S3_ACCESS_KEY_ID && env.S3_SECRET_ACCESS_KEY) &&
      'BACKUP_COPY needs BACKUP_DIR, which is copied, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
    env.S3_BUCKET &&
      env.SUPABASE_URL &&
      'S3_BUCKET has no use beside SUPABASE_URL: the project stores the files',
  ].filter((sentence) => sentence);
  if (missing.length > 0) throw new ConfigError(missing.join('\n'));
  const localUrl = `http://${env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST}:${env.PORT}`;
  /**
   * Set only when the operator chose it; otherwise it follows from the address at which the server listens.
   */
  const siteUrl = env.SITE_URL?.replace(/\/$/, '') ?? localUrl;
  const { hostname } = new URL(siteUrl);
  // A host given as an IP address cannot receive mail.
  const mailHost = /^[\d.]+$|:/.test(hostname) ? 'localhost' : hostname;
  return Object.freeze({
    /** Holds `supabase`: settings, migrations, templates and functions. */
    root,
    /** What the settings ask for and this backend refuses, each by its name. */
    unserved,
    production,
    host: env.HOST,
    port: env.PORT,
    siteUrl,
    /** Where the site listens, past any proxy. */
    localUrl,
    /** The operator of this site, as named on its about and legal pages. */
    operator: {
      name: env.OPERATOR_NAME,
      address: env.OPERATOR_ADDRESS,
      companyNumber: env.OPERATOR_COMPANY_NUMBER,
      icoNumber: env.OPERATOR_ICO_NUMBER,
      supportEmail: env.SUPPORT_EMAIL ?? `support@${mailHost}`,
      legalEmail: env.LEGAL_EMAIL ?? `legal@${mailHost}`,
    },
    dataDir: resolve(env.DATA_DIR),
    /** The bytes that all stored files may occupy together; the disk is the limit when unset. */
    storageTotalLimit: env.STORAGE_TOTAL_LIMIT,
    /**
     * The bytes of published media beyond which the dashboard calls the site full; no upload is refused for
     * it.
     */
    storageQuota: env.STORAGE_QUOTA,
    databaseUrl: env.DATABASE_URL,
    /** The bucket that holds the stored files; they are in `dataDir` without. */
    s3: env.S3_BUCKET ? bucketOf(env, env.S3_BUCKET, env.S3_PREFIX) : undefined,
    smtpUrl: env.SMTP_URL,
    mailFrom:
      env.MAIL_FROM ?? `${project.auth.email.smtp.sender_name} <${project.auth.email.smtp.admin_email}>`,
    smsGateway: env.SMS_GATEWAY_URL ? { url: env.SMS_GATEWAY_URL, token: env.SMS_GATEWAY_TOKEN } : undefined,
    /** The captcha that pages show; null where none is required. */
    captchaWidget: captcha.enabled
      ? { provider: captcha.provider, siteKey: env.CAPTCHA_SITE_KEY ?? '', standIn: captcha.url }
      : null,
    /** The buttons of sign-in providers, which pages show. */
    providerButtons: buttons,
    jwtSecret: env.JWT_SECRET,
    supabase: env.SUPABASE_URL
      ? {
          url: env.SUPABASE_URL,
          anonKey: env.SUPABASE_ANON_KEY ?? '',
          serviceRoleKey: env.SUPABASE_SERVICE_ROLE_KEY ?? '',
          /** The connection of its owner, which only moving a site there uses. */
          databaseUrl: env.SUPABASE_DB_URL,
        }
      : undefined,
    backup: {
      directory: env.BACKUP_DIR ? resolve(env.BACKUP_DIR) : undefined,
      /** The hours between two automatic backups; 0, or no folder, switches them off. */
      every: env.BACKUP_EVERY,
      keep: env.BACKUP_KEEP,
      key: env.BACKUP_KEY,
      /** The bucket to which the folder is copied. */
      offsite: offsiteOf(env, env.BACKUP_COPY),
      /**
       * Whether the write-ahead log of the database is archived continuously; that of an external server is
       * its operator's responsibility.
       */
      continuous: Boolean(env.BACKUP_DIR && env.BACKUP_EVERY && !env.DATABASE_URL && !env.SUPABASE_URL),
    },
    /** The hours between two field packs that the site offers; 0 for none. */
    fieldPackEvery: env.FIELD_PACK_EVERY,
    metricsToken: env.METRICS_TOKEN,
    logLevel: env.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    trustProxy: env.TRUST_PROXY === 'true',
    functionsDir: resolve(root, 'supabase/functions'),
    /** As long as a function may take: a long film must be converted in it. */
    functionSeconds: 400 as number,
    maxHeld: MAX_HELD as Record<Kind, number>,
    /** The cost of bcrypt; the same as in Supabase's own service. */
    passwordCost: 10 as number,
    /** The time between two rounds of deleting expired rows. */
    housekeepingSeconds: 600 as number,
    ...project,
    auth: { ...project.auth, site_url: project.auth.site_url.replace(/\/$/, '') || siteUrl },
  });
}

type Environment = z.output<typeof environmentSchema>;

/** A folder of a bucket, with the store and the key of the S3 settings. */
function bucketOf(env: Environment, bucket: string, folder: string) {
  return {
    /** Amazon's own when unset. */
    endpoint: env.S3_ENDPOINT?.replace(/\/+$/, ''),
    region: env.S3_REGION,
    bucket,
    /** Blank, or a folder with a slash at its end. */
    prefix: folder.replace(/([^/])$/, '$1/'),
    accessKeyId: env.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? '',
  };
}

function offsiteOf(env: Environment, address: string | undefined) {
  const [, bucket = '', folder = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address ?? '') ?? [];
  return bucket ? bucketOf(env, bucket, folder) : undefined;
}
