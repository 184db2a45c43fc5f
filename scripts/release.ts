import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import { VERSION } from '#server/version.mjs';
import { phonePicture } from '../tests/media/files.ts';
import { freePort, run, start } from '../tests/operation/site.ts';
import { isRecorded } from '../tests/runner/parts.ts';
import { stateOf } from '../tests/upgrade/state.ts';

// Freezes the migrations of this version by their hashes, and makes the backup of a site by which the tests of every later version
// show that it takes such a site over: the demo content, and what a member has on the way.

const root = resolve(import.meta.dirname, '..');
const list = join(root, 'supabase/released.sha256');
const fail = (sentence: string) => {
  console.error(sentence);
  process.exit(1);
};

if (
  !new RegExp(`^## ${VERSION}, \\d+ \\w+ 20\\d\\d$`, 'm').test(
    readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
  )
)
  fail(`CHANGELOG.md has no date for version ${VERSION}; write "## ${VERSION}, 1 January 2027".`);
if (!isRecorded(root))
  fail(
    'All tests have to have passed on what is released: run "npm test -- --all", and commit tests/runner/last-all.json.',
  );
const hashes = readdirSync(join(root, 'supabase/migrations'))
  .sort()
  .map((name) => {
    const text = readFileSync(join(root, 'supabase/migrations', name));
    return `${createHash('sha256').update(text).digest('hex')}  migrations/${name}`;
  });
const released = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : [];
const changed = released.find((line) => !hashes.includes(line));
if (changed) fail(`${changed.slice(66)} was released and has changed; add a new migration instead.`);
writeFileSync(list, `${hashes.join('\n')}\n`);

const directory = mkdtempSync(join(tmpdir(), 'limb-commons-release-'));
chmodSync(directory, 0o711);
const settings = { DATA_DIR: join(directory, 'data'), PORT: await freePort() };
const site = await start(settings);
try {
  const { apiUrl, anonKey, databaseUrl } = JSON.parse(
    readFileSync(join(settings.DATA_DIR, 'instance.json'), 'utf8'),
  );
  const signIn = async (email: string) => {
    const client = createClient(apiUrl, anonKey, { auth: { persistSession: false } });
    const { data, error } = await client.auth.signInWithPassword({ email, password: 'limb-commons-demo' });
    if (error) throw error;
    return { client, id: data.user.id, refreshToken: data.session.refresh_token };
  };
  const { client: member, id, refreshToken } = await signIn('member@example.org');
  await member
    .from('solution_drafts')
    .insert({ user_id: id, content: { title: 'A half written case' } })
    .throwOnError();
  const image = new FormData();
  image.set('userId', id);
  image.set(
    'file',
    new File([new Uint8Array(await phonePicture('jpeg'))], 'bench.jpg', { type: 'image/jpeg' }),
  );
  const { error: refused } = await member.functions.invoke('process-media-upload', { body: image });
  if (refused) throw refused;

  const { data: other } = await member
    .from('forum_topics')
    .select('id')
    .neq('user_id', id)
    .limit(1)
    .single()
    .throwOnError();
  await member
    .from('content_reports')
    .insert({ reporter_id: id, content_type: 'topic', content_id: other.id, reason: 'It names a patient.' })
    .throwOnError();

  const { client: admin } = await signIn('admin@example.org');
  await admin
    .from('site_settings')
    .update({ site_name: 'Limbs of Leeds' })
    .eq('only_row', true)
    .throwOnError();
  const { data: factor, error } = await admin.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
  if (error) throw error;
  const { secret } = factor.totp;
  await admin.auth.mfa.challengeAndVerify({
    factorId: factor.id,
    code: new TOTP({ secret: Secret.fromBase32(secret) }).generate(),
  });

  // What makes the backup large, and shows nothing that the other solutions do not.
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(
    `delete from public.solutions where status = 'approved' and id <> all (
       array(select id from public.solutions where status = 'approved' order by title = $1 desc, created_at limit 8)
     )`,
    ['Violin bow adapter with a free wrist joint'],
  );
  for (;;) {
    const { rowCount } = await database.query('select from public.media_jobs limit 1');
    if (!rowCount) break;
    await wait(100);
  }
  await database.end();

  const state = await stateOf(apiUrl, anonKey, member);
  const file = join(root, 'tests/upgrade', `${VERSION}.tar`);
  rmSync(file, { force: true });
  const backup = run('backup', settings, [file]);
  if ((await backup.exited).code !== 0) throw new Error(backup.output());
  writeFileSync(
    join(root, 'tests/upgrade', `${VERSION}.json`),
    `${JSON.stringify({ refreshToken, secret, state }, null, 2)}\n`,
  );
  console.log(backup.output());
} finally {
  site.process.kill('SIGTERM');
  await site.exited;
  rmSync(directory, { recursive: true, force: true });
}
