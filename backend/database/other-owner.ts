import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import type pg from 'pg';
import { ConfigError } from '../config-project.ts';

/** The oldest PostgreSQL that the services and the product's migrations run on. */
const OLDEST = 16;

const ADVICE =
  'The site makes roles, schemas and rights of its own, so give it a server and a database that nothing else uses (docs/operations.md, “Your own PostgreSQL”). Nothing was changed.';

/** Refuses a server that cannot be used. @throws ConfigError */
export async function refuseServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string; superuser: boolean }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
       (select rolsuper from pg_roles where rolname = current_user) as superuser`,
  );
  const [server] = rows;
  if (server && server.number < OLDEST * 10_000)
    throw new ConfigError(
      `The database server is PostgreSQL ${server.version}, and the site needs PostgreSQL ${OLDEST} or newer.`,
    );
  if (!server?.superuser)
    throw new ConfigError(
      'DATABASE_URL must name a superuser of the database server, as which the site makes its own roles.',
    );
}

/**
 * Refuses a server or a database that holds what the site has not made: its start would change passwords and rights there. The
 * site's own roles are known by the password in its `secrets.json`.
 *
 * @param roles those that the site makes, each with whether it signs in
 * @param isKnown whether the database has the record of the site's migrations
 * @returns the roles that there are already
 * @throws ConfigError, with nothing changed
 */
export async function refuseOtherOwner(
  client: pg.Client,
  password: string,
  roles: Map<string, boolean>,
  isKnown: boolean,
): Promise<Set<string>> {
  const { rows: present } = await client.query<{ name: string; superuser: boolean; verifier: string | null }>(
    `select rolname as name, rolsuper as superuser, rolpassword as verifier from pg_authid
     where rolname = any ($1) order by rolname`,
    [[...roles.keys()]],
  );
  const signingIn = present.filter(({ name }) => roles.get(name));
  const own = signingIn.filter((role) => isPasswordOf(role, password));
  const isOwn = own.length > 0;
  if (!isOwn && isKnown && signingIn.some(({ name }) => name === 'authenticator'))
    throw new ConfigError(
      'The database belongs to a site with other keys; copy secrets.json, and with a bucket files.json, from its data folder into this one, or take them from a backup of that site.',
    );
  const others = isOwn ? signingIn.filter((role) => role.superuser || !own.includes(role)) : present;
  // Version 1.0 took over a role that was there; a database that it has made goes on with it.
  if (isOwn && isKnown) others.length = 0;
  if (others.length > 0)
    throw new ConfigError(
      `The server of DATABASE_URL has roles that are not this site’s: ${others.map(({ name }) => name).join(', ')}. ${ADVICE}`,
    );
  if (!isKnown) await refuseContent(client);
  return new Set(present.map(({ name }) => name));
}

/** What a user has made in the database has a number from here on; PostgreSQL's own are below. */
const FIRST_OF_USERS = 16_384;

async function refuseContent(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ thing: string }>(
    `select thing from (
       select 1, 'the schema ' || nspname from pg_namespace where oid >= $1 and nspname !~ '^pg_(toast_)?temp_'
       union all select 2, 'the extension ' || extname from pg_extension where oid >= $1
       union all select 3, 'the publication ' || pubname from pg_publication
       union all select 4, 'the relation ' || relname from pg_class where oid >= $1 and relnamespace = 'public'::regnamespace
       union all select 5, 'the function ' || proname from pg_proc where oid >= $1 and pronamespace = 'public'::regnamespace
       union all select 6, 'the type ' || typname from pg_type where oid >= $1 and typnamespace = 'public'::regnamespace and typelem = 0
     ) found (place, thing) order by place, thing limit 1`,
    [FIRST_OF_USERS],
  );
  if (rows[0])
    throw new ConfigError(
      `The database of DATABASE_URL is not empty and not this site’s: it has ${rows[0].thing}. ${ADVICE}`,
    );
}

/** Whether a role signs in with a password, by what PostgreSQL keeps of it (`pg_authid.rolpassword`). */
function isPasswordOf(
  { name, verifier }: { name: string; verifier: string | null },
  password: string,
): boolean {
  const [, iterations, salt = '', serverKey] =
    /^SCRAM-SHA-256\$(\d+):([^$]+)\$[^:]+:(.+)$/.exec(verifier ?? '') ?? [];
  if (!iterations)
    return (
      verifier ===
      `md5${createHash('md5')
        .update(password + name)
        .digest('hex')}`
    );
  const salted = pbkdf2Sync(password, Buffer.from(salt, 'base64'), Number(iterations), 32, 'sha256');
  return createHmac('sha256', salted).update('Server Key').digest('base64') === serverKey;
}
