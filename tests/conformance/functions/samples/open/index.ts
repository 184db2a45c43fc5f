/** Open to all callers, with or without a token. */
export default function open(_request: Request, context: { claims?: { role?: string } }): Response {
  return new Response(context.claims?.role ?? 'nobody');
}
