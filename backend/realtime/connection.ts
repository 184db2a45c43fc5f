import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Logger } from '../log.ts';
import { type Channel, JoinRefused } from './channel.ts';
import { decode, type Envelope, encode, MalformedFrame, type Message, type Version } from './frames.ts';
import type { Delivery } from './listener.ts';

const MAX_CHANNELS = 100;
const MAX_MESSAGES_PER_SECOND = 100;
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

/** One socket: reads the client's messages in order and keeps the channels it joined. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #transport: Duplex;
  readonly #version: Version;
  readonly #token: string;
  readonly #log: Logger;
  readonly #open: (topic: string, wire: ConstructorParameters<typeof Channel>[1]) => Channel;
  readonly #channels = new Map<string, JoinedChannel>();
  #lastHeard = performance.now();
  #second = 0;
  #messages = 0;
  #work = Promise.resolve();

  /**
   * @param transport the connection under the socket
   * @param token the API key the socket was opened with, for joins that bring none
   * @param open makes the channel of a topic
   */
  constructor(
    socket: WebSocket,
    transport: Duplex,
    version: Version,
    token: string,
    log: Logger,
    open: (topic: string, wire: ConstructorParameters<typeof Channel>[1]) => Channel,
  ) {
    this.#socket = socket;
    this.#transport = transport;
    this.#version = version;
    this.#token = token;
    this.#log = log;
    this.#open = open;
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
    this.#lastHeard = performance.now();
    const second = Math.floor(this.#lastHeard / 1000);
    this.#messages = second === this.#second ? this.#messages + 1 : 1;
    this.#second = second;
    if (this.#messages > MAX_MESSAGES_PER_SECOND) {
      this.close(1008, 'Too many messages per second');
      return;
    }
    let message: Message;
    try {
      message = decode(this.#version, asBuffer(data), isBinary);
    } catch (error) {
      if (error instanceof MalformedFrame) this.close(1007, 'Malformed frame');
      else this.#fail(error);
      return;
    }
    // One after the other: a leave must not overtake the join before it.
    this.#work = this.#work
      .then(() => this.#handle(message))
      .catch((error) => {
        this.#log.error(
          { err: error, topic: message.topic, event: message.event },
          'realtime message failed',
        );
        this.#reply(message, 'error', { reason: 'Unknown Error on Channel' });
      })
      .catch((error) => this.#fail(error));
  }

  /** Ends this socket only. */
  #fail(error: unknown): void {
    this.#log.error({ err: error }, 'a socket failed');
    this.close(1011, 'Internal error');
  }

  async #handle(message: Message): Promise<void> {
    const { topic, event, payload } = message;
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (topic === 'phoenix') {
      if (event === 'heartbeat') this.#reply(message, 'ok', {});
      return;
    }
    if (event === 'phx_join') return this.#join(message);
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

  async #join(message: Message): Promise<void> {
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
      if (this.#channels.size >= MAX_CHANNELS)
        throw new JoinRefused('ChannelRateLimitReached: Too many channels');
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
      const reply = await channel.join(config, own ? access_token : this.#token);
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
    if (this.#socket.bufferedAmount > MAX_UNSENT_BYTES) this.#socket.terminate();
  }

  #closed(): void {
    for (const { channel } of this.#channels.values()) channel.unsubscribe();
    this.#channels.clear();
  }
}

function asBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
