import type { Listing } from '@forecourt/shared-contracts/entities';

/**
 * A title as year, make and model, and its trim: each has a line of its own, so
 * that what follows stands at one height in all cards of a row. Without a trim
 * at its end the title is one part.
 */
export function titleParts({ title, trim }: Pick<Listing, 'title' | 'trim'>): readonly [string, string?] {
  const end = trim && ` ${trim.name}`;
  return end && title.length > end.length && title.endsWith(end)
    ? [title.slice(0, -end.length), trim.name]
    : [title];
}
