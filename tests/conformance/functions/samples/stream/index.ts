/** Sends the request's body back as a stream. */
export default function stream(request: Request): Response {
  return new Response(request.body, { headers: { 'content-type': 'application/octet-stream' } });
}
