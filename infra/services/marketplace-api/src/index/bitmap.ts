/**
 * A set of document numbers, 32 to a word. Words are signed: V8 keeps signed
 * 32-bit numbers unboxed, unsigned ones above 2^31 become doubles, which makes
 * every operation here three times slower.
 */
export type Bitmap = Int32Array<ArrayBuffer>;

const wordsFor = (bits: number): number => (bits + 31) >>> 5;

export const createBitmap = (bits: number): Bitmap => new Int32Array(wordsFor(bits));

export function setBit(bitmap: Bitmap, bit: number): void {
  const word = bit >>> 5;
  bitmap[word] = bitmap[word]! | (1 << (bit & 31));
}

export function clearBit(bitmap: Bitmap, bit: number): void {
  const word = bit >>> 5;
  bitmap[word] = bitmap[word]! & ~(1 << (bit & 31));
}

export const hasBit = (bitmap: Bitmap, bit: number): boolean =>
  (bitmap[bit >>> 5]! & (1 << (bit & 31))) !== 0;

/** Number of set bits of one word. */
export function popcount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function cardinality(bitmap: Bitmap): number {
  let total = 0;
  for (let i = 0; i < bitmap.length; i++) total += popcount(bitmap[i]!);
  return total;
}

/** target ∩= other, in place. */
export function intersect(target: Bitmap, other: Bitmap): void {
  for (let i = 0; i < target.length; i++) target[i] = target[i]! & other[i]!;
}

/** a ∩ b. */
export function intersection(a: Bitmap, b: Bitmap): Bitmap {
  const out = new Int32Array(a.length);
  for (let i = 0; i < out.length; i++) out[i] = a[i]! & b[i]!;
  return out;
}

/** target ∪= other, in place. */
export function unite(target: Bitmap, other: Bitmap): void {
  for (let i = 0; i < target.length; i++) target[i] = target[i]! | other[i]!;
}

/** target −= other, in place. */
export function subtract(target: Bitmap, other: Bitmap): void {
  for (let i = 0; i < target.length; i++) target[i] = target[i]! & ~other[i]!;
}

/** Members in ascending order. */
export function members(bitmap: Bitmap, size: number): Int32Array {
  const out = new Int32Array(size);
  let n = 0;
  for (let i = 0; i < bitmap.length; i++) {
    let word = bitmap[i]!;
    while (word !== 0) {
      out[n++] = (i << 5) + 31 - Math.clz32(word & -word);
      word &= word - 1;
    }
  }
  return out;
}

/** A longer copy; the new bits are clear. */
export function extend(bitmap: Bitmap, bits: number): Bitmap {
  const out = createBitmap(bits);
  out.set(bitmap);
  return out;
}

/**
 * A set of documents in the forms that counting needs. Each form is created on
 * first use, because most sets are counted in one way only.
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
