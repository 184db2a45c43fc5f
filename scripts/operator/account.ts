import type pg from 'pg';
import { isUuid } from '#backend/uuid.ts';
import { Refusal } from './command.ts';

/**
 * The account that an operator names by its address, or by its id where an organisation's account has the
 * same address.
 *
 * @throws Refusal where there is none, and where there are two: they may be of two people
 */
export async function accountOf(
  client: pg.Client,
  named: string,
): Promise<{ id: string; confirmed: boolean }> {
  const { rows } = await client.query<{ id: string; confirmed: boolean; kind: string }>(
    `select u.id, u.email_confirmed_at is not null as confirmed,
       case when u.is_sso_user then 'its organisation' else 'email' end || coalesce(' (' || (
         select string_agg(distinct coalesce(d.domain, i.provider), ', ')
         from auth.identities i left join auth.sso_domains d on i.provider = 'sso:' || d.sso_provider_id
         where i.user_id = u.id and i.provider <> 'email') || ')', '') as kind
     from auth.users u where ${isUuid(named) ? 'u.id = $1' : 'lower(u.email) = lower($1)'} order by u.created_at`,
    [named],
  );
  const [account, other] = rows;
  if (!account) throw new Refusal(`No one has signed up as ${named}.`);
  if (other) {
    const each = rows.map(({ id, kind }) => `${id} signs in through ${kind}`).join(', ');
    throw new Refusal(
      `Two accounts have the address ${named}: ${each}. Name the one that is meant by its id.`,
    );
  }
  return account;
}
