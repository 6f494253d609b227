/** Looks for processes of other releases that it may signal. */
export const stoppedBy = 'process';
export const outcome = 'contained';

export async function attack({ realProcess }) {
  const own = await realProcess();
  // Those behind its own are its threads.
  for (let pid = Math.max(2, own.pid - 3_000); pid < own.pid; pid += 1) {
    try {
      own.kill(pid, 0);
    } catch {
      continue;
    }
    return `may signal ${pid}`;
  }
  return '';
}
