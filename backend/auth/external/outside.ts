const MOST_BYTES = 1024 * 1024;
const MOST_MS = 10_000;

/**
 * `fetch` of what others operate: its answer is here within ten seconds and a megabyte, as it is once unpacked.
 *
 * @throws where it is slower or longer
 */
export async function fetchOutside(address: string | URL, options: RequestInit = {}): Promise<Response> {
  const limit = AbortSignal.timeout(MOST_MS);
  const response = await fetch(address, {
    ...options,
    signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
  });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // Leaving the loop by an error cancels what is still coming.
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MOST_BYTES) throw new Error(`${new URL(address).host} answered more than a megabyte`);
    parts.push(part);
  }
  return new Response(size > 0 ? new Blob(parts) : null, response);
}
