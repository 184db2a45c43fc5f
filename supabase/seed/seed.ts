import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { seedFiles } from './build-files/seed-files.ts';
import { CLIPS } from './clips.ts';
import { seedCollections } from './collections.ts';
import { seedFabrication } from './fabrication.ts';
import { demoResources, demoTopics } from './forum.ts';
import { demoOutcomes } from './outcomes.ts';
import { demoMembers } from './people.ts';
import { posterOf, renderings } from './pictures.ts';
import { complete, DAY, daysAgo, idOf, isComplete, memberId, must, UNFINISHED } from './rows.ts';
import { DEMO_PASSWORD } from './sign-ins.ts';
import { type DemoSolution, demoSolutions } from './solutions.ts';
import { seedTrials } from './trials.ts';
import { seedVersions } from './versions.ts';

/** The edge of an avatar, in pixels. */
const AVATAR_SIZE = 256;

/**
 * Adds the demo content. May be repeated: existing rows stay as they are.
 *
 * @param client signed in with the service role key
 * @returns how many solutions were added
 */
export async function seedDemoData(
  client: SupabaseClient,
  progress: (step: string) => void = () => {},
): Promise<{ solutions: number }> {
  const since = daysAgo(0);
  await seedMembers(client);
  const missing: DemoSolution[] = [];
  for (const solution of demoSolutions)
    if (!(await isComplete(client, 'solutions', idOf('solution', solution.title)))) missing.push(solution);
  let nextMedia = missing[0] && storeMedia(client, missing[0]);
  for (const [index, solution] of missing.entries()) {
    if (index % 6 === 0) progress(`Adding demo content (${index + 1} of ${missing.length} solutions)`);
    const media = await nextMedia;
    const next = missing[index + 1];
    // Files are stored while rows are written.
    nextMedia = next && storeMedia(client, next);
    nextMedia?.catch(() => undefined);
    await seedSolution(client, solution, media ?? []);
  }
  await seedVersions(client);
  await seedTrials(client);
  await seedCollections(client);
  await seedForum(client);
  await seedMessages(client);
  await dateNotifications(client, since);
  await seedPageViews(client);
  return { solutions: missing.length };
}

async function seedMembers(client: SupabaseClient) {
  await Promise.all(
    demoMembers.map(async (member) => {
      const { error } = await client.auth.admin.createUser({
        id: memberId(member.key),
        email: member.email,
        password: DEMO_PASSWORD,
        email_confirm: true,
        app_metadata: { demo: true },
        user_metadata: { declaration_version: '2026-11-01' },
      });
      if (error && error.code !== 'email_exists')
        throw new Error(`Demo content: ${error.message}`, { cause: error });
      const { key, email: _email, role, registration, ...profile } = member;
      const isWritten = client
        .from('profiles')
        .select('id')
        .eq('id', memberId(key))
        .lt('created_at', daysAgo(300));
      if (error && (await must(isWritten.maybeSingle()))) return;
      await must(
        client
          .from('profiles')
          .update({ ...profile, avatar_url: await storeAvatar(client, key) })
          .eq('id', memberId(key)),
      );
      if (registration) await seedRegistration(client, member.full_name, memberId(key), registration);
      if (role)
        await must(
          client.from('user_roles').upsert({ user_id: memberId(key), role }, { ignoreDuplicates: true }),
        );
      // The accounts are older than their content, and exempt from the limits for newcomers.
      await complete(client, 'profiles', memberId(key), daysAgo(400));
    }),
  );
}

/** States a member's registration: waiting, checked by a moderator, or checked so long ago that it has lapsed. */
async function seedRegistration(
  client: SupabaseClient,
  checked_name: string,
  user_id: string,
  { register, number, days_ago }: NonNullable<(typeof demoMembers)[number]['registration']>,
) {
  const decided =
    days_ago === undefined
      ? { submitted_at: daysAgo(1, -5) }
      : { submitted_at: daysAgo(days_ago + 1), decided_at: daysAgo(days_ago), checked_name };
  const state =
    days_ago === undefined
      ? { state: 'waiting' }
      : days_ago > 365
        ? { state: 'lapsed' }
        : { state: 'checked', checklist: { name: true, number: true, current: true } };
  await must(client.from('member_registrations').delete().eq('user_id', user_id));
  await must(client.from('member_registrations').insert({ user_id, register, number, ...decided, ...state }));
}

/** Stores a member's drawn avatar and returns its URL; some members have none, as in life. */
async function storeAvatar(client: SupabaseClient, key: string): Promise<string | null> {
  const drawing = join(import.meta.dirname, 'avatars', `${key}.svg`);
  if (!existsSync(drawing)) return null;
  const path = `${memberId(key)}/demo.webp`;
  const body = await sharp(await readFile(drawing), { density: 144 })
    .resize(AVATAR_SIZE)
    .webp({ quality: 86 })
    .toBuffer();
  await must(
    client.storage
      .from('avatars')
      .upload(path, body, { contentType: 'image/webp', upsert: true, cacheControl: '31536000' }),
  );
  return `/storage/v1/object/public/avatars/${path}`;
}

