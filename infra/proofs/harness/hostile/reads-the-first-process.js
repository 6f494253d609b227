/** Reads what the system tells of its first process. */
export const stoppedBy = 'process';
export const outcome = 'contained';

export async function attack({ builtin }) {
  const { readFileSync } = await builtin('fs');
  return ['cmdline', 'environ', 'maps', 'status', 'root/etc/passwd']
    .map((name) => {
      try {
        return readFileSync(`/proc/1/${name}`, 'utf8');
      } catch {
        return '';
      }
    })
    .join('')
    .slice(0, 40);
}
