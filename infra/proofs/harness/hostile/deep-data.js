/** Sends data whose nesting overflows the stack of whatever walks it. */
export const stoppedBy = 'protocol';
export const outcome = 'fallback';

export async function attack({ builtin }) {
  const { writeSync } = await builtin('fs');
  const depth = 15_000;
  for (let id = 1; id < 40; id += 1) {
    const data = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const header = Buffer.from(`{"kind":"done","id":${id},"data":${data}}`);
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32BE(header.length, 0);
    writeSync(3, Buffer.concat([lengths, header]));
  }
  await new Promise(() => {});
  return '';
}
