/** The same bytes; it is said once they are read, or no one will read them. */
export function whileRead(
  body: ReadableStream<Uint8Array>,
  onOver: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value as Uint8Array<ArrayBuffer>);
          onOver();
          controller.close();
        } catch (error) {
          onOver();
          controller.error(error);
        }
      },
      cancel(reason) {
        onOver();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
