import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { openDatabase, root } from './database.ts';
import { compare } from './runner.ts';

// Pages as a visitor gets them, beside the same text sent by a server with no other work; both in separate
// processes.
const SECONDS = Number(process.env.SECONDS ?? 3);

if (process.argv[2] === 'ready-text') {
  const texts = new Map<string, string>();
  process.on('message', ({ path, text }: { path: string; text: string }) => {
    texts.set(path, text);
    process.send?.({ ready: path });
  });
  const server = createServer((request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(texts.get(request.url ?? '')),
  ).listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
  });
} else {
  const database = await openDatabase(1000);
  const site = fork(join(root, 'server/main.ts'), [], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      DATA_DIR: database.dataDir,
      PORT: '43117',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const text = fork(import.meta.filename, ['ready-text']);
  try {
    const [[hello]] = await Promise.all([
      once(text, 'message'),
      new Promise<void>((ready) =>
        site.stdout?.on('data', (line: Buffer) => line.includes('is ready') && ready()),
      ),
    ]);
    const load = async (url: string) => {
      const result = await autocannon({ url, connections: 16, duration: SECONDS });
      if (result.non2xx > 0) throw new Error(`${url}: ${result.non2xx} refusals`);
      return result.requests.total / result.duration;
    };
    const [solution] = (await database.client.query('select id from public.solutions limit 1')).rows;
    let rare = 0;
    for (const [title, path] of [
      ['Home', '/'],
      ['Browse', '/browse'],
      ['A solution', `/solutions/${solution.id}`],
    ] as const) {
      const page = await (await fetch(`http://127.0.0.1:43117${path}`)).text();
      text.send({ path, text: page });
      await once(text, 'message');
      await compare(`${title}, ${Math.round(page.length / 1024)} KB`, 'pages/s', [
        { name: 'the text, ready', run: () => load(`http://127.0.0.1:${hello.port}${path}`) },
        { name: 'as served', run: () => load(`http://127.0.0.1:43117${path}`) },
        {
          name: 'as rendered anew each time',
          async run() {
            const result = await autocannon({
              url: `http://127.0.0.1:43117${path}`,
              connections: 16,
              duration: SECONDS,
              requests: [{ setupRequest: (request) => ({ ...request, path: `${path}?visit=${rare++}` }) }],
            });
            return result.requests.total / result.duration;
          },
        },
      ]);
    }
  } finally {
    text.kill();
    site.kill('SIGINT');
    await once(site, 'exit');
    await database.stop();
  }
}
