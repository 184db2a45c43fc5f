/** Answers only when the host has lost its patience. */
export default function slow(_request: Request, context: { signal: AbortSignal }): Promise<Response> {
  return new Promise((resolve) =>
    context.signal.addEventListener('abort', () => resolve(new Response('too late'))),
  );
}