/** Stores a solution's files, and returns the rows that name them. */
async function storeMedia(client: SupabaseClient, demo: DemoSolution) {
  const id = idOf('solution', demo.title);
  const author = memberId(demo.author);
  const isPublic = demo.status === 'approved' && !demo.audience;
  const bucket = isPublic ? 'solution-media' : 'pending-media';
  const base = `/storage/v1/object/${isPublic ? 'public' : 'authenticated'}/${bucket}`;
  const store = async (path: string, body: Buffer, contentType: string) => {
    await must(
      client.storage.from(bucket).upload(path, body, { contentType, upsert: true, cacheControl: '31536000' }),
    );
    return `${base}/${path}`;
  };

  const media = await Promise.all(
    demo.pictures.map(async (picture, position) => {
      const folder = `${author}/${idOf(demo.title, 'picture', position)}`;
      const { full, card, thumb, width, height } = await renderings(picture);
      return {
        id: idOf(demo.title, 'media', position),
        solution_id: id,
        media_url: await store(`${folder}/full.webp`, full, 'image/webp'),
        compressed_url: await store(`${folder}/card.webp`, card, 'image/webp'),
        thumbnail_url: await store(`${folder}/thumb.webp`, thumb, 'image/webp'),
        media_type: 'image',
        description: picture.description,
        position,
        width,
        height,
        duration_seconds: null as number | null,
      };
    }),
  );
  if (demo.clip) {
    const folder = `${author}/${idOf(demo.title, 'clip')}`;
    const { card: poster } = await renderings(posterOf(demo.clip.name));
    const video = await store(
      `${folder}/video.mp4`,
      await readFile(join(import.meta.dirname, 'clips', `${demo.clip.name}.mp4`)),
      'video/mp4',
    );
    media.push({
      id: idOf(demo.title, 'clip', 'media'),
      solution_id: id,
      media_url: video,
      compressed_url: video,
      thumbnail_url: await store(`${folder}/poster.webp`, poster, 'image/webp'),
      media_type: 'video',
      description: demo.clip.description,
      position: demo.pictures.length,
      width: 960,
      height: 540,
      duration_seconds: CLIPS[demo.clip.name].seconds,
    });
  }
  return media;
}

/** Writes a solution's rows. */
async function seedSolution(
  client: SupabaseClient,
  demo: DemoSolution,
  media: Awaited<ReturnType<typeof storeMedia>>,
) {
  const id = idOf('solution', demo.title);
  const author = memberId(demo.author);
  const {
    author: _author,
    pictures: _pictures,
    clip: _clip,
    consent,
    days_ago,
    likes,
    comments,
    ...fields
  } = demo;
  const created_at = daysAgo(days_ago, -3);
  // One that was cut off after its approval was withdrawn with its removal.
  await must(client.from('withdrawn_solutions').delete().eq('id', id));
  await must(
    client.from('solutions').insert({
      ...fields,
      id,
      user_id: author,
      licence: 'CC BY 4.0',
      // No solution is approved before there is consent.
      status: demo.status === 'approved' ? 'pending' : demo.status,
      created_at: UNFINISHED,
      submitted_at: created_at,
    }),
  );
  await must(client.from('solution_media').insert(media));
  await must(
    client.from('solution_consents').insert({
      solution_id: id,
      basis: consent,
      statement_version: '2026-11-01',
      recorded_by: author,
      recorded_at: created_at,
    }),
  );
  const outcomes = (demoOutcomes[demo.title] ?? []).map((outcome, position) => ({
    people_before: null,
    score_before: null,
    device_before: null,
    ...outcome,
    id: idOf(demo.title, 'outcome', position),
    solution_id: id,
    position,
  }));
  if (outcomes.length > 0) await must(client.from('solution_outcomes').insert(outcomes));
  await seedFabrication(client, { id, title: demo.title }, media);
  const isPublic = demo.status === 'approved' && !demo.audience;
  await seedFiles(client, { id, title: demo.title, author, isPublic });
  const decided_at = daysAgo(days_ago, 14);
  if (demo.status === 'approved') {
    await must(client.from('solutions').update({ status: 'approved', approved_at: decided_at }).eq('id', id));
    await must(client.from('solution_versions').update({ published_at: decided_at }).eq('solution_id', id));
  }
  await must(client.from('solution_reviews').update({ created_at }).eq('solution_id', id));
  await must(
    client
      .from('solution_reviews')
      .update({
        reviewer_id: memberId(demo.author === 'henrik' ? 'ruth' : 'henrik'),
        created_at: decided_at,
      })
      .eq('solution_id', id)
      .in('decision', ['approved', 'rejected']),
  );

  if (likes.length > 0)
    await must(
      client.from('likes').insert(likes.map((key) => ({ solution_id: id, user_id: memberId(key) }))),
    );
  // Spread over the days since, never in the future.
  const at = (index: number, step: number) =>
    daysAgo(days_ago * (1 - (index + step / 4 + 1) / (comments.length + 2)));
  const firstLevel = comments.map(([key, content], index) => ({
    id: idOf(demo.title, 'comment', index),
    solution_id: id,
    user_id: memberId(key),
    content,
    created_at: at(index, 0),
  }));
  const replies = comments.flatMap(([, , own = []], index) =>
    own.map(([replier, reply], step) => ({
      id: idOf(demo.title, 'comment', index, step),
      solution_id: id,
      user_id: memberId(replier),
      content: reply,
      parent_comment_id: idOf(demo.title, 'comment', index),
      created_at: at(index, step + 1),
    })),
  );
  for (const rows of [firstLevel, replies])
    if (rows.length > 0) await must(client.from('comments').insert(rows));
  // Triggers have just created notifications; their dates are set back to the days of the events.
  await must(
    client
      .from('notifications')
      .update({ created_at: daysAgo(days_ago / 2), is_read: days_ago > 5 })
      .eq('solution_id', id),
  );
  await complete(client, 'solutions', id, created_at);
}

