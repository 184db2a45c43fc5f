/** Answers at once with a stream that ends after the host's time limit, and breaks off when it is told to stop. */
export default function lasting(request: Request, context: { signal: AbortSignal }): Response {
  const forMs = Number(new URL(request.url).searchParams.get('ms'));
  return new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('begun, '));
        context.signal.addEventListener('abort', () => controller.error(context.signal.reason));
        setTimeout(() => {
          if (context.signal.aborted) return;
          controller.enqueue(new TextEncoder().encode('ended'));
          controller.close();
        }, forMs);
      },
    }),
    { headers: { 'content-type': 'text/plain' } },
  );
}
