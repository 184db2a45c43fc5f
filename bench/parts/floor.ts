import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';

// What a server with nothing else to do can send: texts it was given, compressed, and a list of cards that
// React renders for each request.
const texts = new Map<string, Buffer>();
process.on('message', ({ path, text }: { path: string; text: string }) => {
  texts.set(path, gzipSync(text));
  process.send?.({ ready: path });
});

const CARDS = Array.from({ length: 24 }, (_, number) => ({
  title: `Solution ${number} with a suction socket`,
  description:
    'A liner and an adapter that keep the residual limb dry on a long walk over uneven ground. '.repeat(2),
  facts: ['Transtibial', 'Cycling', 'Carbon fibre', 'Bench Person', 'Prosthetist', '12 likes', '3 comments'],
}));

const card = ({ title, description, facts }: (typeof CARDS)[number], number: number) =>
  createElement(
    'article',
    { key: number, className: 'card' },
    createElement('img', { src: `/card-${number}.webp`, alt: '', width: 400, height: 225 }),
    createElement('h3', null, createElement('a', { href: `/solutions/${number}` }, title)),
    createElement('p', null, description),
    createElement(
      'ul',
      null,
      facts.map((fact) => createElement('li', { key: fact }, fact)),
    ),
  );

const server = createServer((request, response) => {
  if (request.url === '/react') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    const { pipe } = renderToPipeableStream(
      createElement('html', null, createElement('body', null, CARDS.map(card))),
      { onAllReady: () => void pipe(response) },
    );
    return;
  }
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' })
    .end(texts.get(request.url ?? ''));
}).listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
