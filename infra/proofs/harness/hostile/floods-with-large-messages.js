/** Sends messages that cost the shell more time than itself. */
export const stoppedBy = 'protocol';
export const outcome = 'fallback';

export async function attack({ builtin }) {
  const { writeSync } = await builtin('fs');
  const header = Buffer.from(JSON.stringify({ kind: 'uncaughtError', message: 'x'.repeat(900_000) }));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(header.length, 0);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    let waiting = Buffer.concat([lengths, header]);
    // Whole messages: its own program must not write in between.
    while (waiting.length > 0) {
      try {
        waiting = waiting.subarray(writeSync(3, waiting));
      } catch {
        Atomics.wait(pause, 0, 0, 1);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
