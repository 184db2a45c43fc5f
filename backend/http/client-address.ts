import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/**
 * The address a request came from, or undefined when it was made inside this process.
 *
 * A header counts only behind a proxy the operator declared, and then only the part that this proxy added:
 * the last entry.
 */
export function clientAddress(context: Context, trustProxy: boolean): string | undefined {
  return peerAddress(trustProxy ? context.req.header('x-forwarded-for') : undefined, socketAddress(context));
}

/** The same where there is no context yet. @param forwarded the header of a declared proxy */
export function peerAddress(forwarded: string | undefined, socket: string | undefined): string | undefined {
  return plainAddress(forwarded?.split(',').at(-1) ?? '') ?? plainAddress(socket ?? '');
}

/**
 * An address in its one canonical form, without a proxy's additions: a port, brackets, the zone of an
 * interface. An IPv4 address that is written as an IPv6 one (RFC 4291, 2.5.5.2) is the IPv4 address.
 * Undefined for any other text.
 */
function plainAddress(written: string): string | undefined {
  // The common cases need no parsing, which costs more than the rest of a small request.
  if (written === '') return undefined;
  if (isIPv4(written)) return written;
  const [address = '', afterZone = ''] = written.trim().split('%', 2);
  // A zone in brackets is followed by the bracket, and perhaps by a port.
  const text = address.startsWith('[') && afterZone ? `${address}]` : address;
  const parsed = isIPv6(text)
    ? new SocketAddress({ address: text, family: 'ipv6' })
    : SocketAddress.parse(text);
  const mapped = parsed?.address.slice('::ffff:'.length) ?? '';
  return isIPv4(mapped) && parsed?.address.startsWith('::ffff:') ? mapped : parsed?.address;
}

/** True for a request from this machine that no proxy passed on and that names this machine as its host. */
export function fromThisMachine(context: Context): boolean {
  const address = socketAddress(context)?.replace(/^::ffff:/, '');
  if (!address || !(address === '::1' || (isIPv4(address) && address.startsWith('127.')))) return false;
  if (context.req.header('x-forwarded-for') || context.req.header('forwarded')) return false;
  // A page elsewhere may have had its name pointed at this machine to read content that only this machine
  // should.
  const host = new URL(context.req.url).hostname;
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** A network that a client is counted in. */
interface CountedNetwork {
  name: string;
  /** The allowance of all clients in this network together, as a multiple of one client's. */
  allowance: number;
}

/**
 * The networks a client is counted in, for limits that are counted by network. Providers assign IPv6 by the
 * network: a /64 to a phone, a /56 to a household, a /48 to a company or to any user of a tunnel broker (RFC
 * 6177). Each is counted, the larger with a larger allowance, so that a whole /56 never has the allowances of
 * its 256 networks.
 */
export function clientNetworks(address: string): CountedNetwork[] {
  if (!isIPv6(address)) return [{ name: address, allowance: 1 }];
  return [
    { name: prefixOf(address, 64), allowance: 1 },
    { name: prefixOf(address, 56), allowance: 4 },
    { name: prefixOf(address, 48), allowance: 16 },
  ];
}

/**
 * The one network in which a client's turns are counted, or by which it is recognised: an IPv4 address, or an
 * IPv6 /56.
 */
export const clientNetwork = (address: string): string =>
  address.includes(':') ? prefixOf(address, 56) : address;

/** The same of a request for which there is no context yet. */
export function clientNetworkOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustProxy: boolean,
): string {
  const forwarded = trustProxy ? headers['x-forwarded-for']?.toString() : undefined;
  return clientNetwork(peerAddress(forwarded, socket.remoteAddress) ?? '');
}

/** The network of an IPv6 address with this prefix length. */
function prefixOf(address: string, bits: number): string {
  const [head = '', tail] = new SocketAddress({ address, family: 'ipv6' }).address.split('::', 2);
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean));
  const left = 8 - (before?.length ?? 0) - (after?.length ?? 0);
  const groups = [...(before ?? []), ...Array<string>(Math.max(0, left)).fill('0'), ...(after ?? [])];
  const number = groups.slice(0, 4).reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
  const masked = (number >> BigInt(64 - bits)) << BigInt(64 - bits);
  return `${masked.toString(16).padStart(16, '0')}/${bits}`;
}

function socketAddress(context: Context): string | undefined {
  // In-process calls (server rendering) have no socket.
  if (!context.env || !('incoming' in context.env)) return undefined;
  return getConnInfo(context).remote.address;
}
