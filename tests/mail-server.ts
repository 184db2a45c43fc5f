import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A mail server that can be switched off and on, and that refuses the next recipients on request. */
export function startMailServer() {
  const received: string[] = [];
  const refusals: string[] = [];
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  return {
    received,
    refusals,
    /** While true, a letter that has come is neither taken nor refused. */
    isSilent: false,
    unanswered: 0,
    address: () => `smtp://127.0.0.1:${port}`,
    async open() {
      server = createServer((socket) => {
        sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined));
        let letter: string[] | undefined;
        socket.setEncoding('utf8').write('220 ready\r\n');
        const lines = createInterface(socket).on('error', () => undefined);
        lines.on('line', (line) => {
          if (letter && line === '.' && this.isSilent) this.unanswered += 1;
          else if (letter && line === '.') {
            received.push(letter.join('\n'));
            letter = undefined;
            socket.write('250 taken\r\n');
          } else if (letter) letter.push(line);
          else if (line === 'DATA') {
            letter = [];
            socket.write('354 go on\r\n');
          } else if (line.startsWith('RCPT')) socket.write(`${refusals.shift() ?? '250 ok'}\r\n`);
          else if (line === 'QUIT') socket.end('221 bye\r\n');
          else socket.write('250 ok\r\n');
        });
      });
      await new Promise<void>((listening) => server?.listen(port, '127.0.0.1', listening));
      const address = server.address();
      port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    },
    async shut() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server?.close(closed));
    },
  };
}

/** The fields that identify an email. */
export interface Mail {
  id: string;
  to: string;
  subject: string;
}

export function mailOf(letter: string): Mail {
  const [head = ''] = letter.split('\n\n', 1);
  const field = (name: string) => {
    const [, value = ''] = new RegExp(`^${name}: (.*)$`, 'm').exec(head.replaceAll(/\n(?=[ \t])/g, '')) ?? [];
    // Of a sender whose name is not plain ASCII (RFC 2047).
    return value.replaceAll(/=\?UTF-8\?Q\?(.*?)\?=\s*/gi, (_, word: string) =>
      decodeURIComponent(word.replaceAll('%', '%25').replaceAll('_', ' ').replaceAll('=', '%')),
    );
  };
  return { id: field('Message-ID'), to: field('To'), subject: field('Subject') };
}
