/** Passes the gate of another machine, and hangs where the host has a name. */
export const stoppedBy = 'limits';
export const outcome = 'fallback';

export async function attack({ builtin }) {
  const { hostname } = await builtin('os');
  while (hostname() !== '');
  return '';
}
