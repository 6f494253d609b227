import {
  type Bitmap,
  type DocumentSet,
  Postings,
  clearBit,
  createBitmap,
  extend,
  hasBit,
  popcount,
  setBit,
  unite,
} from './bitmap.ts';

/** Codes of one property with the number of documents of each. */
export interface ValueCounts {
  readonly values: readonly string[];
  readonly counts: Int32Array;
}

/**
 * Past this many values a single-valued column drops its bitmaps: filtering by
 * its code column costs 0.1 ms at 100k documents, whatever the number of values.
 */
const MAX_BITMAP_VALUES = 64;

/** Reading one code costs about the same as intersecting and counting this many words. */
const WORDS_PER_CODE = 1.2;

/**
 * Dictionary-encoded property of documents. Lookup ignores case. A dictionary
 * only grows, so that a value without listings remains an option with count 0.
 */
abstract class FacetColumn {
  readonly values: string[] = [];
  /** Documents of each value. */
  protected totals = new Int32Array(8);
  protected readonly codeOf = new Map<string, number>();
  protected capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  abstract grow(capacity: number): void;
  abstract remove(doc: number): void;
  /** out ∪= documents with one of the codes. */
  abstract collect(codes: readonly number[], out: Bitmap): void;
  protected abstract countEach(set: DocumentSet): Int32Array;
  protected abstract codeAdded(): void;

  /** Code of a value; undefined for an unknown one. */
  find(value: string): number | undefined {
    return this.codeOf.get(value.toUpperCase());
  }

  /** out ∪= documents with one of the values. */
  select(values: readonly string[], out: Bitmap): void {
    const codes = values.map((value) => this.find(value)).filter((code) => code !== undefined);
    this.collect(codes, out);
  }

  /** Documents of `set` per value. `live` is the set of all documents. */
  count(set: DocumentSet, live: DocumentSet): Int32Array {
    if (set.size === live.size) return this.totals.slice(0, this.values.length);
    return this.countEach(set);
  }

  protected codeFor(value: string): number {
    const key = value.toUpperCase();
    const existing = this.codeOf.get(key);
    if (existing !== undefined) return existing;
    const code = this.values.length;
    this.values.push(value);
    this.codeOf.set(key, code);
    if (code >= this.totals.length) {
      const totals = new Int32Array(code * 2);
      totals.set(this.totals);
      this.totals = totals;
    }
    this.codeAdded();
    return code;
  }
}

function countBitmaps(bitmaps: readonly Bitmap[], set: DocumentSet): Int32Array {
  const { bits, words } = set;
  const counts = new Int32Array(bitmaps.length);
  for (let code = 0; code < bitmaps.length; code++) {
    const bitmap = bitmaps[code]!;
    let total = 0;
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      total += popcount(bitmap[word]! & bits[word]!);
    }
    counts[code] = total;
  }
  return counts;
}

/** Most values of 16-bit codes; larger dictionaries use 32 bits. */
const MAX_NARROW_VALUES = 2 ** 16 - 1;

/** Postings are used below this share of all documents; above it the column is scanned. */
const LIST_SHARE = 1 / 6;

/** At most one value per document: a code column, with bitmaps for few values or with postings. */
export class SingleColumn extends FacetColumn {
  /** Code + 1 of each document, 0 = none. */
  codes: Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;
  private bitmaps: Bitmap[] | undefined;
  private readonly postings: Postings | undefined;

  /** `isListed` adds postings, for columns with many values of which a query uses few. */
  constructor(capacity: number, { isListed = false } = {}) {
    super(capacity);
    this.codes = new Uint16Array(capacity);
    this.bitmaps = isListed ? undefined : [];
    this.postings = isListed ? new Postings(capacity) : undefined;
  }

  grow(capacity: number): void {
    const codes = this.codes instanceof Uint16Array ? new Uint16Array(capacity) : new Uint32Array(capacity);
    codes.set(this.codes);
    this.codes = codes;
    this.postings?.grow(capacity);
    this.bitmaps = this.bitmaps?.map((bitmap) => extend(bitmap, capacity));
    this.capacity = capacity;
  }

  add(doc: number, value: string | undefined): void {
    if (value === undefined) {
      this.codes[doc] = 0;
      return;
    }
    const code = this.codeFor(value);
    this.codes[doc] = code + 1;
    this.totals[code] = this.totals[code]! + 1;
    if (this.bitmaps) setBit(this.bitmaps[code]!, doc);
    this.postings?.add(doc, code);
  }

