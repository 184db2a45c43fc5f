/** Sends back what comes, as it comes. */
export default function stream(request: Request): Response {
  return new Response(request.body, { headers: { 'content-type': 'application/octet-stream' } });
}
