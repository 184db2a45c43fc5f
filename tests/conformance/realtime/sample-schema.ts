import {
  type RealtimeChannel,
  type RealtimePostgresChangesPayload,
  REALTIME_SUBSCRIBE_STATES as STATE,
  type SupabaseClient,
} from '@supabase/supabase-js';
import pg from 'pg';
import { vi } from 'vitest';
import { OPEN_TO_ALL, type TestBackend } from '../../backend.ts';
import { TIMEOUT_MS } from '../../timeouts.ts';

/** Tables of every kind that matters to a subscriber: open, guarded, with a key of two columns, with columns kept back. */
const SCHEMA = `
create table public.readings (
  id bigint primary key generated always as identity,
  label text,
  big int8,
  exact numeric,
  ok boolean,
  tags text[],
  details jsonb,
  taken_at timestamptz,
  long text
);
create table public.notes (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null,
  body text not null,
  public boolean not null default false
);
alter table public.notes enable row level security;
create policy "own and public notes" on public.notes for select using (public or owner = (select auth.uid()));
grant select on public.notes to anon;
create table public.places (area text, number int, colour text, primary key (area, number));
create table public.charts (id int primary key, shown text, hidden text);
revoke all on public.charts from anon, authenticated;
grant select (id, shown) on public.charts to anon, authenticated;
create domain public.size as int;
create table public.bounds (id int primary key, size public.size);
create table public.unpublished (id int primary key);
alter publication supabase_realtime add table public.readings, public.notes, public.places, public.charts, public.bounds;
notify pgrst, 'reload schema';
`;

export async function createSampleTables(backend: TestBackend): Promise<pg.Client> {
  const database = new pg.Client({ connectionString: backend.databaseUrl });
  await database.connect();
  await database.query(
    `set role postgres; set search_path = public, extensions; ${OPEN_TO_ALL}; ${SCHEMA}; reset role;`,
  );
  return database;
}

export interface System {
  extension: string;
  status: 'ok' | 'error';
  message: string;
  channel: string;
}

type Payload = RealtimePostgresChangesPayload<Record<string, unknown>>;

export interface Subscriber {
  channel: RealtimeChannel;
  changes: Payload[];
  system: System[];
  /** In order, with the error's message if there was one. */
  states: string[];
}

interface Wanted {
  event?: '*' | 'INSERT' | 'UPDATE' | 'DELETE';
  schema?: string;
  table?: string;
  filter?: string;
  select?: string[];
}

let topics = 0;

/** Subscribes without waiting for anything. */
export function joinChannel(
  client: SupabaseClient,
  wanted: Wanted[],
  topic = `room-${topics++}`,
  config: Record<string, unknown> = {},
): Subscriber {
  const subscriber: Subscriber = {
    channel: client.channel(topic, { config }),
    changes: [],
    system: [],
    states: [],
  };
  subscriber.channel.on('system', {}, (payload: System) => subscriber.system.push(payload));
  for (const filter of wanted) {
    subscriber.channel.on(
      'postgres_changes' as never,
      { event: '*', schema: 'public', ...filter } as never,
      (payload: Payload) => subscriber.changes.push(payload),
    );
  }
  subscriber.channel.subscribe((state, error) =>
    subscriber.states.push(error ? `${state}: ${error.message}` : state),
  );
  return subscriber;
}

/** Subscribes and waits until the server confirms that changes will be delivered. */
export async function subscribeTo(client: SupabaseClient, ...wanted: Wanted[]): Promise<Subscriber> {
  const subscriber = joinChannel(client, wanted);
  await until(
    () => subscriber.system.length > 0 || subscriber.states.some((state) => state !== STATE.SUBSCRIBED),
  );
  if (subscriber.system[0]?.status !== 'ok')
    throw new Error(`not subscribed: ${subscriber.states} ${JSON.stringify(subscriber.system)}`);
  return subscriber;
}

/** Waits for a condition; fails with the last value instead. */
export async function until(condition: () => boolean, what = condition.toString()): Promise<void> {
  await vi.waitUntil(condition, { timeout: TIMEOUT_MS, interval: 5 }).catch((cause) => {
    throw new Error(`did not come about: ${what}`, { cause });
  });
}

/**
 * No more changes are on their way to this subscriber: a visible change that was written after all others has
 * arrived.
 *
 * @param database writes the last change
 */
export async function lastMessage(subscriber: Subscriber, database: pg.Client): Promise<void> {
  const { rows } = await database.query<{ id: string }>(
    "insert into public.notes (owner, body, public) values (gen_random_uuid(), 'last word', true) returning id",
  );
  await until(() => subscriber.changes.some((one) => 'id' in one.new && one.new.id === rows[0]?.id));
  subscriber.changes.pop();
}
