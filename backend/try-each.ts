/**
 * Does something with each of them in turn, also with those behind one that fails: what is swept, copied or archived must not depend
 * on what happens to come before it.
 *
 * @throws the first failure, once all have been tried
 */
export async function tryEach<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => unknown,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
