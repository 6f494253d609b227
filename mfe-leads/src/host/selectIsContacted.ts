import type { RootState } from '@forecourt/shared-contracts/store';

export const selectIsContacted =
  (listingId: string) =>
  ({ session }: RootState): boolean =>
    session.contactedListingIds.includes(listingId);
