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
