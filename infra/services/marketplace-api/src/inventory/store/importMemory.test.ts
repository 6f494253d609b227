import { afterEach, describe, expect, it } from '@jest/globals';
import { createImportMemory } from './importMemory.ts';

let memory: ReturnType<typeof createImportMemory>;
afterEach(() => memory.close());

describe('the memory of an import', () => {
  it.each([0, 2, 100])(
    'tells the line of an earlier row with the same id, with %d ids outside its file',
    (maxQuickIds) => {
      memory = createImportMemory({ maxQuickIds });
      const ids = ['a', 'b', 'c', 'd', 'a', 'd', 'e'];
      expect(ids.map((id, at) => memory.see(id, at + 1))).toEqual([
        ...[undefined, undefined, undefined, undefined],
        ...[1, 4, undefined],
      ]);
      expect(['a', 'd', 'e', 'f'].map((id) => memory.hasSeen(id))).toEqual([true, true, true, false]);
    },
  );

  it('counts how often a description occurred before', () => {
    memory = createImportMemory();
    expect([7, 7, 8, 7].map((key) => memory.timesBefore(key))).toEqual([0, 1, 0, 2]);
    expect([7, 8, 9].map((key) => memory.timesSeen(key))).toEqual([3, 1, 0]);
  });
});
