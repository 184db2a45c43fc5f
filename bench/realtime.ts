import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { openDatabase } from './parts/database.ts';
import { compare, median } from './parts/runner.ts';
import { type SubjectProcess, startSubject } from './parts/start.ts';

// A change in the database on its way to many sockets, against a server that only copies a message to as
// many.
const SOCKETS = Number(process.env.SOCKETS ?? 1000);
const BURST = 100;
const CALM = 30;

const database = await openDatabase(10);
const subjects: SubjectProcess[] = [];
const start = async (kind: string) => {
  const subject = await startSubject(kind, database);
  subjects.push(subject);
  return subject;
};

/** Counts the messages that arrive on all sockets of one server. */
class Audience {
  received = 0;
  last = 0;
  readonly sockets: WebSocket[] = [];

  async join(
    url: string,
    greet: (socket: WebSocket) => void,
    ready: (text: string) => boolean,
  ): Promise<void> {
    await Promise.all(
      Array.from({ length: SOCKETS }, async () => {
        const socket = new WebSocket(url, { perMessageDeflate: false });
        this.sockets.push(socket);
        await once(socket, 'open');
        const subscribed = new Promise<void>((resolve) => {
          const onData = (data: Buffer) => {
            if (ready(data.toString())) {
              socket.off('message', onData);
              resolve();
            }
          };
          socket.on('message', onData);
        });
        greet(socket);
        await subscribed;
        socket.on('message', (data: Buffer) => {
          if (data.includes('phx_reply')) return;
          this.received++;
          this.last = performance.now();
        });
      }),
    );
  }

  /** Milliseconds until all sockets have received this many more. */
  async all(times: number, send: () => unknown): Promise<number> {
    const target = this.received + times * SOCKETS;
    const startedAt = performance.now();
    await send();
    while (this.received < target) await wait(1);
    return this.last - startedAt;
  }
}

try {
  const [backend, sockets] = [await start('backend'), await start('sockets')];
  const [member] = (
    await database.client.query("select id from public.profiles where username like 'bench.%' limit 1")
  ).rows;
  const [solution] = (await database.client.query('select id from public.solutions limit 1')).rows;
  const insert = (count: number) =>
    database.client.query(
      `insert into public.comments (solution_id, user_id, content) select $1, $2, 'Which liner did you use, and how did it wear?' from generate_series(1, $3)`,
      [solution.id, member.id, count],
    );

  const listening = new Audience();
  await listening.join(
    `ws://127.0.0.1:${backend.hello.port}/realtime/v1/websocket?vsn=2.0.0&apikey=${backend.hello.anonKey}`,
    (socket) =>
      socket.send(
        JSON.stringify([
          '1',
          '1',
          'realtime:comments',
          'phx_join',
          { config: { postgres_changes: [{ event: 'INSERT', schema: 'public', table: 'comments' }] } },
        ]),
      ),
    (text) => text.includes('Subscribed to PostgreSQL'),
  );
  // The server ends a connection that is silent for a minute.
  const heartbeat = setInterval(() => {
    for (const socket of listening.sockets) socket.send('[null,"0","phoenix","heartbeat",{}]');
  }, 25_000);
  let sample = '';
  listening.sockets[0]?.once('message', (data) => {
    sample = data.toString();
  });
  await listening.all(1, () => insert(1));
  console.log(`${SOCKETS} sockets, messages of ${sample.length} bytes`);

  const copied = new Audience();
  await copied.join(
    `ws://127.0.0.1:${sockets.hello.port}`,
    () => sockets.child.send({ text: 'hello', times: 1 }),
    (text) => text === 'hello',
  );
  await wait(1000);

  const rate = (audience: Audience, send: () => unknown) => async () =>
    (BURST * SOCKETS * 1000) / (await audience.all(BURST, send));
  await compare(`${BURST} changes at once`, 'deliveries/s', [
    {
      name: 'bare sockets, one message copied',
      run: rate(copied, () => sockets.child.send({ text: sample, times: BURST })),
    },
    { name: 'insert to delivery, checked by its policies', run: rate(listening, () => insert(BURST)) },
  ]);

  const calm = async (audience: Audience, send: () => unknown) => {
    const times: number[] = [];
    for (let time = 0; time < CALM; time++) {
      times.push(await audience.all(1, send));
      await wait(100);
    }
    times.sort((a, b) => a - b);
    return { p50: median(times), p95: times[Math.floor(times.length * 0.95)] ?? Number.NaN };
  };
  console.log('\nOne change ten times a second: milliseconds until the last of all sockets has it');
  for (let round = 0; round < 3; round++) {
    const bare = await calm(copied, () => sockets.child.send({ text: sample, times: 1 }));
    const committed = await calm(copied, async () => {
      await insert(1);
      sockets.child.send({ text: sample, times: 1 });
    });
    const ours = await calm(listening, () => insert(1));
    for (const [name, { p50, p95 }] of Object.entries({
      'bare sockets, one message copied': bare,
      'the same after an insert is committed': committed,
      'insert to delivery, checked by its policies': ours,
    }))
      console.log(
        `  ${name.padEnd(46)} p50 ${p50.toFixed(1).padStart(5)}  p95 ${p95.toFixed(1).padStart(5)}   ${(p50 / bare.p50).toFixed(2)}x ${(p95 / bare.p95).toFixed(2)}x`,
      );
  }
  clearInterval(heartbeat);
  for (const socket of [...listening.sockets, ...copied.sockets]) socket.terminate();
} finally {
  for (const { child } of subjects) child.kill();
  await database.stop();
}
