import { randomUUID } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { ConfigError } from '../config-project.ts';
import { answerOf, createS3Client, isFull, reasonOf, type S3Settings } from './s3-client.ts';

/** The lead of a clock that stores still accept. */
const MAX_SKEW_MS = 300_000;
/** Names the site whose files are in the bucket, so that no other one sweeps them away as strays. */
const OWNER = 'site.json';

/**
 * Tries all that the site needs of its bucket: to write, read, list and remove, that no one else reads, and the time.
 *
 * @throws ConfigError that says what is wrong; nothing is changed then
 */
export async function checkStore(settings: S3Settings): Promise<void> {
  const client = createS3Client(settings);
  const probe = { Bucket: settings.bucket, Key: `${settings.prefix}probe-${randomUUID()}` };
  const content = randomUUID();
  try {
    await attempt(settings, 'write', () => client.send(new PutObjectCommand({ ...probe, Body: content })));
    try {
      checkClock(client);
      const found = await attempt(settings, 'read', async () =>
        (await client.send(new GetObjectCommand(probe))).Body?.transformToString(),
      );
      if (found !== content)
        throw new ConfigError(`${nameOf(settings)} does not give back what was written to it.`);
      await attempt(settings, 'list', () =>
        client.send(new ListObjectsV2Command({ Bucket: probe.Bucket, Prefix: probe.Key })),
      );
      await refusePublic(settings, probe);
    } finally {
      await attempt(settings, 'remove', () => client.send(new DeleteObjectCommand(probe)));
    }
  } finally {
    client.destroy();
  }
}

/** The site whose files are in the bucket; undefined when there are none. */
export async function readOwner(settings: S3Settings): Promise<string | undefined> {
  const { bucket, prefix } = settings;
  const client = createS3Client(settings);
  try {
    const text = await attempt(settings, 'read', async () => {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: prefix + OWNER }));
        return await Body?.transformToString();
      } catch (error) {
        if (answerOf(error).code === 'NoSuchKey') return undefined;
        throw error;
      }
    });
    if (text !== undefined) return JSON.parse(text).id;
    const { KeyCount = 0 } = await attempt(settings, 'list', () =>
      client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `${prefix}files/`, MaxKeys: 1 })),
    );
    // Files of no known site are not ours either.
    return KeyCount > 0 ? 'unknown' : undefined;
  } finally {
    client.destroy();
  }
}

/** Writes down whose files the bucket holds, or that they are no one's. */
export async function writeOwner(settings: S3Settings, id: string | undefined): Promise<void> {
  const client = createS3Client(settings);
  const owner = { Bucket: settings.bucket, Key: settings.prefix + OWNER };
  try {
    await attempt(settings, id ? 'write' : 'remove', async () => {
      if (id) await client.send(new PutObjectCommand({ ...owner, Body: JSON.stringify({ id }) }));
      else await client.send(new DeleteObjectCommand(owner));
    });
  } finally {
    client.destroy();
  }
}

const nameOf = ({ bucket, endpoint }: S3Settings) =>
  `The bucket ${bucket}${endpoint ? ` at ${endpoint}` : ''}`;

async function attempt<T>(settings: S3Settings, what: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(sentenceOf(settings, what, error), { cause: error });
  }
}

function sentenceOf(settings: S3Settings, what: string, error: unknown): string {
  const { bucket, endpoint, region } = settings;
  const store = endpoint ?? 'Amazon S3';
  const { code, status } = answerOf(error);
  if (isFull(error)) return `${nameOf(settings)} is full.`;
  switch (code) {
    case 'NoSuchBucket':
      return `There is no bucket ${bucket} at ${store}; make one, or name one that is there.`;
    case 'InvalidAccessKeyId':
      return `${store} does not know the key of S3_ACCESS_KEY_ID.`;
    case 'SignatureDoesNotMatch':
      return `S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID at ${store}.`;
    case 'RequestTimeTooSkewed':
      return `The clock of this machine and that of ${store} are too far apart; set the clock.`;
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
    case 'IllegalLocationConstraintException':
      return `${nameOf(settings)} is not in the region ${region}; set S3_REGION to its own.`;
  }
  if (status === 401 || status === 403)
    return `The key of S3_ACCESS_KEY_ID may not ${what} in the bucket ${bucket}; it has to read, write, list and remove.`;
  if (status === undefined) return `S3_ENDPOINT ${store} does not answer: ${reasonOf(error)}.`;
  return `${store} refused to ${what} in the bucket ${bucket}: ${reasonOf(error)}.`;
}

function checkClock({ config }: S3Client): void {
  const minutes = Math.round(Math.abs(config.systemClockOffset) / 60_000);
  if (Math.abs(config.systemClockOffset) > MAX_SKEW_MS)
    throw new ConfigError(
      `The clock of this machine is ${minutes} minutes ${config.systemClockOffset > 0 ? 'behind' : 'ahead of'} that of the store of files; set the clock.`,
    );
}

async function refusePublic(settings: S3Settings, probe: { Bucket: string; Key: string }): Promise<void> {
  const stranger = createS3Client(settings, { anonymous: true });
  try {
    await stranger.send(new GetObjectCommand(probe));
  } catch {
    return;
  } finally {
    stranger.destroy();
  }
  throw new ConfigError(
    `${nameOf(settings)} lets anyone read; make it private, since the site decides who reads which file.`,
  );
}
