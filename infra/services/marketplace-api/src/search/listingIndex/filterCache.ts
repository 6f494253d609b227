/** Size of the cached entries; bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

interface Entry {
  readonly value: unknown;
  readonly bytes: number;
}

/**
 * What recent queries selected, for other calls of the same page: it makes about eight with the same make, model
 * and place. Callers must not change what they get. Must be cleared after each change of the documents.
 */
export class FilterCache {
  /** In order of use: a Map keeps the insertion order. */
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  has(kind: string, choice: unknown): boolean {
    return this.entries.has(keyOf(kind, choice));
  }

  /** The value for `choice`, which is all that it depends on; created by the first call. */
  get<Value extends { readonly byteLength: number }>(
    kind: string,
    choice: unknown,
    create: () => Value,
  ): Value {
    const key = keyOf(kind, choice);
    const existing = this.entries.get(key);
    if (existing) {
      this.entries.delete(key);
      this.entries.set(key, existing);
      return existing.value as Value;
    }
    const value = create();
    const bytes = value.byteLength;
    this.entries.set(key, { value, bytes });
    this.bytes += bytes;
    for (const [oldest, entry] of this.entries) {
      if (this.bytes <= MAX_BYTES || oldest === key) break;
      this.entries.delete(oldest);
      this.bytes -= entry.bytes;
    }
    return value;
  }

  clear(): void {
    this.entries.clear();
    this.bytes = 0;
  }
}

const keyOf = (kind: string, choice: unknown): string => `${kind} ${JSON.stringify(choice)}`;
