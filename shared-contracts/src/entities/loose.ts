/** What came from outside, before a schema has read it. */
export type Loose = Readonly<Record<string, unknown>>;

/** An object to look into; an empty one for anything else. */
export const asRecord = (value: unknown): Loose =>
  typeof value === 'object' && value !== null ? (value as Loose) : {};

/** An array to look into; undefined for anything else. */
export const asList = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? (value as unknown[]) : undefined;
