import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { demoMembers } from '../../../supabase/seed/people.ts';
import { DEMO_PASSWORD } from '../../../supabase/seed/sign-ins.ts';
import { SOLUTION } from '../../solution.ts';
import { TIMEOUT_MS } from '../../timeouts.ts';

/* A day's mixture of visits at once, by the demo members, over HTTP. Acknowledged writes are recorded. */

/** The site's URL, and its keys. */
export interface Place {
  url: string;
  anonKey: string;
  serviceRoleKey: string;
}

/** A write that was answered with success, and must hold from then on. */
export interface Fact {
  kind:
    | 'comment'
    | 'decision'
    | 'like'
    | 'like taken back'
    | 'message'
    | 'page view'
    | 'reply'
    | 'solution'
    | 'upload'
    | 'withdrawal';
  /** The row's id, or the id with which the client sent it. */
  id: string;
  member: string;
  solution?: string;
  /** The decision. */
  status?: string;
  /** The names of the files of an upload. */
  names?: string[];
}

export type Act =
  | 'clip'
  | 'comment'
  | 'decision'
  | 'hang-up'
  | 'like'
  | 'like taken back'
  | 'listening'
  | 'message'
  | 'page'
  | 'page view'
  | 'reply'
  | 'search'
  | 'search page'
  | 'sign-in'
  | 'solution page'
  | 'submission'
  | 'suggestion'
  | 'topic view'
  | 'upload'
  | 'withdrawal';

export interface Load {
  /** Counts of the requests: by kind, then by outcome. */
  answers: Map<string, Map<string, number>>;
  /** Visits of topics by topic: how many were sent, and how many of these were acknowledged. */
  views: Map<string, { asked: number; answered: number }>;
  facts(): Fact[];
  /** Uploads without a solution may be deleted from now on. */
  forgetUploads(): void;
  /** All members come and go until the signal; resolves when each has finished their present act. */
  run(signal: AbortSignal): Promise<void>;
}

/** The beginnings of the load's texts, which distinguish its emails. */
export const MESSAGE_SUBJECT = 'The rig on Thursday, ';
export const SOLUTION_TITLE = 'A bracket for rowing, number ';

const WORDS = 'socket,liner,knee,violin,carbon foot,running blade,child,swim,so,grip'.split(',');
const PAGES = ['/', '/browse', '/forum', '/about', '/resources', '/status', '/sitemap.xml'];
const PICTURES = 12;

interface Mixture {
  people: number;
  /** The frequency of each act, relative to the others; an act without a weight is not done. */
  weights: Partial<Record<Act, number>>;
  /** The width of the largest picture, in pixels; the others are smaller by twelfths. */
  edge: number;
  /** A person's own source of numbers from 0 to 1. */
  randomOf(person: number): () => number;
}

