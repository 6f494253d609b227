/** Asks the system for an address, which can carry data out in the name. */
export const stoppedBy = 'process';
export const outcome = 'contained';

export async function attack({ builtin }) {
  const { lookup } = await builtin('dns/promises');
  return (await lookup('localhost')).address;
}
