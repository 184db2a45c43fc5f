/** Answers only after the host's time limit, and counts as an archive until then. */
export default function slow(
  _request: Request,
  context: { signal: AbortSignal; admitArchive(): void },
): Promise<Response> {
  context.admitArchive();
  return new Promise((resolve) =>
    context.signal.addEventListener('abort', () => resolve(new Response(null, { status: 204 }))),
  );
}
