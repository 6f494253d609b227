import { type Bitmap, createBitmap } from './bitmap.ts';
import type { Distances, GeoPoint } from './ownerTable.ts';

/** Bitmaps and distances kept at most; bytes. */
const MAX_BYTES = 24 * 1024 * 1024;

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/**
 * The documents that recent filters selected. One page makes about eight calls with the same make, model and
 * place; each filter is evaluated for the first of them only. Callers must not change what they get.
 * `clear` after each change of the documents.
 */
export class FilterCache {
  /** In order of use: a Map keeps the insertion order. */
  private readonly entries = new Map<string, Entry<Bitmap | Distances>>();
  private bytes = 0;

  /**
   * The documents that a filter selects: `choice` is all that it compares with. What `isPartial` fills, only a
   * part of the documents, is not kept.
   */
  selected(
    filter: string,
    choice: unknown,
    {
      capacity,
      isPartial,
      fill,
    }: { readonly capacity: number; readonly isPartial: boolean; readonly fill: (out: Bitmap) => void },
  ): Bitmap {
    const key = keyOf(filter, choice);
    const evaluate = () => {
      const out = createBitmap(capacity);
      fill(out);
      return out;
    };
    if (isPartial && !this.entries.has(key)) return evaluate();
    return this.find(key, () => {
      const value = evaluate();
      return { value, bytes: value.byteLength };
    });
  }

  distances(center: GeoPoint, measure: () => Distances): Distances {
    return this.find(keyOf('distances', [center.latitude, center.longitude]), () => {
      const value = measure();
      return { value, bytes: value.byteLength };
    });
  }

  clear(): void {
    this.entries.clear();
    this.bytes = 0;
  }

  private find<Value extends Bitmap | Distances>(key: string, create: () => Entry<Value>): Value {
    const existing = this.entries.get(key) as Entry<Value> | undefined;
    const entry = existing ?? create();
    if (existing) this.entries.delete(key);
    else this.bytes += entry.bytes;
    this.entries.set(key, entry);
    for (const [oldest, { bytes }] of this.entries) {
      if (this.bytes <= MAX_BYTES || oldest === key) break;
      this.entries.delete(oldest);
      this.bytes -= bytes;
    }
    return entry.value;
  }
}

const keyOf = (filter: string, choice: unknown): string => `${filter} ${JSON.stringify(choice)}`;
