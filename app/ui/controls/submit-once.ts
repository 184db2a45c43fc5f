/** Ids of texts that were sent and not answered yet, by their content. */
const pendingIds = new Map<string, string>();

/**
 * Sends a text so that a second click, or a try after a lost response, writes it once: each try of the same
 * text is sent with the same id, of which the database accepts one from a member.
 *
 * @param send gets the id for the row's `submission_id`
 */
export async function submitOnce<Result>(
  text: object,
  send: (submissionId: string) => Promise<Result>,
): Promise<Result> {
  const key = JSON.stringify(text);
  const id = pendingIds.get(key) ?? crypto.randomUUID();
  pendingIds.set(key, id);
  const result = await send(id);
  // Sent later, the same words are meant as another text.
  pendingIds.delete(key);
  return result;
}

/** True for the refusal of a row that an earlier try has written. */
export const wasSubmitted = (error: { code: string; message: string } | null): boolean =>
  error?.code === '23505' && error.message.includes('submission_id');
