/** Fails in the ways functions fail. */
export default function broken(request: Request): Response {
  if (new URL(request.url).pathname.endsWith('/refuses'))
    return Response.json({ error: 'No', message: 'not today' }, { status: 418 });
  throw new Error('a secret of the operator');
}
