import { request as plainRequest } from 'node:http';
import { type RequestOptions, request as secureRequest } from 'node:https';
import { connect as connectTls } from 'node:tls';
import WebSocket from 'ws';
import { z } from 'zod';
import type { Config } from '#backend/config.ts';
import { type Finding, problem, reasonOf, warning } from './finding.ts';

const TIMEOUT_MS = 5_000;
const DAY_MS = 86_400_000;
/** More than the largest upload, so that a proxy's limit shows; only its beginning is sent. */
const CLAIMED_BYTES = 60_000_000;
/** An address that no client has (RFC 5737). */
const CLAIMED_ADDRESS = '203.0.113.77';

/** What the site answers on /doctor to those who have its service key: in which form the request reached it. */
const seenSchema = z.object({
  host: z.string(),
  /** The address for which the site counts the request. */
  client: z.string(),
  /** The header X-Forwarded-For as it arrived. */
  forwarded: z.string(),
});
export type Seen = z.infer<typeof seenSchema>;

/** Reaches the running site by the address that members use, through whatever stands in front of it. */
export async function findAtAddress(
  config: Config,
  keys: { serviceRoleKey: string; anonKey: string },
): Promise<Finding[]> {
  const { protocol } = new URL(config.siteUrl);
  const certificate = protocol === 'https:' ? await inCertificate(config.siteUrl) : [];
  let answer: { status: number; text: string } | undefined;
  try {
    answer = await sendBeginning(config.siteUrl, keys.serviceRoleKey);
  } catch (error) {
    return [
      ...certificate,
      problem(
        `${config.siteUrl} cannot be reached from here: ${reasonOf(error)}.`,
        'Check the proxy and the DNS of the name. A machine behind NAT may be unable to reach its own public address; then try from elsewhere.',
      ),
    ];
  }
  if (!answer)
    return [
      ...certificate,
      problem(
        'The proxy keeps an upload until it has all of it, so that the site cannot refuse one early and videos wait twice.',
        'Switch its buffering of requests off (nginx: proxy_request_buffering off).',
      ),
    ];
  if (answer.status === 413)
    return [
      ...certificate,
      problem(
        'The proxy refuses uploads that the site would take.',
        'Lift its limit on the size of a request (nginx: client_max_body_size 0).',
      ),
    ];
  const seen = seenSchema.safeParse(jsonIn(answer.text));
  if (answer.status !== 200 || !seen.success)
    return [
      ...certificate,
      problem(
        `${config.siteUrl} is answered by something else (status ${answer.status}).`,
        'Point the proxy at HOST and PORT of this site, with POST let through.',
      ),
    ];
  return [
    ...certificate,
    ...inHeaders(config, seen.data),
    ...(await inUpgrade(config.siteUrl, keys.anonKey)),
  ];
}

function inHeaders({ siteUrl, trustProxy }: Config, { host, client, forwarded }: Seen): Finding[] {
  const findings: Finding[] = [];
  if (host !== new URL(siteUrl).host)
    findings.push(
      problem(
        `The proxy names the site ${host || 'nothing'} instead of ${new URL(siteUrl).host}.`,
        'Let it pass on the header Host (nginx: proxy_set_header Host $http_host).',
      ),
    );
  const isProxied = forwarded !== CLAIMED_ADDRESS && forwarded !== '';
  if (trustProxy && client === CLAIMED_ADDRESS)
    findings.push(
      problem(
        'Any client can claim any address: TRUST_PROXY is set, and X-Forwarded-For arrives as the client wrote it.',
        'Let the proxy add the address (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for), or set TRUST_PROXY=false where there is none.',
      ),
    );
  if (!trustProxy && isProxied)
    findings.push(
      problem(
        'All visitors share one address, and so one set of limits: there is a proxy, and TRUST_PROXY is not set.',
        'Set TRUST_PROXY=true.',
      ),
    );
  return findings;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Sends the head and the first bytes of a large request.
 *
 * @returns the answer; undefined when none came, because the rest is waited for
 * @throws when the address cannot be reached
 */
function sendBeginning(siteUrl: string, key: string): Promise<{ status: number; text: string } | undefined> {
  const url = new URL('/doctor', siteUrl);
  const options: RequestOptions = {
    method: 'POST',
    // Said in a finding of its own.
    rejectUnauthorized: false,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/octet-stream',
      'content-length': CLAIMED_BYTES,
      'x-forwarded-for': CLAIMED_ADDRESS,
    },
  };
  return new Promise((resolve, reject) => {
    const sent = (url.protocol === 'https:' ? secureRequest : plainRequest)(url, options, (answer) => {
      let text = '';
      const done = () => {
        clearTimeout(giveUp);
        resolve({ status: answer.statusCode ?? 0, text });
        sent.destroy();
      };
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', done).on('error', done);
    });
    let isConnected = false;
    const giveUp = setTimeout(() => {
      if (isConnected) resolve(undefined);
      else reject(new Error('it does not answer'));
      sent.destroy();
    }, TIMEOUT_MS);
    sent.on('socket', (socket) => socket.once('connect', () => (isConnected = true)));
    sent.on('error', (error) => {
      clearTimeout(giveUp);
      reject(error);
    });
    sent.write(Buffer.alloc(1024));
  });
}

/** Whether browsers trust the certificate, and for how long. */
function inCertificate(siteUrl: string): Promise<Finding[]> {
  const { hostname, port } = new URL(siteUrl);
  return new Promise((resolve) => {
    const options = {
      host: hostname,
      servername: hostname,
      port: Number(port || 443),
      rejectUnauthorized: false,
    };
    const socket = connectTls({ ...options, timeout: TIMEOUT_MS }, () => {
      const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY_MS);
      const reason = socket.authorizationError;
      socket.end();
      if (reason)
        resolve([
          problem(
            `Browsers do not trust the certificate of ${hostname}: ${reason instanceof Error ? reason.message : reason}.`,
            'Get one from a public authority, such as Let’s Encrypt, and serve its whole chain.',
          ),
        ]);
      else if (days < 14)
        resolve([
          warning(
            `The certificate of ${hostname} ends in ${days} days.`,
            'Renew it, and look why it was not renewed by itself.',
          ),
        ]);
      else resolve([]);
    });
    // Said by the request that follows.
    socket.on('error', () => resolve([])).on('timeout', () => socket.destroy(new Error()));
  });
}

function inUpgrade(siteUrl: string, key: string): Promise<Finding[]> {
  const url = `${siteUrl.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=1.0.0`;
  const finding = problem(
    'Messages and notifications do not arrive by themselves: the proxy lets no websocket through.',
    'Let it pass on Upgrade and Connection (see the sample for nginx in docs/operations.md).',
  );
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { rejectUnauthorized: false, handshakeTimeout: TIMEOUT_MS });
    socket.once('open', () => {
      socket.close();
      resolve([]);
    });
    socket.once('error', () => resolve([finding]));
  });
}
