import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { type Held, TooMuchHeld } from '../http/held.ts';
import type { Logger } from '../log.ts';
import { type Channel, JoinRefused } from './channel.ts';
import { decode, type Envelope, encode, MalformedFrame, type Message, type Version } from './frames.ts';
import type { Delivery } from './listener.ts';

const MAX_MESSAGES_PER_SECOND = 100;
/** The messages, and their bytes, that may wait while an earlier one is answered; then no more is read. */
const MAX_WAITING = 32;
const MAX_WAITING_BYTES = 512 * 1024;
/** The unread bytes at which a reader is cut off; it can reconnect and read again. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024;
/** The bytes of several changes that go to the socket at once. */
const MAX_CORKED_BYTES = 64 * 1024;
/** The client sends a heartbeat every 25 seconds. */
const MAX_SILENCE_MS = 60_000;

const NOT_SERVED = 'is not served here; only postgres_changes are';

interface JoinedChannel {
  channel: Channel;
  joinRef: string | null;
}

/** What a socket is read and written with, and counted for. */
export interface Line {
  socket: WebSocket;
  /** The connection under the socket. */
  transport: Duplex;
  version: Version;
  /** The API key the socket was opened with, for joins that bring none. */
  token: string;
  network: string;
  held: Held;
  log: Logger;
}

