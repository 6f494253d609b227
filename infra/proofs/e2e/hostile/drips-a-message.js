/** Announces a message of a megabyte and sends a byte of it now and then. */
export const stoppedBy = 'protocol';
export const outcome = 'fallback';

export async function attack({ builtin }) {
  const { writeSync } = await builtin('fs');
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(1_000_000, 0);
  writeSync(3, lengths);
  setInterval(() => writeSync(3, '{'), 50);
  return '';
}
