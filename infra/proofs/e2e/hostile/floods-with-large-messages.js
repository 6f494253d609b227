/** Sends messages that cost the shell more time than itself. */
export const stoppedBy = 'protocol';
export const outcome = 'fallback';

export async function attack({ builtin }) {
  const { writeSync } = await builtin('fs');
  const header = Buffer.from(JSON.stringify({ kind: 'stray', message: '[{"x":1}],'.repeat(80_000) }));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(header.length, 0);
  let waiting = Buffer.alloc(0);
  for (;;) {
    if (waiting.length === 0) waiting = Buffer.concat([lengths, header]);
    try {
      waiting = waiting.subarray(writeSync(3, waiting));
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}