async function seedForum(client: SupabaseClient) {
  for (const topic of demoTopics) {
    const { author, posts, days_ago, ...fields } = topic;
    const id = idOf('topic', topic.title);
    if (await isComplete(client, 'forum_topics', id)) continue;
    await must(
      client.from('forum_topics').insert({
        ...fields,
        id,
        user_id: memberId(author),
        created_at: UNFINISHED,
        views_count: 18 + posts.length * 23 + Math.round(days_ago),
      }),
    );
    if (posts.length > 0)
      await must(
        client.from('forum_posts').insert(
          posts.map(([key, content], index) => ({
            id: idOf('post', topic.title, index),
            topic_id: id,
            user_id: memberId(key),
            content,
            created_at: daysAgo(days_ago * (1 - (index + 1) / (posts.length + 1))),
          })),
        ),
      );
    await must(
      client
        .from('notifications')
        .update({ created_at: daysAgo(days_ago / 2), is_read: days_ago > 5 })
        .eq('forum_topic_id', id),
    );
    await complete(client, 'forum_topics', id, daysAgo(days_ago));
  }
  await must(
    client.from('resource_suggestions').upsert(
      demoResources.map(({ author, ...resource }) => ({
        ...resource,
        id: idOf('resource', resource.resource_url),
        user_id: memberId(author),
      })),
      { ignoreDuplicates: true },
    ),
  );
}

async function seedMessages(client: SupabaseClient) {
  const bow = demoSolutions[0];
  await must(
    client.from('messages').upsert(
      [
        {
          id: idOf('message', 1),
          sender_id: memberId('leila'),
          recipient_id: memberId('amara'),
          subject: bow?.title,
          content: 'Would the joint carry a cello bow? I have a fourteen-year-old who asks every week.',
          solution_id: bow ? idOf('solution', bow.title) : null,
          created_at: daysAgo(1, -2),
          read: false,
        },
        {
          id: idOf('message', 2),
          sender_id: memberId('grace'),
          recipient_id: memberId('amara'),
          subject: 'Rig time on Thursday',
          solution_id: null,
          content: 'The cam rig is free from two. Bring three clamps if you can, so that we have a spread.',
          created_at: daysAgo(3),
          read: true,
        },
      ],
      { ignoreDuplicates: true },
    ),
  );
}

/** The notifications of messages and badges that triggers have created since then get the days of what they are about. */
async function dateNotifications(client: SupabaseClient, since: string) {
  const ofThisRun = (row: { created_at: string; is_read: boolean }) =>
    client.from('notifications').update(row).gte('created_at', since);
  const [newest, earlier] = [daysAgo(1, -2), daysAgo(3)];
  await must(ofThisRun({ created_at: newest, is_read: false }).eq('message_id', idOf('message', 1)));
  await must(ofThisRun({ created_at: earlier, is_read: true }).eq('message_id', idOf('message', 2)));
  await must(
    ofThisRun({ created_at: daysAgo(4), is_read: true })
      .eq('type', 'badge_earned')
      .in(
        'user_id',
        demoMembers.map(({ key }) => memberId(key)),
      ),
  );
}

/**
 * Page views, more on weekdays, so that the dashboard has figures to show. They are of five whole weeks,
 * which have as many weekends whichever day it is today.
 */
async function seedPageViews(client: SupabaseClient) {
  const { count } = await client.from('page_views').select('id', { count: 'exact', head: true });
  if (count) return;
  const paths = [
    '/',
    '/browse',
    '/forum',
    ...demoSolutions.slice(0, 6).map((solution) => `/solutions/${idOf('solution', solution.title)}`),
  ];
  const views = Array.from({ length: 35 }, (_, day) => {
    const weekday = new Date(Date.now() - day * DAY).getDay();
    return Array.from({ length: weekday === 0 || weekday === 6 ? 9 : 22 }, (_, visit) => ({
      page_path: paths[(day + visit * 5) % paths.length],
      viewed_at: daysAgo(day, -visit / 3),
    }));
  }).flat();
  await must(client.from('page_views').insert(views));
}
