/** Returns the request it received. */
export default async function echo(
  request: Request,
  context: { claims?: { role?: string } },
): Promise<Response> {
  return Response.json({
    method: request.method,
    url: new URL(request.url).pathname + new URL(request.url).search,
    type: request.headers.get('content-type'),
    body: request.method === 'GET' ? null : await request.text(),
    role: context.claims?.role ?? null,
  });
}
