import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Postings } from './bitmap.ts';

describe('postings', () => {
  it('contains exactly the documents that were added and not removed, in any order', () => {
    const change = fc.record({ doc: fc.nat(60), code: fc.nat(150) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
        const postings = new Postings(8);
        postings.grow(61);
        const codeOf = new Map<number, number>();
        for (const { doc, code } of changes) {
          const before = codeOf.get(doc);
          if (before !== undefined) postings.remove(doc, before);
          if (before === code) codeOf.delete(doc);
          else {
            postings.add(doc, code);
            codeOf.set(doc, code);
          }
        }
        for (let code = 0; code <= 151; code++) {
          const expected = [...codeOf].filter(([, own]) => own === code).map(([doc]) => doc);
          expect([...postings.docs(code)].sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
          expect(postings.sizes[code] ?? 0).toBe(expected.length);
        }
      }),
    );
  });
});
