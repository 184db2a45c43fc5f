import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '#backend/config.ts';
import { rehearsalSettings } from './copy.ts';

it('gives a rehearsal nothing by which it could reach people, a bucket, a backup or another database', () => {
  const live = {
    OPERATOR_NAME: 'Limbs Ltd',
    PATH: '/usr/bin',
    NODE_ENV: 'production',
    SITE_URL: 'https://limbs.example.org',
    DATABASE_URL: 'postgresql://limbs@db.example.org/limbs',
    SMTP_URL: 'smtp://mail.example.org',
    SMS_GATEWAY_URL: 'https://sms.example.org',
    BACKUP_DIR: '/backup',
    BACKUP_COPY: 's3://limbs/backup',
    BACKUP_KEY: 'sixteen letters or more',
    S3_BUCKET: 'limbs',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  const settings = rehearsalSettings(live, { DATA_DIR: '/srv/data-rehearsal/data', PORT: '4000' });
  expect(settings.PATH).toBe('/usr/bin');
  expect(readConfig(resolve(import.meta.dirname, '../..'), settings)).toMatchObject({
    operator: { name: 'Limbs Ltd' },
    production: false,
    siteUrl: 'http://127.0.0.1:4000',
    dataDir: '/srv/data-rehearsal/data',
    databaseUrl: undefined,
    s3: undefined,
    smtpUrl: undefined,
    smsGateway: undefined,
    supabase: undefined,
    fieldPackEvery: 0,
    backup: { directory: undefined, continuous: false, offsite: undefined, key: undefined },
  });
});