/** One socket: reads the client's messages in order and keeps the channels it joined. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #transport: Duplex;
  readonly #version: Version;
  readonly #token: string;
  readonly #network: string;
  readonly #held: Held;
  readonly #log: Logger;
  readonly #open: (topic: string, wire: ConstructorParameters<typeof Channel>[1]) => Channel;
  readonly #channels = new Map<string, JoinedChannel>();
  #lastHeard = performance.now();
  #second = 0;
  #messages = 0;
  #work = Promise.resolve();
  /** Received, and not yet answered. */
  #waiting = { messages: 0, bytes: 0 };
  /** Gives back the bytes that wait to be sent. */
  #releaseUnsent: (() => void) | undefined;

  /** @param open makes the channel of a topic */
  constructor(
    { socket, transport, version, token, network, held, log }: Line,
    open: (topic: string, wire: ConstructorParameters<typeof Channel>[1]) => Channel,
  ) {
    this.#socket = socket;
    this.#transport = transport;
    this.#version = version;
    this.#token = token;
    this.#network = network;
    this.#held = held;
    this.#log = log;
    this.#open = open;
    transport.on('drain', () => this.#countUnsent());
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('close', () => this.#closed());
    // A frame that is too large or broken closes the socket with the right code by itself.
    socket.on('error', (error) => log.debug({ err: error }, 'a socket failed'));
  }

  get channels(): Iterable<Channel> {
    return [...this.#channels.values()].map(({ channel }) => channel);
  }

  isSilent(): boolean {
    return performance.now() - this.#lastHeard > MAX_SILENCE_MS;
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  #receive(data: RawData, isBinary: boolean): void {
    // Whoever was told to go is heard no more.
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#lastHeard = performance.now();
    const second = Math.floor(this.#lastHeard / 1000);
    this.#messages = second === this.#second ? this.#messages + 1 : 1;
    this.#second = second;
    if (this.#messages > MAX_MESSAGES_PER_SECOND) {
      this.close(1008, 'Too many messages per second');
      return;
    }
    const bytes = asBuffer(data);
    const release = this.#take(bytes.length);
    if (!release) {
      this.close(1008, 'Too many messages are waiting');
      return;
    }
    this.#waiting.messages += 1;
    this.#waiting.bytes += bytes.length;
    if (this.#isFull()) this.#socket.pause();
    // One after the other: a leave must not overtake the join before it.
    this.#work = this.#work
      .then(() => this.#answer(bytes, isBinary))
      .catch((error) => this.#fail(error))
      .finally(() => {
        release();
        this.#waiting.messages -= 1;
        this.#waiting.bytes -= bytes.length;
        if (!this.#isFull()) this.#socket.resume();
      });
  }

  #isFull(): boolean {
    return this.#waiting.messages > MAX_WAITING || this.#waiting.bytes > MAX_WAITING_BYTES;
  }

  /** Undefined where the network has too many bytes waiting. */
  #take(bytes: number): (() => void) | undefined {
    try {
      return this.#held.take([['waiting bytes of a network', this.#network, bytes]]);
    } catch (error) {
      if (error instanceof TooMuchHeld) return undefined;
      throw error;
    }
  }

  async #answer(bytes: Buffer, isBinary: boolean): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    let message: Message;
    try {
      message = decode(this.#version, bytes, isBinary);
    } catch (error) {
      if (!(error instanceof MalformedFrame)) throw error;
      return this.close(1007, 'Malformed frame');
    }
    try {
      await this.#handle(message, bytes.length);
    } catch (error) {
      const { topic, event } = message;
      this.#log.error({ err: error, topic, event }, 'realtime message failed');
      this.#reply(message, 'error', { reason: 'Unknown Error on Channel' });
    }
  }

  /** Ends this socket only. */
  #fail(error: unknown): void {
    this.#log.error({ err: error }, 'a socket failed');
    this.close(1011, 'Internal error');
  }

  async #handle(message: Message, bytes: number): Promise<void> {
    const { topic, event, payload } = message;
    if (topic === 'phoenix') {
      if (event === 'heartbeat') this.#reply(message, 'ok', {});
      return;
    }
    if (event === 'phx_join') return this.#join(message, bytes);
    const joined = this.#channels.get(topic);
    if (event === 'phx_leave') {
      this.#channels.delete(topic);
      joined?.channel.unsubscribe();
      this.#reply(message, 'ok', {});
      if (joined) this.#send({ joinRef: joined.joinRef, ref: null, topic, event: 'phx_close' }, '{}');
      return;
    }
    if (!joined) {
      this.#reply(message, 'error', { reason: 'unmatched topic' });
      return;
    }
    if (event === 'access_token') {
      const token = typeof payload === 'object' && payload !== null && 'access_token' in payload;
      return joined.channel.renew(token ? payload.access_token : undefined);
    }
    if (event === 'broadcast' || event === 'presence')
      this.#reply(message, 'error', { reason: `${event} ${NOT_SERVED}` });
  }

  async #join(message: Message, bytes: number): Promise<void> {
    const { topic, payload, ref } = message;
    const { config, access_token } = (payload ?? {}) as { config?: unknown; access_token?: unknown };
    const joinRef = message.joinRef ?? ref;
    const earlier = this.#channels.get(topic);
    if (earlier) {
      this.#channels.delete(topic);
      earlier.channel.unsubscribe();
      this.#send({ joinRef: earlier.joinRef, ref: null, topic, event: 'phx_close' }, '{}');
    }
    try {
      if (!topic.startsWith('realtime:')) throw new JoinRefused('unmatched topic');
      if (topic === 'realtime:') throw new JoinRefused('TopicNameRequired: You must provide a topic name');
      const channel = this.#open(topic, {
        push: (event, text) => this.#send({ joinRef, ref: null, topic, event }, text),
        deliver: (changes) =>
          this.#deliver({ joinRef, ref: null, topic, event: 'postgres_changes' }, changes),
        end: (event) => {
          if (this.#channels.get(topic)?.channel === channel) this.#channels.delete(topic);
          this.#send({ joinRef, ref: null, topic, event }, '{}');
        },
      });
      const own = typeof access_token === 'string' && !access_token.startsWith('sb_');
      const reply = await channel.join(config, own ? access_token : this.#token, bytes);
      if (this.#socket.readyState !== this.#socket.OPEN) return channel.unsubscribe();
      this.#channels.set(topic, { channel, joinRef });
      this.#reply({ ...message, joinRef }, 'ok', reply);
    } catch (error) {
      if (!(error instanceof JoinRefused)) throw error;
      this.#reply({ ...message, joinRef }, 'error', { reason: error.message });
    }
  }

  #reply(to: Message, status: 'ok' | 'error', response: unknown): void {
    const { joinRef, ref, topic } = to;
    this.#send({ joinRef, ref, topic, event: 'phx_reply' }, JSON.stringify({ status, response }));
  }

  #send(envelope: Envelope, payload: string): void {
    this.#write(Buffer.from(encode(this.#version, envelope, payload)));
  }

  /** One write to the operating system costs more than all the rest of a delivery. */
  #deliver(envelope: Envelope, changes: readonly Delivery[]): void {
    this.#transport.cork();
    for (const { data, ids } of changes) {
      this.#write(data.frame(this.#version, envelope, ids));
      if (this.#transport.writableLength < MAX_CORKED_BYTES) continue;
      this.#transport.uncork();
      this.#transport.cork();
    }
    this.#transport.uncork();
  }

  #write(frame: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(frame, { binary: false });
    this.#countUnsent();
  }

  /** Cuts off a reader whose unread bytes are too many, or too many with those of its network. */
  #countUnsent(): void {
    const bytes = this.#socket.bufferedAmount;
    this.#releaseUnsent?.();
    // What is written at once is none that waits.
    this.#releaseUnsent = bytes > MAX_CORKED_BYTES ? this.#take(bytes) : undefined;
    if (bytes > MAX_UNSENT_BYTES || (bytes > MAX_CORKED_BYTES && !this.#releaseUnsent))
      this.#socket.terminate();
  }

  #closed(): void {
    this.#releaseUnsent?.();
    for (const { channel } of this.#channels.values()) channel.unsubscribe();
    this.#channels.clear();
  }
}

function asBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
