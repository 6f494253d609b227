import { useMemo } from 'react';
import { usePageState } from '@forecourt/shared-contracts/store';

/** What the visitor has done with vehicles, by their ids. */
export interface CardMarks {
  readonly saved: ReadonlySet<string>;
  /** Their sellers were written to (A4-EMAIL-03). */
  readonly contacted: ReadonlySet<string>;
}

/** What a card says about its own vehicle. */
export interface OwnMarks {
  readonly isSaved: boolean;
  readonly isContacted: boolean;
}

/**
 * Read once for all cards of a list: had each of hundreds asked the store, every
 * change of anything on the page would have to answer them all.
 */
export function useCardMarks(): CardMarks {
  const savedIds = usePageState(({ session }) => session.savedListingIds);
  const contactedIds = usePageState(({ session }) => session.contactedListingIds);
  return useMemo(
    () => ({ saved: new Set(savedIds), contacted: new Set(contactedIds) }),
    [savedIds, contactedIds],
  );
}

export const ownMarks = ({ saved, contacted }: CardMarks, listingId: string): OwnMarks => ({
  isSaved: saved.has(listingId),
  isContacted: contacted.has(listingId),
});

/** Do two readings say the same about a vehicle? */
export const hasSameMarks = (before: CardMarks, after: CardMarks, listingId: string): boolean =>
  before === after ||
  (before.saved.has(listingId) === after.saved.has(listingId) &&
    before.contacted.has(listingId) === after.contacted.has(listingId));
