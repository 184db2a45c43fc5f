import type { Backend } from '#backend/start.ts';
import { type TextAnswer, textAnswer } from './recorded-calls.ts';

/** The table of the settings of the site, and the channel by which the database tells of its changes. */
const TABLE = 'site_settings';

/**
 * A fetch that answers from memory what every page asks: for the settings of the site. They are read again once they have
 * changed, in whatever way: the database tells of it, and the table API before it answers a write of this process. Without a
 * database that tells, nothing is kept.
 */
export async function keepSettings({
  fetch: fetchApi,
  listen,
  onWrite,
}: Pick<Backend, 'fetch' | 'listen' | 'onWrite'>): Promise<typeof fetch> {
  if (!listen) return fetchApi;
  /** By address, each from the beginning of its reading on. */
  const kept = new Map<string, Promise<TextAnswer>>();
  await listen(TABLE, () => kept.clear());
  onWrite((path) => path === `/${TABLE}` && kept.clear());
  return async (input, init) => {
    const url = String(input);
    const isReading = (init?.method ?? 'GET') === 'GET' && url.includes(`/rest/v1/${TABLE}?`);
    if (!isReading) return fetchApi(input, init);
    let answer = kept.get(url);
    if (!answer) {
      answer = fetchApi(input, init).then(textAnswer);
      kept.set(url, answer);
      const forget = () => kept.get(url) === answer && kept.delete(url);
      answer.then(({ status }) => status === 200 || forget(), forget);
    }
    const { body, ...head } = await answer;
    return new Response(body, head);
  };
}
