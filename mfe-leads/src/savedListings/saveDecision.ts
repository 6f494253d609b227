import { BRANDS, type BrandCode } from '@forecourt/shared-contracts/brands';
import { QUICK_SAVE_LIMIT } from '../constants.ts';

interface Situation {
  readonly brand: BrandCode;
  readonly signedIn: boolean;
  readonly listingId: string;
  readonly savedListingIds: readonly string[];
}

/**
 * What a click on save does (A4-LISTSAVE-02..10, AMB-101, AMB-102): toggle it,
 * in the account or, below the quick-save limit, in the browser; else ask to
 * sign in. `insert`: the brand saves it before that, `optimistic` until the
 * visitor closes the dialog.
 */
export type SaveDecision =
  | { readonly kind: 'toggle'; readonly place: 'account' | 'browser'; readonly saved: boolean }
  | { readonly kind: 'signIn'; readonly insert: 'no' | 'keep' | 'optimistic' };

export function decideSave({ brand, signedIn, listingId, savedListingIds }: Situation): SaveDecision {
  const isSaved = savedListingIds.includes(listingId);
  if (signedIn) return { kind: 'toggle', place: 'account', saved: !isSaved };
  if (isSaved || savedListingIds.length < QUICK_SAVE_LIMIT)
    return { kind: 'toggle', place: 'browser', saved: !isSaved };
  return { kind: 'signIn', insert: BRANDS[brand].saveBeforeSignIn };
}
