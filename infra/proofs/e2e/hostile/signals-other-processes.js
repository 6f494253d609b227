/** Looks for processes that it may end: other releases, helpers of the shell. */
export const stoppedBy = 'process';
export const outcome = 'contained';

export async function attack({ realProcess }) {
  const { kill, pid } = await realProcess();
  const found = [];
  // Those that started before it; behind its own number come its threads.
  for (let other = Math.max(2, pid - 300); other < pid; other += 1) {
    try {
      kill(other, 0);
      found.push(other);
    } catch {
      // None there, or not allowed.
    }
  }
  return found.join();
}
