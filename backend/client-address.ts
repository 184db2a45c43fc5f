import { isIPv4, isIPv6 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/**
 * The address a request came from, or undefined when it was made inside this process.
 *
 * A header counts only behind a proxy the operator declared, and then only what that proxy itself added: the last entry.
 */
export function clientAddress(context: Context, trustProxy: boolean): string | undefined {
  return peerAddress(trustProxy ? context.req.header('x-forwarded-for') : undefined, socketAddress(context));
}

/** The same where there is no context yet. @param forwarded the header of a declared proxy */
export function peerAddress(forwarded: string | undefined, socket: string | undefined): string | undefined {
  const address = forwarded?.split(',').at(-1)?.trim() || socket;
  return address?.startsWith('::ffff:') ? address.slice(7) : address;
}

/** True for a request from this machine that no proxy passed on and that names this machine as its host. */
export function fromThisMachine(context: Context): boolean {
  const address = socketAddress(context)?.replace(/^::ffff:/, '');
  if (!address || !(address === '::1' || (isIPv4(address) && address.startsWith('127.')))) return false;
  if (context.req.header('x-forwarded-for') || context.req.header('forwarded')) return false;
  // A page elsewhere may have had its name pointed at this machine to read what only this machine should.
  const host = new URL(context.req.url).hostname;
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** What one client can hardly have many of: an IPv4 address, or the network an IPv6 address is in. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) groups.push(...Array<string>(Math.max(0, 4 - groups.length)).fill('0'));
  return `${groups.slice(0, 4).join(':')}::/64`;
}

function socketAddress(context: Context): string | undefined {
  // In-process calls (server rendering) have no socket.
  if (!context.env || !('incoming' in context.env)) return undefined;
  return getConnInfo(context).remote.address;
}
