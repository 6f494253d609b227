/** Leaves its main thread idle while the thread pool computes for it. */
export const stoppedBy = 'limits';
export const outcome = 'any';

export async function attack({ builtin }) {
  const { pbkdf2 } = await builtin('crypto');
  for (let job = 0; job < 20; job += 1) pbkdf2('x', 'y', 5_000_000, 64, 'sha512', () => {});
  return '';
}
