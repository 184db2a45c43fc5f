import { browserClient } from '#app/supabase.ts';
import { DOWNLOAD, downloadOf } from './citation.ts';

/**
 * Has the browser download a solution, or the solutions of a collection, as one ZIP. What everyone sees comes by an address, from
 * which a download that was broken off goes on; for anything else a form takes the member's token along, which is in no address.
 */
export async function downloadAll(
  kind: 'solution' | 'collection',
  id: string,
  isPublic: boolean,
): Promise<void> {
  if (isPublic) return location.assign(downloadOf(kind, id));
  const { auth } = await browserClient();
  // What may be taken is decided with the token, at the beginning of a download that may last longer than it.
  const fresh = await auth.refreshSession();
  const session = fresh.data.session ?? (await auth.getSession()).data.session;
  const form = document.createElement('form');
  form.method = 'post';
  form.action = DOWNLOAD;
  for (const [name, value] of [
    [kind, id],
    ['access_token', session?.access_token ?? ''],
  ] as const) {
    const field = document.createElement('input');
    field.type = 'hidden';
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
