/** Pretends to start, to be ready, to reply and to render other jobs. */
export const stoppedBy = 'protocol';
export const outcome = 'any';

export async function attack({ builtin }) {
  const { writeSync } = await builtin('fs');
  const states = [{ kind: 'started' }, { kind: 'ready' }, { kind: 'alive' }, { kind: 'rendering', id: 999 }];
  for (const state of states) {
    const header = Buffer.from(JSON.stringify(state));
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32BE(header.length, 0);
    writeSync(3, Buffer.concat([lengths, header]));
  }
  for (;;);
}
