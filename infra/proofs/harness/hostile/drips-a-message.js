/** Announces a message and sends it byte by byte. */
export const stoppedBy = 'protocol';
export const outcome = 'fallback';

export async function attack({ builtin }) {
  const { writeSync } = await builtin('fs');
  writeSync(3, Buffer.from('000fffff00000000', 'hex'));
  setInterval(() => writeSync(3, ' '), 5);
  await new Promise(() => {});
  return '';
}
