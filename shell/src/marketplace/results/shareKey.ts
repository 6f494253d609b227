import type { Visitor } from '../visitor/visitor.ts';

/**
 * Everything of a visitor that a results page depends on. It contains the whole session, so that new fields are part of the
 * key automatically.
 */
export const shareKeyOf = (
  { session, hidesAlpha }: Visitor,
  channel: string | undefined,
): readonly unknown[] => [session, hidesAlpha, channel ?? null];
