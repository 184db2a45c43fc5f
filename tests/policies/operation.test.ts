import { describe, expect, it } from 'vitest';
import { openDatabase, people } from './fixtures.ts';

const { as, ask, owner, value, solution } = openDatabase();

interface Uptime {
  began: string | null;
  latest: string | null;
  spans: { hours: number; up: number; measured: number }[];
  days: { day: string; up: number; measured: number }[];
}

const uptime = () => ask<Uptime>('visitor', 'uptime');
/** A span in which the site could serve, from and to in minutes ago. */
const wasUp = (from: number, to: number) =>
  owner(
    `insert into private.uptime (day, minutes)
     select d::date, tstzmultirange(tstzrange(d at time zone 'UTC', (d + interval '1 day') at time zone 'UTC')
       * tstzrange(date_trunc('minute', now()) - $1 * interval '1 minute', date_trunc('minute', now()) - $2 * interval '1 minute'))
     from generate_series(date_trunc('day', now() at time zone 'UTC' - $1 * interval '1 minute'),
       now() at time zone 'UTC' - $2 * interval '1 minute', interval '1 day') as d
     on conflict (day) do update set minutes = uptime.minutes + excluded.minutes`,
    [from, to],
  );

describe('the record of uptime', () => {
  it('is written by the service alone, and read by everyone as figures only', async () => {
    for (let time = 0; time < 2; time++) await ask('service', 'record_uptime');
    expect(
      await value(
        "select minutes = tstzmultirange(tstzrange(date_trunc('minute', now()), date_trunc('minute', now()) + interval '1 minute')) from private.uptime",
      ),
    ).toBe(true);
    for (const actor of ['visitor', 'author', 'moderator', 'admin'] as const) {
      expect((await as(actor, 'select * from private.uptime')).code).toBe('42501');
      expect((await as(actor, 'select uptime()')).rowCount).toBe(1);
    }
  });

  it('counts nothing before it began', async () => {
    expect(await uptime()).toEqual({ began: null, latest: null, spans: [], days: [] });
    await wasUp(60, 0);
    const { spans, days } = await uptime();
    expect(spans).toEqual([24, 168, 720, 2160].map((hours) => ({ hours, up: 60, measured: 60 })));
    expect(days).toHaveLength(90);
    expect(days[0]).toMatchObject({ up: 0, measured: 0 });
  });

  it('shows a restart as the minutes without a record', async () => {
    await wasUp(3 * 1440, 100);
    await wasUp(93, 0);
    const { spans, days } = await uptime();
    expect(spans[0]).toEqual({ hours: 24, up: 1433, measured: 1440 });
    expect(spans[1]).toEqual({ hours: 168, up: 4313, measured: 4320 });
    const missed = days.reduce((sum, { up, measured }) => sum + measured - up, 0);
    expect(missed).toBe(7);
  });

  it('counts what is going on now as down', async () => {
    await wasUp(1440, 30);
    expect((await uptime()).spans[0]).toEqual({ hours: 24, up: 1410, measured: 1440 });
  });
});

describe('what an operator watches', () => {
  it('is how much waits and for how long', async () => {
    await owner('delete from public.media_jobs');
    const pending = await solution('pending');
    await owner("update solutions set submitted_at = now() - interval '2 hours' where id = $1", [pending]);
    await owner("insert into media_jobs (created_at) values (now() - interval '90 seconds'), (now())");
    await owner(
      `insert into private.mail_jobs (user_id, notice, digest, due_at, created_at) values
         ($1, '{}', true, now() + interval '3 hours', now() - interval '9 hours'), ($1, '{}', false, now(), now() - interval '1 minute')`,
      [people.author],
    );
    const none = { waiting: 0, oldest_seconds: 0 };
    expect(await ask('service', 'queue_metrics')).toEqual({
      media: { waiting: 2, oldest_seconds: 90 },
      media_given_up: none,
      mail: { waiting: 1, oldest_seconds: 60 },
      solutions: { waiting: 1, oldest_seconds: 7200 },
      resources: none,
      reports: none,
      removal_requests: none,
      registrations: none,
      first_posts: none,
    });
  });
});
