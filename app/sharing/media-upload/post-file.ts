import { messageOf, SESSION_ENDED } from '#app/errors.ts';
import { browserClient, browserConfig, checkSession } from '#app/supabase.ts';
import { ConnectionLost, FileRefused } from './upload-queue.ts';

/** The failure of a file of which the site has said nothing; it can be sent again. */
export const lost = (file: File, cause?: unknown) =>
  new ConnectionLost(`${file.name}: The connection was lost. Please try again.`, { cause });

/** Answers of a proxy in whose place the site would have said why. */
export const isDown = (status: number) => [502, 503, 504].includes(status);

/** The refusal of a file by the server. @param body of its answer; null when it is none of the site's own */
export function refusalOf(file: File, status: number, body: unknown): Error {
  if (status === 401) return new Error(SESSION_ENDED);
  if (!body && isDown(status)) return lost(file);
  const reason = messageOf(body, `${file.name} couldn’t be processed. Please try again.`);
  // The same file would be refused again for what it is.
  return [415, 422].includes(status) ? new FileRefused(reason) : new Error(reason);
}

/**
 * Sends a file to a function that processes it. By XMLHttpRequest, since fetch reports no upload progress.
 *
 * @param userId must be the member themself
 */
export async function postFile<Answer>(
  name: string,
  userId: string,
  file: File,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Answer> {
  const { data } = await (await browserClient()).auth.getSession();
  const { anonKey } = browserConfig();
  const form = new FormData();
  form.set('userId', userId);
  form.set('file', file);
  return new Promise<Answer>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/functions/v1/${name}`);
    request.setRequestHeader('authorization', `Bearer ${data.session?.access_token ?? anonKey}`);
    request.setRequestHeader('apikey', anonKey);
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
    request.addEventListener('load', () => {
      const body: Answer | null = request.response;
      if (request.status === 200 && body) resolve(body);
      else {
        if (request.status === 401) void checkSession();
        reject(refusalOf(file, request.status, body));
      }
    });
    request.addEventListener('error', () => reject(lost(file)));
    request.addEventListener('abort', () => reject(new Error('Stopped')));
    if (signal.aborted) {
      reject(new Error('Stopped'));
      return;
    }
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}
