import type { SourceRow } from './mapping.ts';

/** A row of a feed, or the problem at that line (from 1). */
export type ReadRow =
  | { readonly line: number; readonly row: SourceRow }
  | { readonly line: number; readonly problem: string; readonly text: string };

/** Most characters of a row; an unclosed quote would swallow the rest of the file. */
export const LONGEST_ROW = 1_000_000;

/**
 * An unclosed quote makes one row of the rest of the file. The feed is unreadable
 * from there on, so nothing may be expired.
 */
export class BrokenFeed extends Error {
  readonly code = 'BROKEN_FEED';
}
