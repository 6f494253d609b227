import type { Bitmap } from './bitmap.ts';
import { cardinality, members } from './bitmap.ts';

/**
 * Documents that passed some filters, in the forms which counting needs. Each
 * form is made on first use: most sets of a search are counted in one way.
 */
export class DocumentSet {
  readonly bits: Bitmap;
  readonly size: number;
  private memberList: Int32Array | undefined;
  private usedWords: Int32Array | undefined;

  constructor(bits: Bitmap) {
    this.bits = bits;
    this.size = cardinality(bits);
  }

  get docs(): Int32Array {
    this.memberList ??= members(this.bits, this.size);
    return this.memberList;
  }

  /** Positions of the words that hold at least one document. */
  get words(): Int32Array {
    if (!this.usedWords) {
      const { bits } = this;
      const out = new Int32Array(Math.min(bits.length, this.size));
      let n = 0;
      for (let i = 0; i < bits.length; i++) if (bits[i] !== 0) out[n++] = i;
      this.usedWords = out.subarray(0, n);
    }
    return this.usedWords;
  }
}
