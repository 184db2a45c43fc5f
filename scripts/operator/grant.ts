import pg from 'pg';
import { readConfig } from '#backend/config.ts';
import { openConnection } from '#backend/database/open-connection.ts';
import { usageOf } from '../tasks.mjs';
import { accountOf } from './account.ts';
import { command, Refusal, root } from './command.ts';
import { runningDatabase } from './site-database.ts';

await command(async () => {
  const [address, role] = process.argv.slice(2);
  const roles = ['user', 'moderator', 'admin'];
  if (!address || !role || !roles.includes(role)) throw new Refusal(usageOf('grant'));
  const url = runningDatabase(readConfig(root));
  if (!url) throw new Refusal('The site must be running (or DATABASE_URL set) for a role to be given.');
  const client = new pg.Client({ connectionString: url });
  await openConnection(client);
  try {
    await client.query('begin');
    const { id, confirmed } = await accountOf(client, address);
    // Anyone could have signed up with the address of someone else.
    if (!confirmed && role !== 'user')
      throw new Refusal(
        `No one has confirmed the address ${address} yet; its owner must open the link they were sent.`,
      );
    await client.query("select set_config('request.jwt.claims', '', true)");
    await client.query('delete from public.user_roles where user_id = $1 and role <> $2', [id, role]);
    // A plain user has no row.
    if (role !== 'user')
      await client.query(
        'insert into public.user_roles (user_id, role) values ($1, $2) on conflict do nothing',
        [id, role],
      );
    await client.query('commit');
    console.log(role === 'user' ? `${address} is a plain user now.` : `${address} has the role ${role} now.`);
  } finally {
    await client.end();
  }
});
