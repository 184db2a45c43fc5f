/**
 * Whether a file was removed since it was listed, by the answer to a request for it, of which a refusal is read.
 *
 * @throws where it could not be read for another reason, such as a token that is over: none may be missing silently
 */
export async function isRemoved(answer: Response, path: string): Promise<boolean> {
  if (answer.ok) return false;
  // The storage answers 400 to much, and says in words what it means.
  const { statusCode = String(answer.status) } = await answer.json().catch(() => ({}));
  if (statusCode !== '404') throw new Error(`${path} could not be read: ${statusCode}`);
  return true;
}
