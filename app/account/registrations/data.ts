import { queryOptions } from '@tanstack/react-query';
import { dataOf, unwrap } from '#app/errors.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import type { Decision } from '#app/solution/review/data.ts';
import type { Client, ClientSource, QueryData } from '#app/supabase.ts';

/** The longest registration number. */
export const MAX_NUMBER = 40;
/** The longest reason for declining one. */
export const MAX_REASON = 500;

/** The registers that members can name, by country. */
export const registersQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['registers'],
    queryFn: async () =>
      unwrap(
        await (await client())
          .from('registers')
          .select('code,name,country,professions')
          .eq('is_retired', false)
          .order('country')
          .order('code'),
      ),
    staleTime: 3_600_000,
  });

const stateColumns = 'id,register,number,state,submitted_at,decided_at,decline_reason';

/** The registration that the signed-in member has stated; null without one. */
export const ownRegistrationQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    // With the viewer's own data, which is read again at each change.
    queryKey: ['viewer', userId, 'registration'],
    queryFn: async () => {
      return dataOf(
        await (await client())
          .from('member_registrations')
          .select(stateColumns)
          .eq('user_id', userId)
          .maybeSingle(),
      );
    },
  });

export type OwnRegistration = NonNullable<QueryData<typeof ownRegistrationQuery>>;

/** States, corrects or confirms the member's registration, which then waits for a moderator. */
export async function submitRegistration(
  db: Client,
  userId: string,
  stated: { register: string; number: string },
): Promise<void> {
  const changed = await db.from('member_registrations').update(stated).eq('user_id', userId).select('id');
  if (unwrap(changed).length > 0) return;
  dataOf(await db.from('member_registrations').insert({ ...stated, user_id: userId }));
}

/** A registration that is removed already counts as removed. */
export async function removeRegistration(db: Client, userId: string): Promise<void> {
  dataOf(await db.from('member_registrations').delete().eq('user_id', userId));
}

/** One registration that waits for a moderator; null once it is decided on. */
export const waitingRegistrationQuery = (client: ClientSource, id: string) =>
  queryOptions({
    queryKey: ['moderation', 'registrations', id],
    queryFn: async () => {
      const db = await client();
      const data = dataOf(
        await db
          .from('member_registrations')
          .select(
            `id,user_id,number,submitted_at,updated_at,register:registers(code,name,country,professions,search_url),member:profiles!member_registrations_user_id_fkey(${authorColumns},workplace,location)`,
          )
          .eq('id', id)
          .eq('state', 'waiting')
          .maybeSingle(),
      );
      return (
        data && { ...data, warnings: unwrap(await db.rpc('registration_warnings', { registration: id })) }
      );
    },
    refetchOnWindowFocus: true,
  });

export type WaitingRegistration = NonNullable<QueryData<typeof waitingRegistrationQuery>>;

/** What a moderator confirms before a registration counts as checked, by the keys that are stored with it. */
export const registrationChecklist = {
  name: 'Full name and profession in the register match those on the profile',
  number: 'The register shows this number for that person',
  current: 'The registration is current',
} as const;

/**
 * Decides on a waiting registration in the version that the moderator saw.
 *
 * @throws Error saying so, when it has changed since or another moderator was first
 */
export async function decideRegistration(
  db: Client,
  { id, updated_at }: Pick<WaitingRegistration, 'id' | 'updated_at'>,
  made: Decision,
): Promise<void> {
  const decision =
    made.status === 'approved'
      ? { state: 'checked', checklist: { name: true, number: true, current: true } }
      : { state: 'declined', decline_reason: made.rejection_reason };
  const decided = unwrap(
    await db
      .from('member_registrations')
      .update(decision)
      .eq('id', id)
      .eq('state', 'waiting')
      .eq('updated_at', updated_at)
      .select('id'),
  );
  if (decided.length === 0)
    throw new Error(
      'This registration has changed since you opened it, or another moderator has decided. Please check it again.',
    );
}
