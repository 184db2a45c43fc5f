/** Whether an author can still change a text; the database decides in the end. */
export function mayEdit(createdAt: string): boolean {
  return Date.now() - Date.parse(createdAt) < 15 * 60_000;
}
