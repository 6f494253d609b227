/** Computes in the threads of Node, while its main thread rests. */
export const stoppedBy = 'limits';
export const outcome = 'killed';

export async function attack({ builtin }) {
  const { pbkdf2 } = await builtin('crypto');
  const again = () => pbkdf2('x', 'y', 1e6, 64, 'sha512', again);
  for (let at = 0; at < 4; at += 1) again();
  return '';
}
