import { parseJson } from '../http/json.ts';

/** A message of Phoenix's channel protocol, which the client speaks. */
export interface Message {
  /** Ties pushes to the join they belong to. */
  joinRef: string | null;
  /** Ties a reply to its request. */
  ref: string | null;
  topic: string;
  event: string;
  payload: unknown;
}

export type Envelope = Omit<Message, 'payload'>;

/** Version 1 sends objects, version 2 arrays and, for broadcasts, bytes. */
export type Version = '1.0.0' | '2.0.0';

export class MalformedFrame extends Error {}

const BROADCAST_PUSH = 3;

/** @throws MalformedFrame */
export function decode(version: Version, data: Buffer, isBinary: boolean): Message {
  if (isBinary) return decodeBroadcast(version, data);
  let frame: unknown;
  try {
    frame = parseJson(data.toString('utf8'));
  } catch (cause) {
    throw new MalformedFrame('not JSON', { cause });
  }
  if (version === '2.0.0') {
    if (!Array.isArray(frame)) throw new MalformedFrame('not an array');
    const [joinRef, ref, topic, event, payload] = frame;
    return checked({ joinRef, ref, topic, event, payload });
  }
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame))
    throw new MalformedFrame('not an object');
  const { join_ref, ref, topic, event, payload } = frame as Record<string, unknown>;
  return checked({ joinRef: join_ref, ref, topic, event, payload });
}

/**
 * A frame for a client: an array in version 2.0.0 of the protocol, and an object in 1.0.0.
 *
 * @param payload as JSON
 */
export function encode(version: Version, { joinRef, ref, topic, event }: Envelope, payload: string): string {
  const [j, r, t, e] = [joinRef, ref, topic, event].map((part) => JSON.stringify(part));
  return version === '2.0.0'
    ? `[${j},${r},${t},${e},${payload}]`
    : `{"topic":${t},"event":${e},"payload":${payload},"ref":${r},"join_ref":${j}}`;
}

/** The bytes of frames that one text keeps; a batch has up to a hundred texts. */
const MAX_KEPT_BYTES = 256 * 1024;

/** JSON text that many sockets receive: each of its distinct frames is encoded once. */
export class SharedText {
  readonly #text: string;
  readonly #frames = new Map<string, Buffer>();
  #keptBytes = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The frame of a change, as the data of these bindings. */
  frame(version: Version, envelope: Envelope, ids: number[]): Buffer {
    const key = `${ids} ${version} ${envelope.joinRef} ${envelope.topic}`;
    const kept = this.#frames.get(key);
    if (kept) return kept;
    const payload = `{"ids":${JSON.stringify(ids)},"data":${this.#text}}`;
    const frame = Buffer.from(encode(version, envelope, payload));
    if (this.#keptBytes + frame.length <= MAX_KEPT_BYTES) {
      this.#frames.set(key, frame);
      this.#keptBytes += frame.length;
    }
    return frame;
  }
}

function checked(frame: Record<keyof Message, unknown>): Message {
  const { joinRef = null, ref = null, topic, event, payload } = frame;
  const isRef = (value: unknown) => value === null || (typeof value === 'string' && value.length <= 64);
  if (!isRef(joinRef) || !isRef(ref)) throw new MalformedFrame('a reference is not short text');
  if (typeof topic !== 'string' || topic.length > 512)
    throw new MalformedFrame('the topic is not short text');
  if (typeof event !== 'string' || event.length > 512)
    throw new MalformedFrame('the event is not short text');
  return { joinRef: joinRef as string | null, ref: ref as string | null, topic, event, payload };
}

/** Only the envelope; its content is not passed on. */
function decodeBroadcast(version: Version, data: Buffer): Message {
  const HEADER = 7;
  if (version !== '2.0.0' || data[0] !== BROADCAST_PUSH || data.length < HEADER)
    throw new MalformedFrame('not a frame of this protocol');
  let start = HEADER;
  const [joinRef, ref, topic] = [data[1], data[2], data[3]].map((length = 0) => {
    const part = data.toString('utf8', start, start + length);
    start += length;
    return part;
  });
  if (start > data.length) throw new MalformedFrame('shorter than it says');
  return checked({ joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', payload: {} });
}
