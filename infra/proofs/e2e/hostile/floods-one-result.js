/** Sends megabytes of allowed messages for one result. */
export const stoppedBy = 'protocol';
export const outcome = 'fallback';

export async function attack({ builtin }) {
  const { writeSync } = await builtin('fs');
  const header = Buffer.from(JSON.stringify({ kind: 'painting', id: 1, padding: 'x'.repeat(500_000) }));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(header.length, 0);
  const frame = Buffer.concat([lengths, header]);
  for (let sent = 0; sent < 100; sent += 1) {
    for (let at = 0; at < frame.length;) {
      try {
        at += writeSync(3, frame, at);
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error;
      }
    }
  }
  return '';
}
