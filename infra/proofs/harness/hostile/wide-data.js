/** Sends a megabyte of data that takes half a second to parse. */
export const stoppedBy = 'protocol';
export const outcome = 'fallback';

export async function attack({ builtin }) {
  const { writeSync } = await builtin('fs');
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let id = 1; id < 40; id += 1) {
    const header = Buffer.from(`{"kind":"done","id":${id},"data":[${'[],'.repeat(300_000)}[]]}`);
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32BE(header.length, 0);
    let waiting = Buffer.concat([lengths, header]);
    while (waiting.length > 0) {
      try {
        waiting = waiting.subarray(writeSync(3, waiting));
      } catch {
        Atomics.wait(pause, 0, 0, 1);
      }
    }
  }
  await new Promise(() => {});
  return '';
}
