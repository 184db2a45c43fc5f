/** Answers only after the host's time limit. */
export default function slow(_request: Request, context: { signal: AbortSignal }): Promise<Response> {
  return new Promise((resolve) =>
    context.signal.addEventListener('abort', () => resolve(new Response('too late'))),
  );
}
