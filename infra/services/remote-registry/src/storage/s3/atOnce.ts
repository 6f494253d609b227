/**
 * Runs `work` over all items, at most `limit` at one time; answers in their
 * order. When one fails no other is begun, and it rejects once all that were
 * have ended: nothing of it goes on afterwards.
 */
export async function atOnce<T, R>(
  limit: number,
  items: Iterable<T>,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const answers: R[] = [];
  const queue = [...items].entries();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    // All workers draw from the one iterator.
    for (const [index, item] of queue) {
      if (hasFailed) return;
      try {
        answers[index] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: limit }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return answers;
}