export async function openLoad(
  { url, anonKey, serviceRoleKey }: Place,
  { people, weights, edge, randomOf }: Mixture,
): Promise<Load> {
  const answers: Load['answers'] = new Map();
  const views: Load['views'] = new Map();
  const facts = new Map<string, Fact>();
  /** Solutions whose author has requested their deletion; the rows show the result. */
  const withdrawn = new Set<string>();
  const auth = { persistSession: false, autoRefreshToken: false };
  const service = createClient(url, serviceRoleKey, { auth });
  const ids = async (table: string, column: string, value: string) => {
    const { data } = await service
      .from(table)
      .select('id')
      .eq(column, value)
      .order('created_at', { ascending: false })
      .limit(40);
    return (data ?? []).map(({ id }) => id as string);
  };
  let solutions = await ids('solutions', 'status', 'approved');
  const topics = await ids('forum_topics', 'is_locked', 'false');
  const { data: profiles } = await service.from('profiles').select('id,username');
  const idOf = new Map((profiles ?? []).map(({ username, id }) => [username as string, id as string]));
  const pictures = await Promise.all(
    Array.from({ length: PICTURES }, (_, index) => picture(Math.round((edge * (index + 1)) / PICTURES))),
  );
  const clip = new Blob(
    [readFileSync(resolve(import.meta.dirname, '../../../supabase/seed/clips/handlebar-gripper.mp4'))],
    {
      type: 'video/mp4',
    },
  );

  function count(kind: string, outcome: string): void {
    const outcomes = answers.get(kind) ?? new Map<string, number>();
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    answers.set(kind, outcomes);
  }

  /** One person who comes again and again, each time for another act. */
  function person(number: number): (signal: AbortSignal) => Promise<void> {
    const random = randomOf(number);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const member = demoMembers[number % demoMembers.length] as (typeof demoMembers)[number];
    const id = idOf.get(member.username) ?? '';
    const others = [...idOf.values()].filter((each) => each !== id);
    const mine: string[] = [];
    let address = '';
    let client: SupabaseClient;
    let token = '';

    const note = (kind: string, { status, error }: { status: number; error: { message: string } | null }) => {
      count(kind, error ? `${status} ${error.message.slice(0, 60)}` : 'done');
      return !error;
    };
    const acknowledged = (fact: Omit<Fact, 'member'>, key = `${fact.kind} ${fact.id}`) =>
      facts.set(key, { ...fact, member: id });
    /** Writes a row with a unique id. */
    const write = async (
      kind: Fact['kind'],
      table: string,
      row: Record<string, unknown>,
      solution?: string,
    ) => {
      const number = randomUUID();
      const answer = await client.from(table).insert({ ...row, submission_id: number });
      if (note(kind, answer)) acknowledged({ kind, id: number, ...(solution && { solution }) });
    };

    const come = async () => {
      address = `10.${number}.${Math.floor(random() * 250)}.${1 + Math.floor(random() * 250)}`;
      client = createClient(url, anonKey, {
        auth,
        // A request that the client repeats would be counted as one.
        db: { retry: false },
        global: { headers: { 'x-forwarded-for': address } },
        realtime: { params: { apikey: anonKey } },
      });
      const { data, error } = await client.auth.signInWithPassword({
        email: member.email,
        password: DEMO_PASSWORD,
      });
      count('sign-in', error ? `${error.status} ${error.code}` : 'done');
      token = data.session?.access_token ?? '';
    };
    const page = async (path: string) => {
      const answer = await fetch(url + path, { headers: { 'x-forwarded-for': address } });
      await answer.arrayBuffer();
      count('page', answer.ok ? 'done' : `${answer.status} ${path.replace(/[0-9a-f-]{36}.*/, '…')}`);
    };
    const upload = async (file: Blob, name: string) => {
      const form = new FormData();
      form.set('userId', id);
      form.set('file', file, name);
      const answer = await fetch(`${url}/functions/v1/process-media-upload`, {
        method: 'POST',
        headers: { apikey: anonKey, authorization: `Bearer ${token}`, 'x-forwarded-for': address },
        body: form,
      });
      const body = await answer.json();
      count('upload', answer.ok ? 'done' : `${answer.status} ${String(body.message).slice(0, 60)}`);
      if (!answer.ok) return undefined;
      const urls: string[] = [body.originalUrl, body.compressedUrl, body.thumbnailUrl];
      acknowledged({
        kind: 'upload',
        id: body.originalUrl,
        names: urls.map((each) => each.replace('/storage/v1/object/authenticated/pending-media/', '')),
      });
      return body.originalUrl as string;
    };
    const share = async () => {
      const media_url = await upload(pick(pictures), 'a.jpg');
      if (!media_url) return;
      const submission_id = randomUUID();
      const { data, ...answer } = await client.rpc('submit_solution', {
        solution: { ...SOLUTION, title: `${SOLUTION_TITLE}${randomUUID()}` },
        media: [{ media_url, description: 'The bracket on its bench' }],
        thumbnail_url: '',
        consent: 'no_identifiable_person',
        consent_version: '2026-11-01',
        submission_id,
      });
      if (!note('submission', answer)) return;
      const solution = data as string;
      acknowledged({ kind: 'solution', id: submission_id, solution });
      const fact = facts.get(`upload ${media_url}`);
      if (fact) facts.set(`upload ${media_url}`, { ...fact, solution });
      mine.push(solution);
    };
    const decide = async () => {
      const { data } = await client
        .from('solutions')
        .select('id')
        .eq('status', 'pending')
        .neq('user_id', id)
        .limit(10);
      const solution = pick(data ?? [])?.id as string | undefined;
      if (!solution) return;
      const status = random() < 0.8 ? 'approved' : 'rejected';
      const { data: decided, ...answer } = await client
        .from('solutions')
        .update({ status, ...(status === 'rejected' && { rejection_reason: 'A label can be read.' }) })
        .eq('id', solution)
        .eq('status', 'pending')
        .select('id');
      if (note('decision', answer) && decided?.length === 1)
        acknowledged({ kind: 'decision', id: solution, solution, status });
      solutions = await ids('solutions', 'status', 'approved').then((now) =>
        now.length > 0 ? now : solutions,
      );
    };
    const withdraw = async () => {
      const [solution] = mine.splice(Math.floor(random() * mine.length), 1);
      if (!solution) return;
      withdrawn.add(solution);
      if (note('withdrawal', await client.from('solutions').delete().eq('id', solution)))
        acknowledged({ kind: 'withdrawal', id: solution });
    };
    const like = async (wanted: boolean) => {
      const solution = pick(solutions);
      const key = `like ${id} ${solution}`;
      // Until the response either may be true.
      facts.delete(key);
      const likes = client.from('likes');
      const answer = wanted
        ? await likes.upsert(
            { solution_id: solution, user_id: id },
            { onConflict: 'solution_id,user_id', ignoreDuplicates: true },
          )
        : await likes.delete().eq('user_id', id).eq('solution_id', solution);
      const kind = wanted ? 'like' : 'like taken back';
      if (note(kind, answer)) acknowledged({ kind, id: solution, solution }, key);
    };
    const visitTopic = async () => {
      const topic = pick(topics);
      const visits = views.get(topic) ?? { asked: 0, answered: 0 };
      views.set(topic, visits);
      visits.asked += 1;
      if (note('topic view', await client.rpc('increment_topic_views', { topic }))) visits.answered += 1;
    };
    const view = async () => {
      const session_id = randomUUID();
      const answer = await client
        .from('page_views')
        .insert({ page_path: pick(PAGES), user_id: id, session_id });
      if (note('page view', answer)) acknowledged({ kind: 'page view', id: session_id });
    };
    const listen = async () => {
      const channel = client.channel(randomUUID());
      const joined = await new Promise<string>((settled) => {
        const late = setTimeout(() => settled('late'), TIMEOUT_MS);
        channel
          .on(
            'postgres_changes',
            { event: '*', schema: 'public', table: 'comments', filter: `solution_id=eq.${pick(solutions)}` },
            () => count('change', 'heard'),
          )
          .subscribe((state, error) => {
            clearTimeout(late);
            settled(error ? error.message : state);
          });
      });
      count('socket', joined === 'SUBSCRIBED' ? 'done' : joined);
      await wait(500 + random() * 3_000);
      await client.removeAllChannels();
      await client.realtime.disconnect();
    };
    /** Begins a request and disconnects in the middle of it. */
    const hangUp = async () => {
      const { port, host } = new URL(url);
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      const head =
        random() < 0.5
          ? `GET /browse?q=${encodeURIComponent(pick(WORDS))}&page=${randomUUID()} HTTP/1.1\r\n`
          : 'POST /functions/v1/process-media-upload HTTP/1.1\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 5000000\r\n';
      socket.write(
        `${head}host: ${host}\r\nx-forwarded-for: ${address}\r\napikey: ${anonKey}\r\nauthorization: Bearer ${token}\r\n\r\n`,
      );
      socket.write(
        `--x\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n${'\u00ff'.repeat(20_000)}`,
      );
      await wait(random() * 150);
      socket.destroy();
      count('hang-up', 'sent');
    };
    const acts: Record<Act, () => Promise<unknown>> = {
      clip: () => upload(clip, 'a.mp4'),
      comment: () => {
        const solution_id = pick(solutions);
        const content = `The liner was a locking one, ${randomUUID()}.`;
        return write('comment', 'comments', { solution_id, content }, solution_id);
      },
      decision: decide,
      'hang-up': hangUp,
      like: () => like(true),
      'like taken back': () => like(false),
      listening: listen,
      message: () =>
        write('message', 'messages', {
          recipient_id: pick(others),
          subject: `${MESSAGE_SUBJECT}${randomUUID()}`,
          content: 'Is it free?',
        }),
      page: () => page(pick(PAGES)),
      'page view': view,
      reply: () =>
        write('reply', 'forum_posts', { topic_id: pick(topics), content: `So did ours, ${randomUUID()}.` }),
      search: async () =>
        note('search', await client.rpc('browse_solutions', { search: pick(WORDS), page_size: 12 })),
      'search page': () => page(`/browse?q=${encodeURIComponent(`${pick(WORDS)} ${pick(WORDS)}`)}`),
      'sign-in': come,
      'solution page': () => page(`/solutions/${pick(solutions)}`),
      submission: share,
      suggestion: async () =>
        note('suggestion', await client.rpc('suggest_searches', { search: pick(WORDS).slice(0, 3) })),
      'topic view': visitTopic,
      upload: () => upload(pick(pictures), 'a.jpg'),
      withdrawal: withdraw,
    };
    const weighed = (Object.entries(weights) as [Act, number][]).filter(
      ([act]) => act !== 'decision' || member.role,
    );
    const sum = weighed.reduce((all, [, weight]) => all + weight, 0);
    const choose = (): Act => {
      let position = random() * sum;
      return (weighed.find(([, weight]) => {
        position -= weight;
        return position < 0;
      }) ?? weighed[0])?.[0] as Act;
    };

    return async (signal) => {
      const attempt = (act: () => Promise<unknown>) =>
        act().catch((error: Error) => count('failed', String(error.cause ?? error).slice(0, 100)));
      if (!token) await attempt(come);
      while (!signal.aborted) {
        await attempt(acts[choose()]);
        await wait(random() * 200);
      }
    };
  }

  const everybody = Array.from({ length: people }, (_, number) => person(number));
  return {
    answers,
    views,
    facts: () =>
      [...facts.values()].filter(({ solution }) => solution === undefined || !withdrawn.has(solution)),
    forgetUploads() {
      for (const [key, { kind, solution }] of facts) if (kind === 'upload' && !solution) facts.delete(key);
    },
    async run(signal) {
      await Promise.all(everybody.map((live) => live(signal)));
    },
  };
}

async function picture(edge: number): Promise<Blob> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
  const bytes = await sharp({
    create: { width: edge, height: edge, channels: 3, background: 'white', noise },
  })
    .jpeg({ quality: 80 })
    .toBuffer();
  return new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' });
}
