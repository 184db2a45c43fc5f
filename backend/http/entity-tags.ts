/**
 * Whether a client's `If-None-Match` names an answer that it has already (RFC 9110, 13.1.2).
 *
 * @param known the header as it was sent
 * @param etag weak or strong, which makes no difference here
 */
export function namesTag(known: string, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  // Splitting at a comma and the blanks around it would take time in proportion to the square of the blanks.
  return known.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}
