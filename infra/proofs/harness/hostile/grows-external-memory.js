/** Grows a memory that is outside of the heap. */
export const stoppedBy = 'limits';
export const outcome = 'fallback';

export function attack() {
  const memories = [];
  for (let at = 0; at < 64; at += 1) {
    const memory = new WebAssembly.Memory({ initial: 512 });
    new Uint8Array(memory.buffer).fill(1);
    memories.push(memory);
  }
  return String(memories.length > 1e9);
}
