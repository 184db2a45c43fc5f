import type pg from 'pg';
import { ConfigError } from '../config-project.ts';

/**
 * Connects to a database whose URL an operator may have written.
 *
 * @throws ConfigError that names the server, why it cannot be used, and what to do
 */
export async function openConnection(client: pg.Client): Promise<void> {
  await client.connect().catch((cause) => {
    throw new ConfigError(`The database server at ${client.host}:${client.port} ${reasonOf(client, cause)}`, {
      cause,
    });
  });
}

function reasonOf(client: pg.Client, { code = '', message }: { code?: string; message: string }): string {
  if (code.startsWith('28'))
    return `refuses ${client.user}: ${message}. Correct the user and the password in its URL.`;
  if (code === '3D000') return `has no database ${client.database}. Create it, or correct its URL.`;
  if (/^E(?!RR_)/.test(code)) return `does not answer: ${code}. Start it, or correct its URL.`;
  return `cannot be used: ${message}.`;
}
