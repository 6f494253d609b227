/** Copies its own descriptors, to find one that leads outside. */
export const stoppedBy = 'process';
export const outcome = 'contained';

export async function attack({ builtin }) {
  const { openSync, fstatSync } = await builtin('fs');
  const opened = [];
  for (let at = 4; at < 64; at += 1) {
    try {
      if (fstatSync(at).isFile()) opened.push(at);
    } catch {
      // Not open.
    }
  }
  opened.push(openSync('/proc/self/fd/3', 'r'));
  return opened.join();
}