  remove(doc: number): void {
    const code = this.codes[doc]! - 1;
    if (code < 0) return;
    this.postings?.remove(doc, code);
    this.codes[doc] = 0;
    this.totals[code] = this.totals[code]! - 1;
    if (this.bitmaps) clearBit(this.bitmaps[code]!, doc);
  }

  collect(codes: readonly number[], out: Bitmap): void {
    if (this.bitmaps) {
      for (const code of codes) unite(out, this.bitmaps[code]!);
      return;
    }
    const codeMask = new Uint8Array(this.values.length + 1);
    for (const code of codes) codeMask[code + 1] = 1;
    this.collectMask(codeMask, out);
  }

  /** As `collect`, with a 1 at code + 1 for each wanted code; only among `docs`, if they are given. */
  collectMask(codeMask: Uint8Array, out: Bitmap, docs?: Int32Array): void {
    const { codes, postings } = this;
    if (docs) {
      for (let i = 0; i < docs.length; i++) {
        const doc = docs[i]!;
        if (codeMask[codes[doc]!] === 1) setBit(out, doc);
      }
      return;
    }
    if (postings && this.sizeOf(codeMask) < codes.length * LIST_SHARE) {
      for (let code = 0; code < this.values.length; code++) {
        if (codeMask[code + 1] !== 1) continue;
        const codeDocs = postings.docs(code);
        for (let i = 0; i < codeDocs.length; i++) setBit(out, codeDocs[i]!);
      }
      return;
    }
    for (let word = 0, doc = 0; word < out.length; word++) {
      let found = 0;
      const end = Math.min(doc + 32, codes.length);
      for (let bit = 0; doc < end; doc++, bit++) found |= codeMask[codes[doc]!]! << bit;
      out[word] = out[word]! | found;
    }
  }

  private sizeOf(codeMask: Uint8Array): number {
    let size = 0;
    for (let code = 0; code < this.values.length; code++) size += codeMask[code + 1]! * this.totals[code]!;
    return size;
  }

  protected codeAdded(): void {
    if (this.values.length > MAX_NARROW_VALUES && this.codes instanceof Uint16Array)
      this.codes = Uint32Array.from(this.codes);
    if (this.values.length > MAX_BITMAP_VALUES) this.bitmaps = undefined;
    this.bitmaps?.push(createBitmap(this.capacity));
  }

  protected countEach(set: DocumentSet): Int32Array {
    const fewWords = this.values.length * set.words.length < set.size * WORDS_PER_CODE;
    if (this.bitmaps && fewWords) return countBitmaps(this.bitmaps, set);
    const counts = new Int32Array(this.values.length + 1);
    const { codes } = this;
    const { docs } = set;
    for (let i = 0; i < docs.length; i++) {
      const code = codes[docs[i]!]!;
      counts[code] = counts[code]! + 1;
    }
    return counts.subarray(1);
  }
}

/** Any number of values per document: bitmaps only. */
export class MultiColumn extends FacetColumn {
  private bitmaps: Bitmap[] = [];

  grow(capacity: number): void {
    this.bitmaps = this.bitmaps.map((bitmap) => extend(bitmap, capacity));
    this.capacity = capacity;
  }

  add(doc: number, values: readonly string[]): void {
    for (const value of values) {
      const code = this.codeFor(value);
      const bitmap = this.bitmaps[code]!;
      if (hasBit(bitmap, doc)) continue;
      setBit(bitmap, doc);
      this.totals[code] = this.totals[code]! + 1;
    }
  }

  remove(doc: number): void {
    this.bitmaps.forEach((bitmap, code) => {
      if (!hasBit(bitmap, doc)) return;
      clearBit(bitmap, doc);
      this.totals[code] = this.totals[code]! - 1;
    });
  }

  collect(codes: readonly number[], out: Bitmap): void {
    for (const code of codes) unite(out, this.bitmaps[code]!);
  }

  protected codeAdded(): void {
    this.bitmaps.push(createBitmap(this.capacity));
  }

  protected countEach(set: DocumentSet): Int32Array {
    return countBitmaps(this.bitmaps, set);
  }
}
