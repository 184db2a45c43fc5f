/** Sends the database the request that the path names, and fails when it is refused. */
export default async function asks(
  request: Request,
  context: { env: { SUPABASE_URL: string; SUPABASE_SERVICE_ROLE_KEY: string }; fetch: typeof fetch },
): Promise<Response> {
  const { SUPABASE_URL: url, SUPABASE_SERVICE_ROLE_KEY: apikey } = context.env;
  const name = new URL(request.url).pathname.split('/').at(-1);
  const answer = await context.fetch(`${url}/rest/v1/rpc/${name}`, { headers: { apikey } });
  if (!answer.ok) throw new Error(await answer.text());
  return answer;
}
