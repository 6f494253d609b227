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

function cardinality(bitmap: Bitmap): number {
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
function members(bitmap: Bitmap, size: number): Int32Array {
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

/** Those of the documents that all of the bitmaps have. */
export function having(docs: Int32Array, bitmaps: readonly Bitmap[]): Int32Array {
  const out = new Int32Array(docs.length);
  let n = 0;
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    let all = 1 << (doc & 31);
    for (let b = 0; b < bitmaps.length; b++) all &= bitmaps[b]![doc >>> 5]!;
    if (all !== 0) out[n++] = doc;
  }
  return out.subarray(0, n);
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
  readonly size: number;
  private bitmap: Bitmap | undefined;
  private memberList: Int32Array | undefined;
  private usedWords: Int32Array | undefined;
  /** Of all documents. */
  private readonly capacity: number;

  private constructor(size: number, capacity: number, bitmap?: Bitmap, docs?: Int32Array) {
    this.size = size;
    this.capacity = capacity;
    this.bitmap = bitmap;
    this.memberList = docs;
  }

  static ofBits(bits: Bitmap): DocumentSet {
    return new DocumentSet(cardinality(bits), bits.length << 5, bits);
  }

  /** Of different documents, in any order. */
  static ofDocs(docs: Int32Array, capacity: number): DocumentSet {
    return new DocumentSet(docs.length, capacity, undefined, docs);
  }

  /** Most that its forms take together. */
  get byteLength(): number {
    return (this.capacity >>> 3) * 2 + this.size * 4;
  }

  get bits(): Bitmap {
    if (!this.bitmap) {
      this.bitmap = createBitmap(this.capacity);
      for (const doc of this.docs) setBit(this.bitmap, doc);
    }
    return this.bitmap;
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

/** Initial capacity of a list. */
const FIRST_ROOM = 4;

/**
 * The documents of each code as contiguous lists in one pool. A full list moves
 * to the end of the pool with twice the capacity.
 */
export class Postings {
  /** Documents of each code. */
  sizes = new Int32Array(64);
  private starts = new Int32Array(64);
  private rooms = new Int32Array(64);
  private pool = new Int32Array(1024);
  private used = 0;
  /** Position of each document in its list. */
  private places: Int32Array<ArrayBuffer>;

  constructor(capacity: number) {
    this.places = new Int32Array(capacity);
  }

  grow(capacity: number): void {
    this.places = enlarged(this.places, capacity);
  }

  add(doc: number, code: number): void {
    if (code >= this.sizes.length) this.reserve(code + 1);
    const size = this.sizes[code]!;
    if (size === this.rooms[code]!) this.move(code);
    this.pool[this.starts[code]! + size] = doc;
    this.places[doc] = size;
    this.sizes[code] = size + 1;
  }

  /** Removes a document from its code's list by swapping in the last one. */
  remove(doc: number, code: number): void {
    const start = this.starts[code]!;
    const size = this.sizes[code]! - 1;
    const last = this.pool[start + size]!;
    const place = this.places[doc]!;
    this.pool[start + place] = last;
    this.places[last] = place;
    this.sizes[code] = size;
  }

  /** The documents of a code, unordered; valid until the next change. */
  docs(code: number): Int32Array {
    if (code >= this.sizes.length) return this.pool.subarray(0, 0);
    const start = this.starts[code]!;
    return this.pool.subarray(start, start + this.sizes[code]!);
  }

  private move(code: number): void {
    const room = Math.max(FIRST_ROOM, this.rooms[code]! * 2);
    if (this.used + room > this.pool.length)
      this.pool = enlarged(this.pool, Math.max(this.pool.length * 2, this.used + room));
    const start = this.starts[code]!;
    this.pool.copyWithin(this.used, start, start + this.sizes[code]!);
    this.starts[code] = this.used;
    this.rooms[code] = room;
    this.used += room;
  }

  private reserve(size: number): void {
    const length = Math.max(size, this.sizes.length * 2);
    this.sizes = enlarged(this.sizes, length);
    this.starts = enlarged(this.starts, length);
    this.rooms = enlarged(this.rooms, length);
  }
}

function enlarged(values: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const out = new Int32Array(length);
  out.set(values);
  return out;
}
