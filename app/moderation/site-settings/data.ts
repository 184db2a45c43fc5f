import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Database } from '#app/database.types.ts';
import { dataOf, functionMessage, unwrap } from '#app/errors.ts';
import { applySiteSettings, SITE_COLUMNS, type SiteSettings } from '#app/site.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

/** The most characters that the database takes of each text. */
export const MAX_LENGTHS = {
  site_name: 80,
  welcome_text: 300,
  code: 12,
  name: 120,
  country: 60,
  professions: 200,
  search_url: 500,
};

/** The settings of the whole site, for an admin to change. */
export const settingsQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['moderation', 'settings'],
    queryFn: async () => unwrap(await (await client()).from('site_settings').select(SITE_COLUMNS).single()),
  });

/** Changes settings, and what this tab draws with them; other pages that are open draw with them when they load. */
export async function saveSettings(db: Client, changed: Partial<SiteSettings>): Promise<void> {
  applySiteSettings(
    unwrap(await db.from('site_settings').update(changed).eq('only_row', true).select(SITE_COLUMNS).single()),
  );
}

/** Uploads an image as the logo and returns its path, which the settings name once they are saved with it. */
export async function uploadLogo(db: Client, userId: string, file: File): Promise<string> {
  const form = new FormData();
  form.set('userId', userId);
  form.set('file', file);
  const { data, error } = await db.functions.invoke<{ logoUrl: string }>('process-logo-upload', {
    body: form,
  });
  if (error || !data) throw new Error(await functionMessage(error, 'The logo couldn’t be uploaded'));
  return data.logoUrl;
}

export type Register = Database['public']['Tables']['registers']['Row'];

/** All registers, the retired ones too, by country. */
export const allRegistersQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['registers', 'all'],
    queryFn: async () =>
      unwrap(
        await (await client())
          .from('registers')
          .select('code,name,country,professions,search_url,is_retired')
          .order('country')
          .order('code'),
      ),
  });

/**
 * Adds a register, or changes one; its short name stays, as members are registered by it.
 *
 * @param isNew whether no register has this short name yet
 * @throws Error with the words for the administrator where one has
 */
export async function saveRegister(
  db: Client,
  isNew: boolean,
  { code, is_retired: _, ...register }: Register,
): Promise<void> {
  const { error } = isNew
    ? await db.from('registers').insert({ code, ...register })
    : await db.from('registers').update(register).eq('code', code);
  if (error?.code === '23505')
    throw new Error(
      `There is a register with this ${/_name_/.test(error.message) ? 'name' : 'short name'} already`,
    );
  if (error) throw error;
}

/** Takes a register off the list that members choose from, or puts it back. */
export async function retireRegister(db: Client, code: string, is_retired: boolean): Promise<void> {
  dataOf(await db.from('registers').update({ is_retired }).eq('code', code));
}

/** Has an invitation mailed, with which its reader can sign up. */
export async function inviteMember(db: Client, email: string): Promise<void> {
  dataOf(await db.rpc('invite_member', { email }));
}

/** The most invitations that the database gives at a time. */
const INVITATIONS_PAGE = 50;

/** Invitations that were not used yet and have not lapsed, by address. */
export const invitationsQuery = (client: ClientSource) =>
  infiniteQueryOptions({
    queryKey: ['moderation', 'invitations'],
    queryFn: async ({ pageParam }) =>
      unwrap(await (await client()).rpc('pending_invitations', { after: pageParam })),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < INVITATIONS_PAGE ? null : page.at(-1)?.email),
  });

/** Takes an invitation back, by which its reader can then no longer sign up. */
export async function withdrawInvitation(db: Client, email: string): Promise<void> {
  dataOf(await db.rpc('withdraw_invitation', { email }));
}
